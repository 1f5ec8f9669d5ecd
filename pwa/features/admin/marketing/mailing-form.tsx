import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { useTierNames } from '#pwa/features/admin/money/tiers/use-tier-names.ts'
import { RowForm, type RowFormParts, valuesIn } from '#pwa/features/admin/row-form.tsx'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { api } from '#pwa/lib/api.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { type AudienceCount, Mailing, MailingPurpose, MailingRequest, Segment } from '#shared/contract/mailing.ts'
import { markdownHint, TierFields } from './announcement-form.tsx'
import {
  leftOutLabels,
  newMailing,
  purposeLabels,
  readMailingForm,
  segmentIn,
  segmentText,
  stateLabels,
  valuesOfMailing,
} from './mailing-texts.ts'
import { audienceCountQuery } from './queries.ts'

type Props = { row: Mailing | null; onClose: () => void; onSaved: (row: Mailing) => void }

/** Saving sends nothing. */
export function MailingDialog({ row, onClose, onSaved }: Props) {
  const tierName = useTierNames()
  const { mailings } = api.api.admin
  return (
    <Dialog isOpen isWide onClose={onClose} title={row ? `Edit: ${row.subject}` : 'New campaign'}>
      <RowForm
        label="Campaign"
        className="fields"
        draft={`mailing-${row?.id ?? 'new'}`}
        schema={MailingRequest}
        read={readMailingForm}
        row={Mailing}
        begin={() => (row ? valuesOfMailing(row) : newMailing())}
        valuesOf={valuesOfMailing}
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
        compared={[
          ['Subject', ({ subject }) => subject],
          ['Text', ({ text }) => text],
          ['Type', ({ purpose }) => purposeLabels[purpose]],
          ['Audience', ({ segment }) => segmentText(segment, tierName)],
          ['Emails a minute', ({ perMinute }) => String(perMinute)],
        ]}
        submit="Save draft"
        cancel="Discard"
        onClose={onClose}
      >
        {(parts) => <MailingFields {...parts} />}
      </RowForm>
    </Dialog>
  )
}

function MailingFields({ values, errors, formRef }: RowFormParts) {
  const [typed, setTyped] = useState<FormValues>(values)
  const follow = () => setTyped(valuesIn(formRef))
  return (
    <div className="fields" onInput={follow}>
      <TextField
        label={<RequiredLabel label="Subject" />}
        name="subject"
        required
        autoComplete="off"
        defaultValue={values.subject}
        error={errors.subject}
      />
      <TextAreaField
        label={<RequiredLabel label="Text" />}
        name="text"
        rows={8}
        required
        hint={`${markdownHint} It starts with “Hello” and their name.`}
        defaultValue={values.text}
        error={errors.text}
      />
      <SelectField
        label="Type"
        name="purpose"
        hint="Pick membership only for things they need to use what they pay for. Anything else is news."
        defaultValue={values.purpose}
      >
        {Object.entries(purposeLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SegmentFields {...{ values, errors, typed }} />
      <TextField
        type="number"
        min={1}
        max={600}
        label="Emails a minute, at most"
        name="perMinute"
        hint="Email providers block you if you send too many at once."
        defaultValue={values.perMinute}
        error={errors.perMinute}
      />
      <TypedAudience typed={typed} />
    </div>
  )
}

type SegmentProps = Pick<RowFormParts, 'values' | 'errors'> & { typed: FormValues }

const SegmentFields = ({ values, errors, typed }: SegmentProps) => (
  <>
    <SelectField label="Audience" name="state" defaultValue={values.state}>
      {Object.entries(stateLabels).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
    <TierFields values={values} />
    <SelectField label="Videos done" name="progress" defaultValue={values.progress}>
      <option value="">Any number</option>
      <option value="nothing">None</option>
      <option value="least">At least this many</option>
    </SelectField>
    {typed.progress === 'least' && (
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
    <TextField
      type="month"
      label="Joined in"
      name="joined"
      hint="Leave it empty for any month."
      defaultValue={values.joined}
      error={errors['segment.joined']}
    />
  </>
)

/** Doesn’t count while a number is half typed. */
function TypedAudience({ typed }: { typed: FormValues }) {
  const wanted = useDeferredValue(JSON.stringify({ segment: segmentIn(typed), purpose: typed.purpose }))
  const read = v.safeParse(v.object({ segment: Segment, purpose: MailingPurpose }), JSON.parse(wanted))
  return read.success ? <AudienceLine wanted={read.output} /> : null
}

export function AudienceLine({ wanted }: { wanted: Parameters<typeof audienceCountQuery>[0] }) {
  const { data, error } = useQuery(audienceCountQuery(wanted))
  return (
    <p className="telling__count" role="status">
      {data ? countText(data) : notCountedText(error)}
    </p>
  )
}

export const notCountedText = (error: Error | null): string => (error ? 'We couldn’t count who gets it.' : 'Counting…')

function countText({ people, gets, leftOut }: AudienceCount): string {
  const reasons = Object.entries(leftOutLabels).flatMap(([reason, label]) => {
    const count = Object.entries(leftOut).find(([name]) => name === reason)?.[1] ?? 0
    return count > 0 ? [`${count} left out: ${label}`] : []
  })
  return [`${gets} of ${people} get it now.`, ...reasons.map((reason) => `${reason}.`)].join(' ')
}
