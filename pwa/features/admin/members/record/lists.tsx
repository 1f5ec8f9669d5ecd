import { useState } from 'react'
import { actionText } from '#pwa/features/admin/kit/audit/audit-texts.ts'
import { detailText } from '#pwa/features/admin/kit/audit/detail-texts.ts'
import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { callOf, statusLabels } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { questionsOf } from '#pwa/features/admin/kit/inbox/queries.ts'
import {
  enclosedText,
  questionStateLabels,
  standingOf,
  standingTone,
} from '#pwa/features/admin/kit/inbox/question-texts.ts'
import { mailStatusLabels, mailTones } from '#pwa/features/admin/kit/jobs/system-texts.ts'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { byText } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { type TierName, useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done } from '#shared/contract/auth.ts'
import type { AdminBooking } from '#shared/contract/inbox-entries.ts'
import { AdminMail } from '#shared/contract/mail.ts'
import type { MemberActivity, MemberRecord } from '#shared/contract/member-record.ts'
import type { InboxQuestion } from '#shared/contract/questions.ts'
import { type AdminSession, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { formatMoment, londonDay } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { videoAskedAt } from '#shared/rules/video.ts'
import { activityOf, callsOf, mailsOf, sessionsOf } from './queries.ts'

type Props = { record: MemberRecord; name: string }

/** To where it can be moved or cancelled. */
function CallLink(call: AdminBooking) {
  const { id, startsAt, status } = call
  if (!startsAt || status !== 'scheduled') return callOf(call)
  return (
    <PlaceLink place="calendar" search={{ day: londonDay(new Date(startsAt)), entry: id }}>
      {callOf(call)}
    </PlaceLink>
  )
}

const calls: readonly Column<AdminBooking>[] = [
  { label: 'Call', kind: 'who', cell: CallLink, text: callOf },
  { label: 'Notes', cell: ({ notes }) => notes, text: ({ notes }) => notes ?? '' },
  {
    label: 'Status',
    cell: ({ status }) => statusLabels[status],
    text: ({ status }) => statusLabels[status],
  },
]

export const CallsSection = ({ record }: Props) => (
  <ListSection
    title="Calls"
    list={callsOf(record.member)}
    columns={calls}
    fixedAddress={{}}
    empty={{ title: 'No calls', text: 'Their bookings show up here.' }}
  />
)

const questions: readonly Column<InboxQuestion>[] = [
  {
    label: 'Question',
    kind: 'who',
    cell: (row) => (
      <div className="entry__any">
        <PlaceLink place="questions" search={{ entry: row.id }}>
          {questionText(row)}
        </PlaceLink>
        {row.video && <small>{videoAskedAt(row.video)}</small>}
      </div>
    ),
    text: questionText,
  },
  { label: 'Asked', kind: 'date', cell: ({ askedAt }) => formatMoment(askedAt), text: ({ askedAt }) => askedAt },
  {
    label: 'Status',
    cell: (row) => <Badge tone={standingTone(row)}>{standingOf(row)}</Badge>,
    text: standingOf,
  },
]

/** What’s in it, where there are no words. */
function questionText(row: InboxQuestion): string {
  return row.excerpt || enclosedText(row) || questionStateLabels[row.state]
}

export const QuestionsSection = ({ record }: Props) => (
  <ListSection
    title="Questions"
    list={questionsOf(record.member.id)}
    columns={questions}
    fixedAddress={{}}
    empty={{ title: 'No questions', text: 'What they ask you shows up here.' }}
  />
)

const mails: readonly Column<AdminMail>[] = [
  {
    label: 'Email',
    kind: 'who',
    cell: ({ subject, to, lastError }) => (
      <>
        {subject}
        <small>
          {to}
          {lastError && `: ${lastError}`}
        </small>
      </>
    ),
    text: ({ subject, to, lastError }) => [`${subject} to ${to}`, lastError].filter(Boolean).join(': '),
  },
  { label: 'Written', cell: ({ createdAt }) => formatMoment(createdAt), text: ({ createdAt }) => createdAt },
  {
    label: 'Status',
    cell: ({ status }) => <Badge tone={mailTones[status]}>{mailStatusLabels[status]}</Badge>,
    text: ({ status }) => mailStatusLabels[status],
  },
]

export const MailsSection = ({ record }: Props) => (
  <ListSection
    title="Emails"
    list={mailsOf(record.member)}
    columns={mails}
    fixedAddress={{}}
    empty={{ title: 'No emails', text: 'Emails we send them show up here.' }}
    actions={(mail) => mail.canResend && <ResendButton mail={mail} />}
  />
)

const tryAgain = 'We couldn’t reach the site. Try again in a minute.'

function ResendButton({ mail }: { mail: AdminMail }) {
  const toast = useToast()
  const action = useAdminAction({
    schema: AdminMail,
    send: () => api.api.admin.mail({ mailId: mail.id }).resend.post(),
    failure: 'We couldn’t resend the email',
    done: ({ to }) => ({ title: 'Email resent', description: to }),
    onFailure: (error) =>
      toast({ title: 'We couldn’t resend the email', description: messageOf(error, tryAgain), tone: 'bad' }),
  })
  return (
    <Button
      isSmall
      look="line"
      isBusy={action.isPending}
      busyLabel="Sending…"
      aria-label={`Send “${mail.subject}” again`}
      onClick={() => action.mutate()}
    >
      Send again
    </Button>
  )
}

const sessionName = ({ kind, name, device, isCurrent }: AdminSession) =>
  kind === 'terminal' ? `Terminal ${name ?? ''}` : `${device ?? 'A browser'}${isCurrent ? ', this browser' : ''}`

/** We only record activity for browsers, so a terminal’s is unknown. */
const seenAt = ({ kind, createdAt, lastSeenAt }: AdminSession) => lastSeenAt ?? (kind === 'browser' ? createdAt : null)

const sessions: readonly Column<AdminSession>[] = [
  { label: 'Where', kind: 'who', cell: sessionName, text: sessionName },
  { label: 'Logged in', cell: ({ createdAt }) => formatMoment(createdAt), text: ({ createdAt }) => createdAt },
  { label: 'Last seen', cell: (session) => formatMoment(seenAt(session)), text: (session) => seenAt(session) ?? '' },
]

/** Sessions are logged in now. Devices are browsers that have logged in before. */
export function SessionsSection({ record, name }: Props) {
  const [asking, ask] = useState<'log-out' | 'password' | null>(null)
  const { email } = record.member
  return (
    <>
      <ListSection
        title="Logins and devices"
        list={sessionsOf(record.member)}
        columns={sessions}
        fixedAddress={{}}
        empty={{ title: 'Not logged in anywhere', text: `${plural(record.devices, 'device')} used before.` }}
        tools={
          <>
            <Button isSmall look="line" aria-haspopup="dialog" onClick={() => ask('password')}>
              Send a password link
            </Button>
            <Button isSmall look="line" aria-haspopup="dialog" onClick={() => ask('log-out')}>
              Log out everywhere
            </Button>
          </>
        }
        actions={(session) => <SignOutButton session={session} />}
      />
      {asking === 'log-out' && <SignOutDialog email={email} name={name} onClose={() => ask(null)} />}
      {asking === 'password' && <PasswordLinkDialog record={record} name={name} onClose={() => ask(null)} />}
    </>
  )
}

function SignOutButton({ session }: { session: AdminSession }) {
  const toast = useToast()
  const action = useAdminAction({
    schema: RevokeSessionsResponse,
    send: () => api.api.admin.sessions.revoke.post({ id: session.id }),
    failure: 'We couldn’t log them out',
    done: { title: 'Logged out', description: sessionName(session) },
    onFailure: (error) =>
      toast({ title: 'We couldn’t log them out', description: messageOf(error, tryAgain), tone: 'bad' }),
  })
  return (
    <Button
      isSmall
      look="line"
      isBusy={action.isPending}
      busyLabel="Logging out…"
      aria-label={`Log out: ${sessionName(session)}, ${formatMoment(session.createdAt)}`}
      onClick={() => action.mutate()}
    >
      Log out
    </Button>
  )
}

type SignOutProps = { email: string; name: string; onClose: () => void }

function SignOutDialog({ email, name, onClose }: SignOutProps) {
  const action = useAdminAction({
    schema: RevokeSessionsResponse,
    send: () => api.api.admin.sessions.revoke.post({ email }),
    failure: 'We couldn’t log them out',
    done: ({ revoked }) => ({ title: 'Logged out everywhere', description: plural(revoked, 'login') }),
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Log ${name} out everywhere?`}
      button="Log out everywhere"
      busy="Logging out…"
      isBad
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>We’ll log {email} out on every device. They can log back in with their password.</p>
    </ActionDialog>
  )
}

/** The same as “Forgot password” does, for someone who rings. */
export function PasswordLinkDialog({ record, name, onClose }: Props & { onClose: () => void }) {
  const { email, hasPassword } = record.member
  const action = useAdminAction({
    schema: Done,
    send: () => api.api.auth['forgot-password'].post({ email }),
    failure: 'We couldn’t send the email',
    done: { title: 'Email on its way', description: email },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Send ${name} a password link?`}
      button="Send email"
      busy="Sending…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        We’ll email {email} a link to {hasPassword ? 'choose a new password' : 'choose a password'}. Until they do,
        nothing changes.
      </p>
    </ActionDialog>
  )
}

const activityOfTiers = (tierName: TierName): readonly Column<MemberActivity>[] => [
  {
    label: 'What',
    kind: 'who',
    cell: (row) => (
      <>
        {actionText(row)}
        {detailText(row, tierName) && <small>{detailText(row, tierName)}</small>}
      </>
    ),
    text: (row) => [actionText(row), detailText(row, tierName)].filter(Boolean).join(': '),
  },
  { label: 'Who', cell: byText, text: byText },
  { label: 'When', cell: ({ at }) => formatMoment(at), text: ({ at }) => at },
]

export const ActivitySection = ({ record }: Props) => (
  <ListSection
    title="Activity"
    list={activityOf(record.member)}
    columns={activityOfTiers(useTierNames())}
    fixedAddress={{}}
    empty={{ title: 'No activity yet', text: 'Everything that happens on this account shows up here.' }}
  />
)
