import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import {
  choiceField,
  type FormPart,
  formOf,
  lineField,
  numberField,
} from '#pwa/features/admin/kit/forms/form-parts.tsx'
import { RowForm, type RowFormParts, valuesIn } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { type TierName, useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { api } from '#pwa/lib/api.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { type AudienceCount, Mailing, MailingPurpose, MailingRequest, Segment } from '#shared/contract/mailing.ts'
import { TierFields } from './announcement-form.tsx'
import { JoinedField } from './joined-field.tsx'
import {
  leftOutLabels,
  newMailing,
  purposeLabels,
  segmentIn,
  segmentText,
  stateLabels,
  valuesOfSegment,
} from './mailing-texts.ts'
import { markdownField, startsWithHello } from './markdown-field.tsx'
import { audienceCountQuery } from './queries.ts'

type Props = { row: Mailing | null; onClose: () => void; onSaved: (row: Mailing) => void }

/** Saving sends nothing. */
export function MailingDialog({ row, onClose, onSaved }: Props) {
  const { draw, ...form } = mailingForm(useTierNames())
  const { mailings } = api.api.admin
  return (
    <Dialog isOpen isWide onClose={onClose} title={row ? `Edit: ${row.subject}` : 'New campaign: write your email'}>
      <p>Write it here and choose who gets it. Next you’ll see it as they do, and send it from there.</p>
      <RowForm
        label="Campaign"
        className="fields"
        draft={`mailing-${row?.id ?? 'new'}`}
        schema={MailingRequest}
        row={Mailing}
        {...form}
        begin={() => (row ? form.valuesOf(row) : newMailing())}
        send={(request, { version, key }) =>
          row === null
            ? mailings.post(request, { headers: { 'idempotency-key': key } })
            : mailings({ id: row.id }).patch({ ...request, version })
        }
        failure="We couldn’t save the campaign."
        done={(saved) => {
          onSaved(saved)
          return { title: 'Campaign saved', description: 'Not sent yet.' }
        }}
        submit="Save and preview"
        cancel="Discard"
        onClose={onClose}
      >
        {(shown) => <CountedFields {...shown}>{draw(shown)}</CountedFields>}
      </RowForm>
    </Dialog>
  )
}

const mailingForm = (nameOf: TierName) =>
  formOf([
    // First, and with nothing picked: owners meant to email everyone, and reached only people who want news.
    choiceField(
      'purpose',
      'What it’s about',
      { '': 'Choose one', ...purposeLabels },
      {
        required: true,
        hint: '“News” goes to people who asked for it. “Their membership” goes to everyone, so don’t sell anything in it.',
      },
    ),
    lineField('subject', 'Subject', { required: true }),
    markdownField({ hint: startsWithHello }),
    segmentPart(nameOf),
    { ...perMinutePart, draw: () => null },
  ])

/** Drawn with the segment's finer fields. */
const perMinutePart = numberField('perMinute', 'Emails a minute, at most', {
  type: 'number',
  min: 1,
  max: 600,
  hint: 'Email providers block you if you send too many at once.',
})

const segmentPart = (nameOf: TierName): FormPart<{ segment: Segment }> => ({
  name: 'segment',
  label: 'Audience',
  draw: (shown) => <SegmentFields {...shown} />,
  fill: ({ segment }) => valuesOfSegment(segment),
  read: (typed) => ({ segment: segmentIn(typed) }),
  text: ({ segment }) => segmentText(segment, nameOf),
})

type FieldsProps = RowFormParts & { children: ReactNode }

function CountedFields({ values, formRef, children }: FieldsProps) {
  const [typed, setTyped] = useState<FormValues>(values)
  return (
    <div className="fields" onInput={() => setTyped(valuesIn(formRef))}>
      {children}
      <TypedAudience typed={typed} />
    </div>
  )
}

function SegmentFields({ values, errors }: Pick<RowFormParts, 'values' | 'errors'>) {
  return (
    <>
      <SelectField label="Audience" name="state" defaultValue={values.state}>
        {Object.entries(stateLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <TierFields values={values} />
      <FinerFields values={values} errors={errors} />
    </>
  )
}

const finer = ['progress', 'notSeenDays', 'joined', 'perMinute']

/** Folded away, since most emails go to everyone. They open for what's in them, and for an error. */
function FinerFields({ values, errors }: Pick<RowFormParts, 'values' | 'errors'>) {
  const [progress, setProgress] = useState(values.progress)
  const isNarrowed = Boolean(values.progress || values.notSeenDays || values.joined)
  const hasError = Object.keys(errors).some((name) => finer.includes(name.replace('segment.', '')))
  return (
    <details className="finer" open={isNarrowed || hasError}>
      <summary>Narrow it down, or send it slower</summary>
      <div className="fields">
        <SelectField
          label="Videos done"
          name="progress"
          defaultValue={values.progress}
          onChange={({ target }) => setProgress(target.value)}
        >
          <option value="">Any number</option>
          <option value="nothing">None</option>
          <option value="least">At least this many</option>
        </SelectField>
        {progress === 'least' && (
          <TextField
            type="number"
            min={1}
            label="At least how many videos"
            name="least"
            defaultValue={values.least}
            error={errors['segment.progress']}
          />
        )}
        <TextField
          type="number"
          min={1}
          label="Not seen for this many days"
          name="notSeenDays"
          hint="Leave it empty for everyone."
          defaultValue={values.notSeenDays}
          error={errors['segment.notSeenDays']}
        />
        <JoinedField value={values.joined ?? ''} error={errors['segment.joined']} />
        {perMinutePart.draw({ values, errors })}
      </div>
    </details>
  )
}

/** Doesn’t count while a number is half typed. */
function TypedAudience({ typed }: { typed: FormValues }) {
  const wanted = useDeferredValue(JSON.stringify({ segment: segmentIn(typed), purpose: typed.purpose }))
  const read = v.safeParse(v.object({ segment: Segment, purpose: MailingPurpose }), JSON.parse(wanted))
  return read.success ? <AudienceLine wanted={read.output} advice="pick “Their membership” above" /> : null
}

/** `advice`: how to reach people who didn’t agree to news, from where the line is. */
type LineProps = { wanted: Parameters<typeof audienceCountQuery>[0]; advice: string }

export function AudienceLine({ wanted, advice }: LineProps) {
  const { data, error } = useQuery(audienceCountQuery(wanted))
  return (
    <p className="outreach__count" role="status">
      {data ? countText(data, advice) : notCountedText(error)}
    </p>
  )
}

export const notCountedText = (error: Error | null): string => (error ? 'We couldn’t count who gets it.' : 'Counting…')

export function countText({ people, gets, leftOut }: AudienceCount, advice: string): string {
  if (people === 0) return 'No one fits that audience right now.'
  const reasons = Object.entries(leftOutLabels).flatMap(([reason, label]) => {
    const count = Object.entries(leftOut).find(([name]) => name === reason)?.[1] ?? 0
    return count > 0 ? [`${count} left out: ${label}`] : []
  })
  const ways = leftOut['not-agreed'] ? [`If it’s about what they pay for, ${advice}.`] : []
  return [`${gets} of ${people} would get it now.`, ...reasons.map((reason) => `${reason}.`), ...ways].join(' ')
}
