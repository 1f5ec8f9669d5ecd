import { useQuery } from '@tanstack/react-query'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { revenueMonthsQuery } from '#pwa/features/admin/kit/queries.ts'
import { ColumnsChart, LineChart } from '#pwa/ui/chart.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import type { RevenueMonth, RevenueMovement } from '#shared/contract/revenue.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'
import { changeSentence, monthName, mrrMovements, mrrSentence } from '#shared/rules/mrr-figures.ts'

const movementNames: Record<RevenueMovement, string> = {
  new: 'New',
  expansion: 'Upgrades',
  contraction: 'Downgrades',
  churn_voluntary: 'Churn: cancelled',
  churn_failed_payment: 'Churn: failed payment',
  reactivation: 'Reactivations',
}

function stateOf({ isFrozen: isClosed, frozenAt: closedAt, fromStripe }: RevenueMonth): string {
  const state = isClosed ? `Closed${closedAt === null ? '' : ` on ${formatLongDate(closedAt)}`}` : 'Open'
  return fromStripe === undefined ? state : `${state}. ${formatPoundsAndPence(fromStripe)} by Stripe’s records`
}

const pounds = (label: string, amountOf: (month: RevenueMonth) => number): Column<RevenueMonth> => ({
  label,
  kind: 'number',
  cell: (month) => formatPoundsAndPence(amountOf(month)),
  text: (month) => formatPoundsAndPence(amountOf(month)),
})

const movement = (name: RevenueMovement) => pounds(movementNames[name], ({ movements }) => movements[name])

export const monthColumn: Column<RevenueMonth> = {
  label: 'Month',
  kind: 'who',
  cell: (month) => (
    <>
      {monthName(month.month)}
      <small>{stateOf(month)}</small>
    </>
  ),
  text: (month) => `${month.month}, ${stateOf(month)}`,
}

const columns: readonly Column<RevenueMonth>[] = [
  monthColumn,
  pounds('Opening MRR', ({ opening }) => opening),
  movement('new'),
  movement('reactivation'),
  movement('expansion'),
  movement('contraction'),
  movement('churn_voluntary'),
  movement('churn_failed_payment'),
  pounds('Closing MRR', ({ closing }) => closing),
  {
    label: 'Paying',
    kind: 'number',
    cell: ({ payingCustomers }) => payingCustomers,
    text: ({ payingCustomers }) => String(payingCustomers),
  },
]

type Span = (typeof spans)[number]

const spans = ['12', '24'] as const

export function MonthsSection() {
  const { address, change } = useListAddress()
  const span: Span = address.show === '24' ? '24' : '12'
  const query = useQuery(revenueMonthsQuery)
  const shown = query.data?.slice(-Number(span))
  return (
    <ShortList
      title="MRR by month"
      name="revenue-months"
      query={{ ...query, data: query.data?.toReversed() }}
      columns={columns}
      idOf={({ month }) => month}
      tools={
        <SelectField label="Show" value={span} onChange={({ target }) => change({ show: target.value })}>
          {spans.map((months) => (
            <option key={months} value={months}>
              Last {months} months
            </option>
          ))}
        </SelectField>
      }
      chart={shown && <MonthCharts months={shown} />}
      empty={{ title: 'No months yet', text: 'Each month shows up here once someone pays.' }}
    />
  )
}

function MonthCharts({ months }: { months: readonly RevenueMonth[] }) {
  return (
    <>
      <LineChart
        name="MRR by month"
        sentence={mrrSentence(months)}
        points={months.map(({ month, closing }) => ({ label: monthName(month), value: closing }))}
        format={formatPounds}
      />
      <ColumnsChart
        name="Changes by month"
        sentence={changeSentence(months)}
        labels={months.map(({ month }) => monthName(month))}
        series={mrrMovements.map(({ name, of }) => ({ name, values: months.map(of) }))}
        format={formatPounds}
      />
    </>
  )
}
