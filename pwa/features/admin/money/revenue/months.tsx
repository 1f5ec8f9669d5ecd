import { useQuery } from '@tanstack/react-query'
import { ListSection } from '#pwa/features/admin/list/list.tsx'
import type { Column } from '#pwa/features/admin/list/list-table.tsx'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { requestMonths, revenueMonthsQuery } from '#pwa/features/admin/queries.ts'
import { measures } from '#pwa/ui/tape.tsx'
import type { RevenueMonth, RevenueMovement } from '#shared/contract/revenue.ts'
import { formatLongDate, formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'

const movementNames: Record<RevenueMovement, string> = {
  new: 'New',
  expansion: 'Upgrades',
  contraction: 'Downgrades',
  churn_voluntary: 'Churn: cancelled',
  churn_failed_payment: 'Churn: failed payment',
  reactivation: 'Reactivations',
}

const monthName = ({ month }: RevenueMonth) => formatMonthAndYear(`${month}-15`)

const stateOf = ({ isFrozen, frozenAt }: RevenueMonth) =>
  isFrozen ? `Closed${frozenAt === null ? '' : ` on ${formatLongDate(frozenAt)}`}` : 'Open'

const pounds = (label: string, amountOf: (month: RevenueMonth) => number): Column<RevenueMonth> => ({
  label,
  kind: 'number',
  cell: (month) => formatPoundsAndPence(amountOf(month)),
  text: (month) => formatPoundsAndPence(amountOf(month)),
})

const movement = (name: RevenueMovement) => pounds(movementNames[name], ({ movements }) => movements[name])

const columns: readonly Column<RevenueMonth>[] = [
  {
    label: 'Month',
    kind: 'who',
    cell: (month) => (
      <>
        {monthName(month)}
        <small>{stateOf(month)}</small>
      </>
    ),
    text: (month) => `${month.month}, ${stateOf(month)}`,
  },
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

const list: ListDefinition<RevenueMonth> = {
  name: 'revenue-months',
  request: async () => {
    const months = (await requestMonths()).toReversed()
    return { rows: months, total: months.length, next: null }
  },
  idOf: ({ month }) => month,
  refreshMs: 5 * 60_000,
}

export const MonthsSection = () => (
  <ListSection
    title="MRR by month"
    {...{ list, columns }}
    fixedAddress={{}}
    before={<MovementsChart />}
    empty={{ title: 'No months yet' }}
  />
)

const gained = ({ movements }: RevenueMonth) => movements.new + movements.reactivation + movements.expansion
const lost = ({ movements }: RevenueMonth) =>
  -(movements.contraction + movements.churn_voluntary + movements.churn_failed_payment)

const shownMonths = 12

/** The last twelve months: gains above the line, losses below. The table has the same figures. */
function MovementsChart() {
  const { data } = useQuery(revenueMonthsQuery)
  if (!data) return null
  const months = data.slice(-shownMonths)
  const tallest = Math.max(...months.flatMap((month) => [gained(month), lost(month)]), 1)
  return (
    <figure className="movements" aria-hidden="true">
      <figcaption className="second">Gained: new, reactivations, upgrades. Lost: downgrades, churn.</figcaption>
      <div className="movements__bars">
        {months.map((month) => (
          <div key={month.month} className="movements__month">
            <Bar amount={gained(month)} tallest={tallest} sign="+" />
            <Bar amount={lost(month)} tallest={tallest} sign="−" />
            <span className="label">{monthName(month).slice(0, 3)}</span>
          </div>
        ))}
      </div>
    </figure>
  )
}

const Bar = ({ amount, tallest, sign }: { amount: number; tallest: number; sign: '+' | '−' }) => (
  <span className={sign === '+' ? 'movements__up' : 'movements__down'} style={measures({ '--v': amount / tallest })}>
    {amount > 0 && <small>{`${sign}${formatPounds(amount)}`}</small>}
  </span>
)
