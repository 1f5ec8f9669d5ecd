import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AdminSkeleton } from '#pwa/features/admin/kit/admin-skeleton.tsx'
import { MemberCommitments } from '#pwa/features/admin/kit/commitments/member-commitments.tsx'
import { useAddressedPart } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import { Notes } from '#pwa/features/admin/kit/inbox/notes.tsx'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { billingStateFacts } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { memberRecordQuery } from '#pwa/features/admin/kit/members/record-queries.ts'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
import { JoinedOn, MemberHead, MissingMember } from '#pwa/features/admin/members/member-head.tsx'
import { ChosenDialog, type MemberChoice, MemberMenu } from '#pwa/features/admin/members/member-menu.tsx'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Tape } from '#pwa/ui/tape.tsx'
import type { MemberRecord } from '#shared/contract/member-record.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { memberState } from '#shared/rules/member-state.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { AskedDialog } from './asked.tsx'
import { CreditsSection } from './credits.tsx'
import { PhotoDialog } from './dialogs/photo-dialog.tsx'
import { ActivitySection, CallsSection, MailsSection, QuestionsSection, SessionsSection } from './lists.tsx'
import { PaymentsSection } from './payments.tsx'
import { ProfileSection } from './profile.tsx'
import { StripeAddress } from './stripe-address.tsx'
import { SubscriptionSection } from './subscription.tsx'
import '#pwa/features/admin/kit/admin.css'
import '#pwa/features/admin/kit/inbox/inbox.css'
import '#pwa/features/admin/kit/members/member-page.css'

export default function MemberPageSection({ memberId }: { memberId: string }) {
  const query = useQuery(memberRecordQuery(memberId))
  const { data, error } = query
  if (data) return <MemberPage record={data} state={<ListState {...query} />} />
  return error === null ? <AdminSkeleton /> : <MissingMember title="Member" {...query} error={error} />
}

function MemberPage({ record, state }: { record: MemberRecord; state: React.ReactNode }) {
  const { member } = record
  const name = nameOrEmail(member)
  const note = useAddressedPart('note')
  return (
    <>
      <Head record={record} name={name} />
      <div className="wrap person">
        {state}
        <StripeAddress record={record} name={name} />
        <AskedDialog record={record} name={name} />
        <div className="person__main">
          <SubscriptionSection record={record} name={name} />
          <CreditsSection record={record} name={name} />
          <PaymentsSection record={record} name={name} />
          <section ref={note.part} className="sheet person__part" aria-label="Notes">
            <Notes about={{ kind: 'members', id: member.id, email: member.email }} isNoteOpen={note.isOpen} />
          </section>
          <div className="sheet">
            <QuestionsSection record={record} name={name} />
          </div>
          <div className="sheet">
            <MailsSection record={record} name={name} />
          </div>
        </div>
        <div className="person__side">
          <ProfileSection record={record} />
          <Progress record={record} />
          {!member.isAdmin && (
            <section className="sheet person__part" aria-label="What they said they’d do">
              <h2>What they said they’d do</h2>
              <MemberCommitments memberId={member.id} name={name} />
            </section>
          )}
          <div className="sheet">
            <CallsSection record={record} name={name} />
          </div>
          <div className="sheet">
            <SessionsSection record={record} name={name} />
          </div>
        </div>
        <div className="sheet person__whole">
          <ActivitySection record={record} name={name} />
        </div>
      </div>
    </>
  )
}

type Props = { record: MemberRecord; name: string }

function Head({ record, name }: Props) {
  const [chosen, setChosen] = useState<MemberChoice | null>(null)
  const [isPhotoOpen, setPhotoOpen] = useState(false)
  const { member } = record
  return (
    <MemberHead title={name} photo={member.photo} who={<Who record={record} />}>
      {member.photo && (
        <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setPhotoOpen(true)}>
          Remove photo
        </Button>
      )}
      {!member.isAdmin && <MemberMenu member={member} onChoose={setChosen} />}
      {chosen && <ChosenDialog {...chosen} onClose={() => setChosen(null)} />}
      {isPhotoOpen && member.photo && (
        <PhotoDialog member={member} photo={member.photo} onClose={() => setPhotoOpen(false)} />
      )}
    </MemberHead>
  )
}

function Who({ record }: Pick<Props, 'record'>) {
  const { member, billing, lastSeenAt } = record
  const state = memberState(billingStateFacts(billing))
  return (
    <p className="person__who">
      <TextAnchor isTap href={`mailto:${member.email}`}>
        {member.email}
      </TextAnchor>
      {member.phone && <PhoneLink isTap phone={member.phone} />}
      <Badge tone={state.tone}>{state.text}</Badge>
      <JoinedOn member={member} />
      <span>{lastSeenAt === null ? 'Hasn’t logged in yet' : `Last seen ${formatLongDate(lastSeenAt)}`}</span>
    </p>
  )
}

const Progress = ({ record: { member } }: { record: MemberRecord }) => (
  <section className="sheet person__part" aria-label="Progress">
    <div className="person__top">
      <h2>Progress</h2>
      <ButtonLink to="/view-member/$memberId" params={{ memberId: member.id }} look="line" isSmall icon="eye">
        What they’ve watched
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
