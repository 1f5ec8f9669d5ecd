import { useState } from 'react'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { CardLinkDialog } from '#pwa/features/admin/kit/members/link-dialog.tsx'
import { MemberWho } from '#pwa/features/admin/kit/members/member-link.tsx'
import { cardAskedText, personColumnTexts } from '#pwa/features/admin/kit/members/member-texts.ts'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { type MemberAtRisk, riskReasons } from '#shared/contract/risk.ts'
import { formatLongDate, formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { mailLink, reasonNames } from './engagement-texts.ts'
import { atRiskList } from './queries.ts'
import './engagement.css'

const filters = [
  ['', 'Everyone at risk'] as const,
  ...riskReasons.map((reason) => [reason, reasonNames[reason]] as const),
]

function detailsOf({ reasons, due, cardWorksUntil }: MemberAtRisk): string[] {
  return reasons.map((reason) => {
    if (reason === 'payment' && due > 0) return `${reasonNames.payment}: ${formatPoundsAndPence(due)} due`
    if (reason === 'card' && cardWorksUntil !== null)
      return `${reasonNames.card}: works until the end of ${formatMonthAndYear(`${cardWorksUntil}-15`)}`
    if (reason === 'card') return 'No card saved'
    return reasonNames[reason]
  })
}

const columns: readonly Column<MemberAtRisk>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: (member) => <MemberWho {...member} name={nameOrEmail(member)} />,
    text: personColumnTexts((member) => ({ ...member, name: nameOrEmail(member) })),
  },
  {
    label: 'Why',
    sort: 'risk',
    cell: (member) => (
      <div>
        <span className="badges">
          {detailsOf(member).map((detail, at) => (
            <Badge key={detail} tone={member.reasons[at] === 'payment' ? 'bad' : 'open'}>
              {detail}
            </Badge>
          ))}
        </span>
        {member.askedAt && <small>{cardAskedText(member.askedAt)}</small>}
      </div>
    ),
    text: (member) =>
      [...detailsOf(member), member.askedAt && cardAskedText(member.askedAt)].filter(Boolean).join('; '),
  },
  {
    label: 'Last video',
    kind: 'date',
    cell: ({ lastProgressOn }) => (lastProgressOn === null ? 'None yet' : formatLongDate(lastProgressOn)),
    text: ({ lastProgressOn }) => lastProgressOn ?? '',
  },
  { label: 'Tier', dropOrder: 1, cell: ({ tierName }) => tierName, text: ({ tierName }) => tierName ?? '' },
]

/** The most urgent first. */
export default function AtRiskSection() {
  const [asked, setAsked] = useState<MemberAtRisk | null>(null)
  return (
    <>
      <ListSection
        title="Members at risk"
        list={atRiskList}
        columns={columns}
        filters={filters}
        searchLabel="Find a member"
        defaultSort="-risk"
        before={
          <p className="panel__note">
            Members who’ve cancelled are in another list.{' '}
            <PlaceLink place="members" search={{ show: 'ending' }}>
              See who’s ending
            </PlaceLink>
          </p>
        }
        empty={{
          title: 'No one at risk',
          text: 'Every member has paid, is watching videos and has used their call.',
        }}
        actions={(member) => <Steps member={member} onCardLink={() => setAsked(member)} />}
      />
      {asked && <CardLinkDialog record={{ member: asked }} name={nameOrEmail(asked)} onClose={() => setAsked(null)} />}
    </>
  )
}

function Steps({ member, onCardLink }: { member: MemberAtRisk; onCardLink: () => void }) {
  const { email, firstName, reasons } = member
  const [first = 'quiet'] = reasons
  const name = nameOrEmail(member)
  return (
    <>
      {(reasons.includes('payment') || reasons.includes('card')) && (
        <Button
          look="line"
          isSmall
          aria-haspopup="dialog"
          aria-label={`Ask for a new card: ${name}`}
          onClick={onCardLink}
        >
          Ask for a new card
        </Button>
      )}
      {reasons.includes('call') && (
        <ButtonLink
          look="line"
          isSmall
          to="/admin/$place"
          params={{ place: 'bookings' }}
          search={{ q: email }}
          aria-label={`${name}’s calls`}
        >
          Calls
        </ButtonLink>
      )}
      <ButtonAnchor
        look="line"
        isSmall
        href={mailLink({ email, firstName, reason: first })}
        aria-label={`Email ${name}`}
      >
        Email
      </ButtonAnchor>
    </>
  )
}
