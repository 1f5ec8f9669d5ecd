import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { momentField, momentIn } from '#pwa/features/admin/form-parts.tsx'
import type { RowFormParts } from '#pwa/features/admin/row-form.tsx'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { newKey } from '#pwa/lib/new-key.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { CheckField, TextField } from '#pwa/ui/field.tsx'
import { formatMoment } from '#shared/rules/london.ts'

export const publishedOn = momentField('publishedAt', 'Published on', {
  hint: 'Leave blank to use the time you publish it. Set a future time to schedule it.',
})

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

export const publishedValues = ({
  isPublished,
  publishedAt,
  version,
}: Published & { version: number }): FormValues => ({
  version: String(version),
  ...publishedOn.fill({ publishedAt }),
  ...(isPublished ? { isPublished: 'on' } : {}),
})

export const readPublished = <Typed extends FormValues>(typed: Typed) => ({
  ...typed,
  isPublished: typed.isPublished === 'on',
  publishedAt: momentIn(typed.publishedAt),
})

/** For the conflict dialog, after the row’s own fields. */
export const publishedFields: readonly (readonly [label: string, text: (row: Published) => string])[] = [
  ['State', ({ isPublished }) => (isPublished ? 'Published' : 'Draft')],
  [publishedOn.label, publishedOn.text],
]

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

/** `readers`: who sees it once it's published. */
export const publishedSays = (readers: string) => (typed: FormValues) => {
  const { isPublished, publishedAt } = readPublished(typed)
  if (!isPublished) return draftSays
  const isLater = publishedAt !== null && Date.parse(publishedAt) > Date.now()
  return isLater ? `${readers} from ${formatMoment(publishedAt)}.` : `${readers} straight away.`
}

export const draftSays = 'A draft: only owners see it until you tick Published.'

export const PublishedField = ({ values, label }: Pick<FieldsProps, 'values'> & { label: string }) => (
  <CheckField className="f3" label={label} name="isPublished" defaultChecked={values.isPublished === 'on'} />
)
