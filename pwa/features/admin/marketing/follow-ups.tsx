import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm } from '#pwa/features/admin/kit/forms/row-form.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField, TextField } from '#pwa/ui/field.tsx'
import { ContentPageState } from '#shared/contract/admin-content.ts'
import { type FollowUp, type FollowUpKind, FollowUpRequest, followUpKinds } from '#shared/contract/follow-up.ts'
import { MarkdownField, startsWithHello } from './markdown-field.tsx'
import { followUpsQuery } from './queries.ts'
import './marketing.css'

const names: Record<FollowUpKind, string> = {
  'after-joining': 'After joining',
  'not-seen': 'Not seen for 14 days',
  'card-expiring': 'Card expiring',
  'coming-back': 'Coming back',
}

const notes: Record<FollowUpKind, string> = {
  'after-joining': 'Three days after someone first joins, with a button to the members’ area.',
  'not-seen': 'Once a member’s been away for 14 days, with a button to the members’ area.',
  'card-expiring': '30 days before a member’s card expires, with the card, the next payment and a button to change it.',
  'coming-back':
    '30 days after a membership ended, to people who agreed to news, with a link that shows what they would pay.',
}

const backTexts: Record<FollowUpKind, string> = {
  'after-joining': 'came back to the site',
  'not-seen': 'came back to the site',
  'card-expiring': 'changed the card',
  'coming-back': 'joined again',
}

const resultText = ({ kind, arrived, waiting, refused, cameBack }: FollowUp): string => {
  const parts = [
    `${arrived} sent`,
    waiting > 0 && `${waiting} not sent yet`,
    refused > 0 && `${refused} refused`,
    arrived > 0 && `${cameBack} ${backTexts[kind]}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

const onText = ({ isOn }: FollowUp) => (isOn ? 'On' : 'Off')

const columns: readonly Column<FollowUp>[] = [
  {
    label: 'Email',
    kind: 'who',
    cell: ({ kind, subject }) => (
      <>
        {names[kind]}
        <small>{subject}</small>
      </>
    ),
    text: ({ kind, subject }) => `${names[kind]}: ${subject}`,
  },
  { label: 'When', cell: ({ kind }) => notes[kind], text: ({ kind }) => notes[kind] },
  { label: 'State', cell: (row) => <Badge tone={row.isOn ? 'ok' : 'open'}>{onText(row)}</Badge>, text: onText },
  { label: 'So far', cell: resultText, text: resultText },
]

export default function FollowUpsSection() {
  const query = useQuery(followUpsQuery)
  const [open, setOpen] = useState<FollowUpKind | null>(null)
  const row = query.data?.find(({ kind }) => kind === open)
  return (
    <>
      <ShortList
        title="Automatic emails"
        name="follow-ups"
        query={query}
        columns={columns}
        idOf={({ kind }) => kind}
        note="One a day at most, never twice for the same reason, and never on the day a payment’s due or fails. Unsubscribed and bounced addresses are skipped."
        actions={({ kind }) => (
          <Button
            look="line"
            isSmall
            aria-haspopup="dialog"
            aria-label={`Change: ${names[kind]}`}
            onClick={() => setOpen(kind)}
          >
            Change
          </Button>
        )}
      />
      {row && <FollowUpDialog row={row} onClose={() => setOpen(null)} />}
    </>
  )
}

const valuesOf = ({ isOn, subject, text, version }: Saved): FormValues => ({
  subject,
  text,
  version: String(version),
  ...(isOn ? { isOn: 'on' } : {}),
})

const readForm = ({ subject, text, isOn }: FormValues) => ({ subject, text, isOn: isOn === 'on' })

type Saved = v.InferOutput<typeof FollowUpRequest> & { version: number }

const FollowUpsPage = v.object(v.entriesFromList(followUpKinds, FollowUpRequest))

/** These emails are entries of one content page. Takes this one out of a saved or conflicting page. */
const savedOf = (kind: FollowUpKind) =>
  v.pipe(
    v.object({ ...ContentPageState.entries, value: FollowUpsPage }),
    v.transform(({ version, value }): Saved => ({ ...value[kind], version })),
  )

function FollowUpDialog({ row, onClose }: { row: FollowUp; onClose: () => void }) {
  const { kind } = row
  return (
    <Dialog isOpen isWide onClose={onClose} title={names[kind]}>
      <p>{notes[kind]}</p>
      <RowForm
        label="Email"
        className="fields"
        draft={`follow-up-${kind}`}
        schema={FollowUpRequest}
        read={readForm}
        row={savedOf(kind)}
        begin={() => valuesOf(row)}
        valuesOf={valuesOf}
        send={(value, { version }) =>
          api.api.admin.content({ page: 'follow-ups' }).put({ entry: kind, value, version, isTrial: false })
        }
        failure="We couldn’t save the email."
        done={({ isOn }) => ({
          title: 'Saved',
          description: isOn ? 'It goes out automatically.' : 'It’s switched off.',
        })}
        compared={[
          ['State', ({ isOn }) => (isOn ? 'On' : 'Off')],
          ['Subject', ({ subject }) => subject],
          ['Text', ({ text }) => text],
        ]}
        submit="Save"
        cancel="Discard"
        onClose={onClose}
      >
        {({ values, errors }) => (
          <>
            <TextField
              label={<RequiredLabel label="Subject" />}
              name="subject"
              required
              autoComplete="off"
              defaultValue={values.subject}
              error={errors.subject}
            />
            <MarkdownField hint={startsWithHello} defaultValue={values.text} error={errors.text} />
            <CheckField className="f3" label="Switched on" name="isOn" defaultChecked={values.isOn === 'on'} />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
