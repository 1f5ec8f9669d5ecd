import { useId } from 'react'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { type TierName, useTierNames } from '#pwa/features/admin/money/tiers/use-tier-names.ts'
import { RowForm, type RowFormParts } from '#pwa/features/admin/row-form.tsx'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { api } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { DateField } from '#pwa/ui/date-field.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { AdminVideo, VideoRequest } from '#shared/contract/admin-video.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { videoTypes } from '#shared/contract/video.ts'
import { HostedVideoSection } from './hosted-video.tsx'
import { videoFields, videoTypeLabels } from './video-texts.ts'

type Props = {
  video: AdminVideo | null
  categories: readonly string[]
  onClose: () => void
}

/** The contract reduces a pasted URL to its ID before it’s sent. */
export function VideoForm({ video, categories, onClose }: Props) {
  const admin = api.api.admin.videos
  const tierName = useTierNames()
  return (
    <RowForm
      label="Video"
      className="fields videoform"
      draft={`video-${video?.id ?? 'new'}`}
      schema={VideoRequest}
      read={readVideoForm}
      row={AdminVideo}
      begin={() => (video ? valuesOfVideo(video) : newVideoValues())}
      valuesOf={valuesOfVideo}
      send={(request, { version, key }) =>
        video
          ? admin({ id: video.id }).patch({ ...request, version })
          : admin.post(request, { headers: { 'idempotency-key': key } })
      }
      failure={video ? 'Failed to update video' : 'Failed to add video'}
      done={({ title }) => ({ title: video ? 'Video saved' : 'Video added', description: title })}
      compared={videoFields(tierName)}
      submit={video ? 'Save video' : 'Add video'}
      cancel="Cancel"
      onClose={onClose}
    >
      {(parts) => <VideoFields {...parts} categories={categories} tierName={tierName} />}
    </RowForm>
  )
}

type FieldsProps = Pick<Props, 'categories'> & RowFormParts & { tierName: TierName }

const VideoFields = ({ values, errors, categories, formRef, tierName }: FieldsProps) => (
  <>
    <SelectField
      className="f2"
      label="Video type"
      name="videoType"
      defaultValue={values.videoType}
      error={errors.videoType}
    >
      {videoTypes.map((type) => (
        <option key={type} value={type}>
          {videoTypeLabels[type]}
        </option>
      ))}
    </SelectField>
    <HostedVideoSection values={values} error={errors.videoId} formRef={formRef} />
    <TextField
      label={<RequiredLabel label="Title" />}
      name="title"
      required
      autoComplete="off"
      defaultValue={values.title}
      error={errors.title}
    />
    <TextAreaField
      label="Description"
      name="description"
      rows={3}
      defaultValue={values.description}
      error={errors.description}
    />
    <PlaceFields {...{ values, errors, categories }} />
    <TextField
      className="f4"
      label="Player address"
      name="embedUrl"
      autoComplete="off"
      hint="Leave it empty unless the video needs its own player address."
      defaultValue={values.embedUrl}
      error={errors.embedUrl}
    />
    <TierFields values={values} error={errors.tierAccess} tierName={tierName} />
    <DateField
      className="f2"
      label="From a date"
      name="availableFrom"
      hint="Members see it from this date. Leave blank to show it straight away."
      defaultValue={values.availableFrom}
      error={errors.availableFrom}
    />
    <CheckField label="Published: members see it" name="isPublished" defaultChecked={values.isPublished === 'on'} />
  </>
)

function PlaceFields({ values, errors, categories }: Omit<FieldsProps, 'formRef' | 'tierName'>) {
  const list = useId()
  return (
    <>
      <TextField
        className="f4"
        label={<RequiredLabel label="Category" />}
        name="category"
        required
        list={list}
        autoComplete="off"
        defaultValue={values.category}
        error={errors.category}
      />
      <datalist id={list}>
        {categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        className="f2"
        label="Order"
        name="orderIndex"
        type="number"
        inputMode="numeric"
        step={1}
        defaultValue={values.orderIndex}
        error={errors.orderIndex}
      />
      <TextField
        className="f2"
        label="Length in minutes"
        name="duration"
        type="number"
        inputMode="decimal"
        step="any"
        hint="If it’s empty, we count 5 minutes."
        defaultValue={values.duration}
        error={errors.duration}
      />
    </>
  )
}

type TierProps = { values: FormValues; error: string | undefined; tierName: TierName }

const TierFields = ({ values, error, tierName }: TierProps) => (
  <fieldset>
    <legend>Who sees it</legend>
    <div className="videoform__tiers">
      {tierSlugs.map((slug) => (
        <CheckField
          key={slug}
          label={tierName(slug)}
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

export const readVideoForm = (typed: FormValues) => ({
  ...typed,
  orderIndex: Number(typed.orderIndex ?? 0),
  availableFrom: typed.availableFrom || null,
  duration: typed.duration ? Number(typed.duration) : null,
  tierAccess: tierSlugs.filter((slug) => typed[`tier:${slug}`] === 'on'),
  isPublished: typed.isPublished === 'on',
})

const tiersTicked = (isTicked: (slug: (typeof tierSlugs)[number]) => boolean): FormValues =>
  Object.fromEntries(tierSlugs.filter(isTicked).map((slug) => [`tier:${slug}`, 'on']))

/** `key`: the idempotency key, so a retry after a lost response adds one video. */
export const newVideoValues = (): FormValues => ({
  videoType: 'wistia',
  orderIndex: '0',
  isPublished: 'on',
  key: newKey(),
  ...tiersTicked(() => true),
})

export const valuesOfVideo = (video: AdminVideo): FormValues => ({
  title: video.title,
  description: video.description ?? '',
  videoType: video.videoType,
  videoId: video.videoId,
  embedUrl: video.embedUrl ?? '',
  category: video.category,
  orderIndex: String(video.orderIndex),
  duration: video.duration === null ? '' : String(video.duration),
  availableFrom: video.availableFrom ?? '',
  version: String(video.version),
  ...(video.isPublished ? { isPublished: 'on' } : {}),
  ...tiersTicked((slug) => video.tierAccess.includes(slug)),
})
