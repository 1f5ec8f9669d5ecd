import { useQuery } from '@tanstack/react-query'
import { CommissionForecast } from '#pwa/features/admin/frame/revenue-card-section.tsx'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/members/member-link-section.tsx'
import { mrrQuery, requestPageOf } from '#pwa/features/admin/queries.ts'
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
    label: 'Counted a month',
    kind: 'number',
    cell: ({ monthlyAmount }) => formatPoundsAndPence(monthlyAmount),
    text: ({ monthlyAmount }) => formatPoundsAndPence(monthlyAmount),
  },
  { label: 'Why', cell: ({ rule }) => rule, text: ({ rule }) => rule },
]

/** What comes in every month now, by which rule each subscription counts, and what changed it month by month. */
export default function RevenueSection() {
  return (
    <>
      <MonthsSection />
      <ForecastSection />
      <ListSection
        title="What counts now"
        {...{ list, columns }}
        fixedAddress={{}}
        before={
          <p className="panel__note">
            Without VAT, after any lasting discount. A yearly price counts as one twelfth. Memberships that have ended
            are not listed.
          </p>
        }
        empty={{
          title: 'No memberships yet',
          text: 'Each membership shows up here, with why it counts or not.',
        }}
      />
    </>
  )
}

/** In the frame's card too, where that has room for it. */
function ForecastSection() {
  const { data } = useQuery(mrrQuery)
  return (
    data && (
      <section aria-label="Commission forecast">
        <div className="panel__top">
          <h2>Commission forecast</h2>
        </div>
        <CommissionForecast commission={data.commission} />
      </section>
    )
  )
}
