import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AdminSkeleton } from '#pwa/features/admin/admin-skeleton.tsx'
import { menuPlaces } from '#pwa/features/admin/frame/places.ts'
import { Notes } from '#pwa/features/admin/inbox/notes-section.tsx'
import { ListState } from '#pwa/features/admin/list/list-section.tsx'
import { AccessDialog } from '#pwa/features/admin/members/access-dialog.tsx'
import { memberName } from '#pwa/features/admin/members/member-texts.ts'
import { RemoveDialog } from '#pwa/features/admin/members/remove-dialog.tsx'
import { OfficeTools } from '#pwa/features/admin/menu/office-tools-section.tsx'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Tape } from '#pwa/ui/tape.tsx'
import type { MemberRecord } from '#shared/contract/member-record.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { ActivitySection, CallsSection, MailsSection, SessionsSection } from './lists-section.tsx'
import { stateText } from './member-page-texts.ts'
import { PaymentsSection } from './payments-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { memberRecordQuery } from './queries.ts'
import { SubscriptionSection } from './subscription-section.tsx'
import '#pwa/features/admin/frame/admin.css'
import '#pwa/features/admin/inbox/inbox.css'
import './member-page.css'

/** One member: everything that is known, and everything that an owner does for them. */
export default function MemberPageSection({ memberId }: { memberId: string }) {
  const query = useQuery(memberRecordQuery(memberId))
  const { data, error, isFetching, refetch } = query
  if (data) return <MemberPage record={data} state={<ListState {...query} />} />
  if (error === null) return <AdminSkeleton />
  const isMissing = error instanceof RequestError && error.status === 404
  return (
    <div className="wrap">
      <h1 className="vh">Member</h1>
      {isMissing ? (
        <EmptyState level={2} title="Member Not Found" action={<ButtonLink to="/admin">Back to Admin</ButtonLink>}>
          Nobody has this address, or they were removed.
        </EmptyState>
      ) : (
        <EmptyState
          level={2}
          title="This member could not be loaded"
          action={
            <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
              Retry
            </Button>
          }
        >
          {messageOf(error, 'The site did not answer. Please try again in a minute.')}
        </EmptyState>
      )}
    </div>
  )
}

function MemberPage({ record, state }: { record: MemberRecord; state: React.ReactNode }) {
  const { member } = record
  const name = memberName(member)
  return (
    <>
      <Head record={record} name={name} />
      <div className="wrap person">
        {state}
        <div className="person__main">
          <SubscriptionSection record={record} name={name} />
          <PaymentsSection record={record} name={name} />
          <section className="sheet person__part" aria-label="Notes">
            <Notes about={{ kind: 'members', id: member.id, email: member.email }} />
          </section>
          <section className="sheet" aria-label="Mails">
            <MailsSection record={record} name={name} />
          </section>
        </div>
        <div className="person__side">
          <ProfileSection record={record} />
          <Progress record={record} />
          <section className="sheet" aria-label="Calls">
            <CallsSection record={record} name={name} />
          </section>
          <section className="sheet" aria-label="Sign-ins and devices">
            <SessionsSection record={record} name={name} />
          </section>
        </div>
        <section className="sheet person__whole" aria-label="Activity">
          <ActivitySection record={record} name={name} />
        </section>
      </div>
    </>
  )
}

type Props = { record: MemberRecord; name: string }

function Head({ record, name }: Props) {
  const [open, setOpen] = useState<'access' | 'remove' | null>(null)
  const { member, billing, lastSeenAt } = record
  const close = () => setOpen(null)
  return (
    <div className="office">
      <div className="wrap">
        <div>
          <p className="label">Office copy</p>
          <h1>{name}</h1>
          <p className="person__who">
            <TextAnchor isTap href={`mailto:${member.email}`}>
              {member.email}
            </TextAnchor>
            {member.phone && (
              <TextAnchor isTap href={`tel:${member.phone.replace(/[^\d+]/g, '')}`}>
                {member.phone}
              </TextAnchor>
            )}
            <Badge tone={toneOf(record)}>{stateText(billing)}</Badge>
            {billing.isRevoked && <Badge tone="bad">Access revoked</Badge>}
            <span>Joined {formatLongDate(member.createdAt)}</span>
            <span>{lastSeenAt === null ? 'Never seen' : `Last seen ${formatLongDate(lastSeenAt)}`}</span>
          </p>
        </div>
        {!member.isAdmin && (
          <>
            <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setOpen('access')}>
              {member.isMember ? 'Revoke access' : 'Restore access'}
            </Button>
            <Button isSmall look="bad" aria-haspopup="dialog" onClick={() => setOpen('remove')}>
              Remove
            </Button>
          </>
        )}
        <OfficeTools places={menuPlaces} />
        <ButtonLink to="/admin" icon="back" look="line" isSmall>
          Back to Admin
        </ButtonLink>
      </div>
      {open === 'access' && <AccessDialog member={member} onClose={close} />}
      {open === 'remove' && <RemoveDialog member={member} onClose={close} />}
    </div>
  )
}

const toneOf = ({ member, billing }: MemberRecord) =>
  billing.openInvoice === null ? (member.isMember ? 'ok' : 'plain') : 'bad'

const Progress = ({ record: { member } }: { record: MemberRecord }) => (
  <section className="sheet person__part" aria-label="Progress">
    <div className="person__top">
      <h2>Progress</h2>
      <ButtonLink to="/view-member/$memberId" params={{ memberId: member.id }} look="line" isSmall icon="eye">
        What they have watched
      </ButtonLink>
    </div>
    <p>
      <b>
        {member.videosCompleted} of {member.videosAvailable}
      </b>{' '}
      videos completed
      {member.lastProgressAt && `, last on ${formatLongDate(member.lastProgressAt)}`}.
    </p>
    {member.videosAvailable > 0 && (
      <Tape label="Progress" value={member.videosCompleted} max={member.videosAvailable} major={10} minor={1} />
    )}
  </section>
)
