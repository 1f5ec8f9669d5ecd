import { useQuery } from '@tanstack/react-query'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { mrrQuery, requestPageOf } from '#pwa/features/admin/kit/queries.ts'
import { RetentionSection } from '#pwa/features/admin/kit/retention.tsx'
import { CommissionForecast } from '#pwa/features/admin/kit/revenue-card.tsx'
import { api } from '#pwa/lib/api.ts'
import { Mrr } from '#shared/contract/revenue.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { KeyFiguresSection } from './key-figures.tsx'
import { MonthsSection } from './months.tsx'
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
    label: 'MRR',
    kind: 'number',
    cell: ({ monthlyAmount }) => formatPoundsAndPence(monthlyAmount),
    text: ({ monthlyAmount }) => formatPoundsAndPence(monthlyAmount),
  },
  { label: 'Status', cell: ({ rule }) => rule, text: ({ rule }) => rule },
]

export default function RevenueSection() {
  return (
    <>
      <MonthsSection />
      <KeyFiguresSection />
      <RetentionSection />
      <ForecastSection />
      <ListSection
        title="MRR by subscription"
        list={list}
        columns={columns}
        fixedAddress={{}}
        before={
          <p className="panel__note">
            Without VAT, after ongoing discounts. A yearly price counts as a twelfth each month. Ended subscriptions
            aren’t listed.
          </p>
        }
        empty={{
          title: 'No subscriptions yet',
          text: 'Each subscription shows up here, with what it adds to MRR.',
        }}
      />
    </>
  )
}

/** The card above the tabs has it too, where there’s room. */
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
