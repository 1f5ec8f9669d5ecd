import { useState } from 'react'
import { actionText, byText } from '#pwa/features/admin/audit/audit-texts.ts'
import { detailText } from '#pwa/features/admin/audit/detail-texts.ts'
import { callOf, statusLabels } from '#pwa/features/admin/inbox/inbox-texts.ts'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import { mailStatusLabels, mailTones, momentOf } from '#pwa/features/admin/system/system-texts.ts'
import { type TierName, useTierNames } from '#pwa/features/admin/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { AdminBooking } from '#shared/contract/inbox-entries.ts'
import { AdminMail } from '#shared/contract/mail.ts'
import type { MemberActivity, MemberRecord } from '#shared/contract/member-record.ts'
import { type AdminSession, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { plural } from '#shared/rules/plural.ts'
import { ActionDialog } from './dialogs/action-dialog.tsx'
import { activityOf, callsOf, mailsOf, sessionsOf } from './queries.ts'

type Props = { record: MemberRecord; name: string }

const calls: readonly Column<AdminBooking>[] = [
  { label: 'Call', kind: 'who', cell: callOf, text: callOf },
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
    empty={{ title: 'No calls', text: 'Calls this member books show up here.' }}
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
  { label: 'Written', cell: ({ createdAt }) => momentOf(createdAt), text: ({ createdAt }) => createdAt },
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
    empty={{ title: 'No emails', text: 'Emails from the site to this member show up here.' }}
    actions={(mail) => mail.canResend && <ResendButton mail={mail} />}
  />
)

const tryAgain = 'The site did not answer. Please try again in a minute.'

function ResendButton({ mail }: { mail: AdminMail }) {
  const toast = useToast()
  const action = useAdminAction({
    schema: AdminMail,
    send: () => api.api.admin.mail({ mailId: mail.id }).resend.post(),
    failure: 'The email could not be sent again',
    done: ({ to }) => ({ title: 'Email sent again', description: to }),
    onFailure: (error) =>
      toast({ title: 'The email could not be sent again', description: messageOf(error, tryAgain), tone: 'bad' }),
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

/** A member who logs in with a browser is seen there; of a terminal nothing is known. */
const seenAt = ({ kind, createdAt, lastSeenAt }: AdminSession) => lastSeenAt ?? (kind === 'browser' ? createdAt : null)

const sessions: readonly Column<AdminSession>[] = [
  { label: 'Where', kind: 'who', cell: sessionName, text: sessionName },
  { label: 'Signed in', cell: ({ createdAt }) => momentOf(createdAt), text: ({ createdAt }) => createdAt },
  { label: 'Last seen', cell: (session) => momentOf(seenAt(session)), text: (session) => seenAt(session) ?? '' },
]

/** Where the member is signed in now; devices are browsers that have signed in before. */
export function SessionsSection({ record, name }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { email } = record.member
  return (
    <>
      <ListSection
        title="Sign-ins and devices"
        list={sessionsOf(record.member)}
        columns={sessions}
        fixedAddress={{}}
        empty={{ title: 'Not signed in anywhere', text: `${plural(record.devices, 'device')} used before.` }}
        tools={
          <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            Sign out everywhere
          </Button>
        }
        actions={(session) => <SignOutButton session={session} />}
      />
      {isAsking && <SignOutDialog {...{ email, name, devices: record.devices }} onClose={() => setAsking(false)} />}
    </>
  )
}

function SignOutButton({ session }: { session: AdminSession }) {
  const toast = useToast()
  const action = useAdminAction({
    schema: RevokeSessionsResponse,
    send: () => api.api.admin.sessions.revoke.post({ id: session.id }),
    failure: 'Could not sign them out',
    done: { title: 'Signed out', description: sessionName(session) },
    onFailure: (error) =>
      toast({ title: 'Could not sign them out', description: messageOf(error, tryAgain), tone: 'bad' }),
  })
  return (
    <Button
      isSmall
      look="line"
      isBusy={action.isPending}
      busyLabel="Signing out…"
      aria-label={`Sign out: ${sessionName(session)} of ${momentOf(session.createdAt)}`}
      onClick={() => action.mutate()}
    >
      Sign out
    </Button>
  )
}

type SignOutProps = { email: string; name: string; devices: number; onClose: () => void }

function SignOutDialog({ email, name, devices, onClose }: SignOutProps) {
  const action = useAdminAction({
    schema: RevokeSessionsResponse,
    send: () => api.api.admin.sessions.revoke.post({ email }),
    failure: 'Could not sign them out',
    done: ({ revoked }) => ({ title: 'Signed out everywhere', description: plural(revoked, 'login') }),
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Sign ${name} out everywhere?`}
      button="Sign out everywhere"
      busy="Signing out…"
      isBad
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>
        {email} is logged out on every device, and {plural(devices, 'device')} they have used before will be treated as
        new. They log in again with their password. Payments are not touched.
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
  { label: 'When', cell: ({ at }) => momentOf(at), text: ({ at }) => at },
]

export const ActivitySection = ({ record }: Props) => (
  <ListSection
    title="Activity"
    list={activityOf(record.member)}
    columns={activityOfTiers(useTierNames())}
    fixedAddress={{}}
    empty={{ title: 'Nothing yet', text: 'Everything that happens to this account shows up here.' }}
  />
)
