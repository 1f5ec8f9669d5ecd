import * as v from 'valibot'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { InactiveMember, InactiveMemberQuery } from '#shared/contract/commission.ts'
import { clawbackText } from '#shared/rules/commission.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

const InactiveAddress = v.omit(InactiveMemberQuery, ['limit', 'cursor'])

const list: ListDefinition<InactiveMember> = {
  isOfPeople: true,
  name: 'inactive-members',
  request: (address, page) => {
    const read = v.safeParse(InactiveAddress, address)
    const query = { ...(read.success ? read.output : {}), ...page }
    return requestListPage(InactiveMember, api.api.admin['inactive-members'].get({ query }))
  },
  idOf: ({ id }) => id,
  refreshMs: 5 * 60_000,
}

type Payment = InactiveMember['commissionPayments'][number]

const lineOf = (payment: Payment) =>
  `${formatMonthAndYear(`${payment.paymentMonth}-15`)}: ${formatPoundsAndPence(payment.membershipAmount)}, commission ${formatPoundsAndPence(payment.commissionAmount)} ${payment.commissionPaid ? 'paid' : (clawbackText(payment) ?? 'unpaid')}`

const columns: readonly Column<InactiveMember>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: (member) => (
      <>
        <MemberLink id={member.id}>{nameOrEmail(member)}</MemberLink>
        <small>{member.email}</small>
      </>
    ),
    text: (member) => `${nameOrEmail(member)} <${member.email}>`,
  },
  {
    label: 'Months paid',
    cell: ({ commissionPayments }) => (
      <ul className="plain">
        {commissionPayments.map((payment) => (
          <li key={payment.paymentMonth}>{lineOf(payment)}</li>
        ))}
      </ul>
    ),
    text: ({ commissionPayments }) => commissionPayments.map(lineOf).join('; '),
  },
]

/** Members who have paid before and have no access now. */
export default function InactiveSection() {
  return (
    <ListSection
      title="Inactive members"
      list={list}
      columns={columns}
      searchLabel="Find a former member"
      defaultSort="joined"
      empty={{ title: 'No one has left', text: 'Anyone who’s paid before and has no access now shows up here.' }}
    />
  )
}
