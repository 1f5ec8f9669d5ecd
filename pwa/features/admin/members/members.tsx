import { useState } from 'react'
import * as v from 'valibot'
import { useAddressedDialog } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import type { Chosen, ListAddress, ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { InvoiceFixDialog } from '#pwa/features/admin/kit/members/invoice-fix-dialog.tsx'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { personColumnTexts } from '#pwa/features/admin/kit/members/member-texts.ts'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { AdminMember, AdminMemberQuery } from '#shared/contract/members.ts'
import { formatLongDate, formatMonthAndYear } from '#shared/rules/london.ts'
import { listedMemberState } from '#shared/rules/member-state.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { BulkMembers } from './bulk-members.tsx'
import { InvitationsLink, OpenInvitations } from './invite/invitations.tsx'
import { InviteDialog } from './invite/invite-dialog.tsx'
import { MemberChips } from './member-chips.tsx'
import { ChosenDialog, type MemberChoice, MemberMenu } from './member-menu.tsx'

const list: ListDefinition<AdminMember> = {
  isOfPeople: true,
  name: 'members',
  request: (address, { cursor, limit }) =>
    requestListPage(AdminMember, api.api.admin.members.get({ query: { ...readAddress(address), cursor, limit } })),
  idOf: ({ id }) => id,
  refreshMs: 5 * 60_000,
}

const MemberAddress = v.omit(AdminMemberQuery, ['limit', 'cursor'])

/** By default, everyone with access. A search or an invalid address covers everyone. */
function readAddress({ show, ...address }: ListAddress): v.InferOutput<typeof MemberAddress> {
  const wanted = show ?? (address.q === undefined ? 'with-access' : undefined)
  const read = v.safeParse(MemberAddress, { ...address, ...(wanted !== undefined && { show: wanted }) })
  return read.success ? read.output : {}
}

/** How people stand is above the list as chips. */
const filters = [
  ['', 'More filters'],
  ['without-access', 'Without access'],
  ['no-password', 'No password yet'],
  ['mail-refused', 'Email refused'],
  ['at-risk', 'At risk'],
] as const

const noneTexts = {
  'payment-due': 'No one’s behind with a payment',
  ending: 'No one with access has cancelled',
  revoked: 'No one’s access is revoked',
  'at-risk': 'No one’s at risk of leaving',
  'mail-refused': 'No one’s email is refused',
}

const flagsOf = ({ mailRefused, hasPassword, isAdmin }: AdminMember): string[] => [
  ...(mailRefused === null ? [] : ['Email refused']),
  ...(hasPassword || isAdmin ? [] : ['No password yet']),
]

const tierOf = ({ tierName }: AdminMember) => tierName ?? ''
const sinceOf = ({ membershipStartDate }: AdminMember) =>
  membershipStartDate ? formatMonthAndYear(membershipStartDate) : ''
const dayOf = (at: string | null) => (at === null ? '' : formatLongDate(at))

const columns: readonly Column<AdminMember>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: (member) => <MemberLink id={member.id}>{nameOrEmail(member)}</MemberLink>,
    text: personColumnTexts((member) => ({ ...member, name: nameOrEmail(member) })),
  },
  { label: 'Trade', isWideOnly: true, dropOrder: 1, cell: ({ trade }) => trade, text: ({ trade }) => trade ?? '' },
  { label: 'Tier', cell: tierOf, text: tierOf },
  { label: 'Member since', isWideOnly: true, sort: 'joined', kind: 'date', dropOrder: 3, cell: sinceOf, text: sinceOf },
  {
    label: 'Renews',
    isWideOnly: true,
    kind: 'date',
    cell: ({ nextBillingOn }) => dayOf(nextBillingOn),
    text: ({ nextBillingOn }) => nextBillingOn ?? '',
  },
  {
    label: 'Last seen',
    isWideOnly: true,
    sort: 'seen',
    kind: 'date',
    cell: ({ lastSeenAt }) => dayOf(lastSeenAt),
    text: ({ lastSeenAt }) => lastSeenAt ?? '',
  },
  {
    label: 'Videos',
    isWideOnly: true,
    sort: 'videos',
    kind: 'number',
    dropOrder: 2,
    cell: ({ videosCompleted }) => videosCompleted,
    text: ({ videosCompleted }) => String(videosCompleted),
  },
  {
    label: 'State',
    cell: (member) => {
      const { tone, text } = listedMemberState(member)
      return (
        <span className="badges">
          <Badge tone={tone}>{text}</Badge>
          {flagsOf(member).map((flag) => (
            <Badge key={flag} tone="open">
              {flag}
            </Badge>
          ))}
        </span>
      )
    },
    text: (member) => [listedMemberState(member).text, ...flagsOf(member)].join('; '),
  },
]

const bulk = { nameOf: nameOrEmail, actions: (chosen: Chosen<AdminMember>) => <BulkMembers chosen={chosen} /> }

/** Owners’ rows have neither Revoke nor Remove. */
export default function MembersSection() {
  const [open, setOpen] = useState<MemberChoice | null>(null)
  const [isFixing, setFixing] = useState(false)
  const invite = useAddressedDialog()
  const close = () => setOpen(null)
  return (
    <>
      <ListSection
        title="Members (Active)"
        list={list}
        columns={columns}
        filters={filters}
        bulk={bulk}
        before={
          <>
            <MemberChips />
            <InvitationsLink />
          </>
        }
        everything={{ show: 'all' }}
        searchLabel="Find a member"
        defaultSort="-joined"
        empty={{ title: 'No members yet', text: 'Anyone who joins shows up here.' }}
        noneTexts={noneTexts}
        tools={
          <>
            <Button isSmall icon="mail" aria-haspopup="dialog" onClick={invite.open}>
              Invite
            </Button>
            <ButtonLink look="line" isSmall to="/admin/$place" params={{ place: 'mailings' }} search={{ open: '1' }}>
              Email everyone
            </ButtonLink>
            <Button look="line" isSmall icon="receipt" aria-haspopup="dialog" onClick={() => setFixing(true)}>
              Fix invoices
            </Button>
          </>
        }
        actions={(member) => !member.isAdmin && <MemberMenu member={member} onChoose={setOpen} />}
      />
      {open && <ChosenDialog {...open} onClose={close} />}
      <OpenInvitations />
      {invite.isOpen && <InviteDialog onClose={invite.close} />}
      {isFixing && <InvoiceFixDialog onClose={() => setFixing(false)} />}
    </>
  )
}
