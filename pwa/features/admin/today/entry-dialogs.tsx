import { useState } from 'react'
import { readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { applicationFacts, coachingFacts, type Fact } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { cardLinkText } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { TextAreaField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import { InboxNoteList } from '#shared/contract/inbox.ts'
import { AdminMail } from '#shared/contract/mail.ts'
import { CardLink } from '#shared/contract/member-record.ts'
import type { TodayFailure } from '#shared/contract/today.ts'
import { HoldDialog } from './hold-dialog.tsx'
import type { Entry } from './today-texts.ts'
import { outliving } from './use-hold.tsx'
import '#pwa/features/admin/kit/inbox/inbox.css'

type Props = { entry: Entry; onClose: () => void }

const calls = api.api.admin

type ApplicationKind = Exclude<Entry['kind'], 'contacts'>

const setStatus = (kind: ApplicationKind, id: string, status: 'approved' | 'contacted') =>
  parseResponse(Done, calls[kind]({ id }).status.patch({ status, before: 'pending' }, outliving))

function factsOf(entry: Entry): Fact[] {
  if (entry.kind === 'membership-applications') return applicationFacts(entry.row, entry.tier)
  return entry.kind === 'contacts' ? [['Message', entry.row.message]] : coachingFacts(entry.row)
}

const Facts = ({ entry }: Pick<Props, 'entry'>) => (
  <dl className="entry">
    {factsOf(entry)
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <div key={label}>
          <dt className="label">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

export function ApproveDialog({ entry, onClose }: Props) {
  const { kind, id, name } = entry
  return (
    kind !== 'contacts' && (
      <HoldDialog
        title={`Approve ${name}?`}
        button="Approve"
        wanted={{
          id,
          title: 'Approved',
          description: name,
          send: () => setStatus(kind, id, 'approved'),
          failure: `We couldn’t approve ${name}`,
        }}
        onClose={onClose}
      >
        <Facts entry={entry} />
        <p>We’ll mark them approved. We won’t email them.</p>
      </HoldDialog>
    )
  )
}

/** For someone an owner rang, or answered somewhere else: a message has no number. */
export function CalledBackDialog({ entry, onClose }: Props) {
  const { kind, id, name } = entry
  const isMessage = kind === 'contacts'
  const did = isMessage ? 'answered' : 'called back'
  const note = () => calls.inbox({ kind })({ id }).notes.post({ text: 'Answered.' }, outliving)
  return (
    <HoldDialog
      title={isMessage ? `Answered ${name}?` : `Called ${name} back?`}
      button={`Mark ${did}`}
      wanted={{
        id,
        title: `Marked ${did}`,
        description: name,
        send: () => (isMessage ? parseResponse(InboxNoteList, note()) : setStatus(kind, id, 'contacted')),
        failure: `We couldn’t mark ${name} ${did}`,
      }}
      onClose={onClose}
    >
      <Facts entry={entry} />
      <p>
        {isMessage
          ? 'We’ll add the note “Answered.” to the message, for owners only.'
          : 'We’ll mark them contacted. We won’t email them.'}
      </p>
    </HoldDialog>
  )
}

/** Shares its draft with the inbox, and keeps it until the email has left. */
export function ReplyDialog({ entry, onClose }: Props) {
  const { kind, id, name, email } = entry
  const draft = `reply:${kind}:${id}`
  const [{ text, wish }, setTyped] = useState(() => ({ text: '', wish: newKey(), ...readOwnerDraft(draft) }))
  const change = (typed: string) => {
    const words = { text: typed, wish: newKey() }
    setTyped(words)
    if (typed === '') removeOwnerDraft(draft)
    else saveOwnerDraft(draft, words)
  }
  // Both at the same time: a closing page has no time for a second request.
  const send = () =>
    Promise.all([
      parseResponse(InboxNoteList, calls.inbox({ kind })({ id }).reply.post({ text, wish }, outliving)),
      kind === 'contacts' ? undefined : setStatus(kind, id, 'contacted'),
    ])
  return (
    <HoldDialog
      title={`Reply to ${name}`}
      button="Send email"
      isDisabled={text.trim() === ''}
      wanted={{
        id,
        title: 'Sending your email',
        description: email,
        send,
        isSending: true,
        failure: `We couldn’t email ${name}`,
        onSent: () => removeOwnerDraft(draft),
      }}
      onClose={onClose}
    >
      <Facts entry={entry} />
      <TextAreaField
        label={`Email to ${email}`}
        value={text}
        maxLength={5000}
        required
        onChange={({ target }) => change(target.value)}
      />
      {kind !== 'contacts' && <p>We’ll mark them contacted too.</p>}
    </HoldDialog>
  )
}

type CardProps = { failure: TodayFailure; onClose: () => void }

export function CardLinkDialog({ failure, onClose }: CardProps) {
  const { memberId, name, email } = failure
  const [wish] = useState(newKey)
  const ask = () =>
    calls.members({ memberId })['card-link'].post(undefined, { headers: { 'idempotency-key': wish }, ...outliving })
  return (
    <HoldDialog
      title={`Ask ${name} for a new card?`}
      button="Send email"
      wanted={{
        id: memberId,
        title: 'Asking for a new card',
        description: email,
        send: () => parseResponse(CardLink, ask()),
        isSending: true,
        failure: `We couldn’t email ${name}`,
      }}
      onClose={onClose}
    >
      <p>{cardLinkText(email, failure)}</p>
      <p>If they still owe it in a week, they’ll be back on this list.</p>
    </HoldDialog>
  )
}

type MailProps = { mail: AdminMail; onClose: () => void }

export const ResendDialog = ({ mail: { id, to, subject }, onClose }: MailProps) => (
  <HoldDialog
    title="Send it again?"
    button="Send again"
    wanted={{
      id,
      title: 'Sending it again',
      description: `${subject}, to ${to}`,
      send: () => parseResponse(AdminMail, calls.mail({ mailId: id }).resend.post(undefined, outliving)),
      isSending: true,
      failure: 'We couldn’t resend the email',
    }}
    onClose={onClose}
  >
    <p>
      We’ll email “{subject}” to {to} again. If the address is wrong, correct it first.
    </p>
  </HoldDialog>
)
