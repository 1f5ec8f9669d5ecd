import { useState } from 'react'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { newKey } from '#pwa/lib/new-key.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { SelectField, type SelectFieldProps, TextField } from '#pwa/ui/field.tsx'
import { formatMoment } from '#shared/rules/london.ts'
import type { FormValues } from './draft-storage.ts'
import { type FormPart, momentField, momentIn } from './form-parts.tsx'
import type { RowFormParts } from './row-form.tsx'

const publishedOn = momentField('publishedAt', 'Published on', { required: true })

/** A post or an episode. A `publishedAt` in the future schedules it. */
type Published = { isPublished: boolean; publishedAt: string | null }

export const publishedState = ({ isPublished, publishedAt }: Published) =>
  isPublished ? (publishedAt !== null && Date.parse(publishedAt) > Date.now() ? 'Scheduled' : 'Published') : 'Draft'

const tones = { Published: 'ok', Scheduled: 'wait', Draft: 'open' } as const

export function PublishedBadge({ row }: { row: Published }) {
  const state = publishedState(row)
  return <Badge tone={tones[state]}>{state}</Badge>
}

/** `key`: the idempotency key, so a retry after a lost response creates one row. */
export const newRowValues = (values: FormValues = {}): FormValues => ({ ...values, key: newKey() })

export const publishedValues = (row: Published & { version: number }): FormValues => ({
  version: String(row.version),
  ...publishedPart.fill(row),
})

export const readPublished = <Typed extends FormValues>(typed: Typed) => ({
  ...typed,
  isPublished: isPublishedIn(typed),
  publishedAt: typed.when === 'now' ? null : (momentIn(typed.publishedAt) ?? (typed.when === 'time' ? '' : null)),
})

const isPublishedIn = ({ when, isPublished }: FormValues) =>
  when === undefined ? isPublished === 'on' : when !== 'draft'

type FieldsProps = Pick<RowFormParts, 'values' | 'errors'>

export const TitleField = ({ values, errors, onInput }: FieldsProps & { onInput?: (title: string) => void }) => (
  <TextField
    label={<RequiredLabel label="Title" />}
    name="title"
    required
    autoComplete="off"
    defaultValue={values.title}
    error={errors.title}
    onInput={({ currentTarget: { value } }) => onInput?.(value)}
  />
)

/** One choice: a draft, now, or at a time. */
export const WhenField = (props: Omit<SelectFieldProps, 'children'>) => (
  <SelectField {...props}>
    <option value="draft">Not yet: keep it as a draft</option>
    <option value="now">Now</option>
    <option value="time">At a time you choose</option>
  </SelectField>
)

/** A draft keeps the time it had. */
export function PublishedChoice({ values, errors }: FieldsProps) {
  const [when, setWhen] = useState(values.when ?? 'draft')
  return (
    <>
      <WhenField
        className="f3"
        label="Publish"
        name="when"
        defaultValue={when}
        onChange={({ target }) => setWhen(target.value)}
      />
      {when === 'time' ? (
        publishedOn.draw({ values, errors })
      ) : (
        <input type="hidden" name="publishedAt" defaultValue={values.publishedAt} />
      )}
    </>
  )
}

/** The choice as a part of a form, and of what’s compared with another owner’s version. */
export const publishedPart: FormPart<Published> = {
  name: 'when',
  label: 'State',
  draw: (parts) => <PublishedChoice {...parts} />,
  fill: (row) => ({
    ...publishedOn.fill(row),
    when: row.isPublished ? (row.publishedAt === null ? 'now' : 'time') : 'draft',
    ...(row.isPublished ? { isPublished: 'on' } : {}),
  }),
  read: (typed) => {
    const { isPublished, publishedAt } = readPublished(typed)
    return { isPublished, publishedAt }
  },
  text: (row) => [row.isPublished ? 'Published' : 'Draft', publishedOn.text(row)].filter(Boolean).join(', '),
}

const laterIn = (typed: FormValues): string | null => {
  const { publishedAt } = readPublished(typed)
  return publishedAt && Date.parse(publishedAt) > Date.now() ? publishedAt : null
}

/** `readers`: who sees it once it's published. */
export const publishedSays = (readers: string) => (typed: FormValues) => {
  if (!isPublishedIn(typed)) return draftSays
  if (readPublished(typed).publishedAt === '') return 'Choose the day and time.'
  const later = laterIn(typed)
  return later === null ? `${readers} straight away.` : `${readers} from ${formatMoment(later)}.`
}

/** The button says which: a draft, now or later. `save`: for what’s out already. */
export const publishedButton = (save: string) => (typed: FormValues) => {
  if (!isPublishedIn(typed)) return 'Save draft'
  const later = laterIn(typed)
  if (later !== null) return `Schedule for ${formatMoment(later)}`
  return readPublished(typed).publishedAt === null ? 'Publish now' : save
}

export const draftSays = 'Only owners can see a draft.'
