import { useQuery } from '@tanstack/react-query'
import { Fragment, useId } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import {
  checkField,
  type FormPart,
  formOf,
  lineField,
  numberField,
  textField,
} from '#pwa/features/admin/kit/forms/form-parts.tsx'
import { draftSays } from '#pwa/features/admin/kit/forms/published-form.tsx'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import type { TierList } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { allVideosQuery } from '#pwa/features/admin/kit/video-queries.ts'
import { useCategories } from '#pwa/features/admin/videos/use-categories.ts'
import { orderOf, readOrder, tiersOf, videoTypeLabels } from '#pwa/features/admin/videos/video-texts.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { newKey } from '#pwa/lib/new-key.ts'
import { DateField } from '#pwa/ui/date-field.tsx'
import { CheckField, TextField } from '#pwa/ui/field.tsx'
import { type VideoRequest, videoTextLengths } from '#shared/contract/admin-video.ts'
import { Day } from '#shared/contract/fields.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { AddressFields } from './address.tsx'
import { CaptionFields } from './captions.tsx'
import { HandoutFields, handoutsTyped } from './handouts.tsx'
import { OrderFields } from './order.tsx'
import { VersionsSection } from './versions-section.tsx'
import { idsIn, VideoFileFields } from './video-file.tsx'

type Part = FormPart<VideoRequest>
type Shown = Pick<RowFormParts, 'values' | 'errors'>

/** A field that's drawn with another one. */
const undrawn = (
  name: 'embedUrl' | 'transcript' | 'videoId' | 'videoType',
  label: string,
  says?: Part['text'],
): Part => ({
  name,
  label,
  draw: () => null,
  fill: (video) => ({ [name]: video[name] ?? '' }),
  read: (typed) => ({ [name]: typed[name] }),
  text: says ?? ((video) => video[name] ?? ''),
})

/** `nameOf`: a file's, as the library calls it. */
const videoFilePart = (nameOf: (id: string) => string): Part => ({
  name: 'filmFiles',
  label: 'Uploaded video',
  draw: (shown) => <VideoFileFields {...shown} link={<AddressFields {...shown} />} />,
  fill: ({ filmFiles: videoFiles }) => ({ filmFiles: videoFiles.join(' ') }),
  read: ({ filmFiles: videoFiles }) => ({ filmFiles: idsIn(videoFiles) }),
  text: ({ filmFiles: videoFiles }) => videoFiles.map(nameOf).join(', '),
})

const lengthPart = numberField('duration', 'Length in minutes', {
  className: 'f2',
  type: 'number',
  inputMode: 'decimal',
  step: 'any',
  hint: 'We read it from a video you upload. Leave it empty and we’ll count 5 minutes.',
})

const categoryPart: Part = {
  name: 'category',
  label: 'Category',
  draw: (shown) => <CategoryField {...shown} />,
  fill: ({ category }) => ({ category }),
  read: ({ category }) => ({ category }),
  text: ({ category }) => category,
}

