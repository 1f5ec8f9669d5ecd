import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/members/member-link-section.tsx'
import { requestPageOf } from '#pwa/features/admin/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { Mrr } from '#shared/contract/revenue.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { MonthsSection } from './months-section.tsx'
import './revenue.css'

type Counted = Mrr['subscriptionDetails'][number]

const list: ListDefinition<Counted> = {
  name: 'mrr',
  request: (_address, { cursor, limit }) =>
    requestPageOf(Mrr, api.api.admin.mrr.get({ query: { cursor, limit } }), (mrr) => mrr.subscriptionDetails),
  idOf: ({ subscriptionId }) => subscriptionId,
  refreshMs: 5 * 60_000,
}

const columns: readonly Column<Counted>[] = [
  {
    label: 'Customer',
    kind: 'who',
    cell: ({ memberId, customerName }) => <MemberLink id={memberId}>{customerName}</MemberLink>,
    text: ({ customerName }) => customerName,
  },
  {
    label: 'Counts a month',
    kind: 'number',
    cell: ({ monthlyAmount }) => formatPoundsAndPence(monthlyAmount),
    text: ({ monthlyAmount }) => formatPoundsAndPence(monthlyAmount),
  },
  { label: 'Why', cell: ({ rule }) => rule, text: ({ rule }) => rule },
  {
    label: 'Subscription',
    cell: ({ subscriptionId }) => <code>{subscriptionId}</code>,
    text: ({ subscriptionId }) => subscriptionId,
  },
]

/** What comes in every month now, by which rule each subscription counts, and what changed it month by month. */
export default function RevenueSection() {
  return (
    <>
      <MonthsSection />
      <ListSection
        title="What counts now"
        {...{ list, columns }}
        fixedAddress={{}}
        before={
          <p className="panel__note">
            Without VAT, after discounts that go on. A yearly price counts as a twelfth. A membership that has ended is
            not listed.
          </p>
        }
        empty={{
          title: 'No memberships yet',
          text: 'Each membership shows up here, with the rule that counts it or leaves it out.',
        }}
      />
    </>
  )
}