function CategoryField({ values, errors }: Shown) {
  const list = useId()
  const categories = useCategories(useQuery(allVideosQuery).data ?? [])
  return (
    <>
      <TextField
        label={<RequiredLabel label="Category" />}
        name="category"
        required
        list={list}
        autoComplete="off"
        hint="Pick one that’s there, or type a new one."
        defaultValue={values.category}
        error={errors.category}
      />
      <datalist id={list}>
        {categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

const captionsPart: Part = {
  name: 'captions',
  label: 'Captions',
  draw: (shown) => <CaptionFields {...shown} />,
  fill: ({ captions, captionsFrom }) => ({ captions: captions ?? '', captionsFrom: captionsFrom ?? '' }),
  read: ({ captions, captionsFrom }) => ({ captions, captionsFrom: captionsFrom || null }),
  text: ({ captions }) => captions ?? '',
}

const handoutPart: Part = {
  name: 'handoutFiles',
  label: 'Downloads',
  draw: (shown) => <HandoutFields {...shown} />,
  fill: ({ handoutFiles }) => ({ handoutFiles: JSON.stringify(handoutFiles) }),
  read: ({ handoutFiles }) => ({ handoutFiles: handoutsTyped(handoutFiles) }),
  text: ({ handoutFiles }) => handoutFiles.map(({ title }) => title).join(', '),
}

const tiersPart = (tierList: TierList): Part => ({
  name: 'tierAccess',
  label: 'Tiers',
  draw: (shown) => <TierFields {...shown} tierList={tierList} />,
  fill: ({ tierAccess = [] }) => tiersTicked(tierAccess),
  read: (typed) => ({ tierAccess: tiersIn(typed) }),
  text: (video) => tiersOf(video, tierList),
})

const tierFields = 'tier:'

const tiersTicked = (slugs: readonly TierSlug[]): FormValues =>
  Object.fromEntries(slugs.map((slug) => [`${tierFields}${slug}`, 'on']))

const tiersIn = (typed: FormValues): TierSlug[] =>
  Object.keys(typed).flatMap((name) =>
    name.startsWith(tierFields) && typed[name] === 'on' ? [name.slice(tierFields.length)] : [],
  )

const TierFields = ({ values, errors: { tierAccess: error }, tierList }: Shown & { tierList: TierList }) => (
  <fieldset>
    <legend className="vh">Who sees it</legend>
    <div className="lessonpart__tiers">
      {tierList.slugs.map((slug) => (
        <CheckField
          key={slug}
          label={tierList.nameOf(slug)}
          name={`tier:${slug}`}
          defaultChecked={values[`tier:${slug}`] === 'on'}
          aria-invalid={error ? true : undefined}
        />
      ))}
    </div>
    {error && (
      <p className="field__err" role="alert">
        {error}
      </p>
    )}
  </fieldset>
)

const orderPart = (id: string | null): Part => ({
  name: 'orderIndex',
  label: 'Order',
  draw: (shown) => <OrderFields {...shown} id={id} />,
  fill: (video) => ({ orderIndex: orderOf(video) }),
  read: ({ orderIndex, place }) => ({
    // Emptied, it keeps its place, and a new one comes last: at 0 it would be every member’s next video.
    ...(orderIndex ? { orderIndex: readOrder(orderIndex) } : id === null && !place ? { place: 'end' } : {}),
    ...(place ? { place: Number(place) } : {}),
  }),
  text: orderOf,
})

const fromPart: Part = {
  name: 'availableFrom',
  label: 'From a date',
  draw: ({ values, errors }) => (
    <DateField
      className="f3"
      label="From a date"
      name="availableFrom"
      hint="Members see it from this date. Leave blank to show it straight away."
      defaultValue={values.availableFrom}
      error={errors.availableFrom}
    />
  ),
  fill: ({ availableFrom }) => ({ availableFrom: availableFrom ?? '' }),
  read: ({ availableFrom }) => ({ availableFrom: availableFrom || null }),
  text: ({ availableFrom }) => (availableFrom === null ? '' : formatLongDate(availableFrom)),
}

type Options = { id: string | null; tierList: TierList; nameOf: (id: string) => string }

/** The page’s parts under their headings, in order. */
export function videoForm({ id, tierList, nameOf }: Options) {
  const groups: readonly (readonly [heading: string, parts: readonly Part[]])[] = [
    [
      'Title and category',
      [
        lineField('title', 'Title', { required: true }),
        categoryPart,
        textField('description', 'Description', { rows: 3 }),
      ],
    ],
    [
      'Video',
      [
        videoFilePart(nameOf),
        undrawn('videoType', 'Type', ({ videoType }) => videoTypeLabels[videoType]),
        undrawn('videoId', 'Video ID/URL'),
        undrawn('embedUrl', 'Player address'),
        lengthPart,
      ],
    ],
    ['Notes', [textField('notes', 'Notes', { rows: 6, maxLength: videoTextLengths.notes, hint: notesHint })]],
    ['Captions and transcript', [captionsPart, undrawn('transcript', 'Transcript')]],
    ['Downloads', [handoutPart]],
    ['Who sees it', [tiersPart(tierList)]],
    ['Place in its category', [orderPart(id)]],
    ['Publish', [isPublishedPart, fromPart]],
  ]
  const { draw: _, ...form } = formOf(groups.flatMap(([, parts]) => parts))
  return {
    ...form,
    draw: (shown: Shown) =>
      groups
        .map(([heading, parts]) => (
          <section key={heading} className="fields lessonform__part">
            <h3>{heading}</h3>
            {parts.map((part) => (
              <Fragment key={part.name}>{part.draw(shown)}</Fragment>
            ))}
          </section>
        ))
        .toSpliced(2, 0, <VersionsSection key="versions" id={id} />),
  }
}

const notesHint = 'Leave an empty line between paragraphs. Start lines with “- ” for a list.'

const isPublishedPart = checkField('isPublished', 'Published: members see it', {
  label: 'State',
  yes: 'Published',
  no: 'Draft',
})

/** An unreadable date is the schema's to refuse. */
export function videoSays({ isPublished, availableFrom }: FormValues): string {
  if (isPublished !== 'on') return draftSays
  const isLater = v.is(Day, availableFrom) && availableFrom > londonDay(new Date())
  return isLater ? `Members see it from ${formatLongDate(availableFrom)}.` : 'Members see it straight away.'
}

/** `key`: the idempotency key, so a retry after a lost response adds one video. */
export const newVideoValues = (slugs: readonly TierSlug[]): FormValues => ({
  videoType: 'wistia',
  isPublished: 'on',
  key: newKey(),
  ...tiersTicked(slugs),
})
