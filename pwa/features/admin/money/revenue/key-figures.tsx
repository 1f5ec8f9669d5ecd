import { useQuery } from '@tanstack/react-query'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { revenueMonthsQuery } from '#pwa/features/admin/kit/queries.ts'
import type { RevenueMonth } from '#shared/contract/revenue.ts'
import { mrrDefinitions, mrrFigureTexts, mrrLines } from '#shared/rules/mrr-figures.ts'
import { monthColumn } from './months.tsx'

const figure = (name: keyof typeof mrrFigureTexts): Column<RevenueMonth> => {
  const text = mrrFigureTexts[name]
  return { label: mrrDefinitions[name].name, kind: 'number', cell: text, text }
}

const columns = [
  monthColumn,
  figure('netChange'),
  figure('memberChurn'),
  figure('revenueChurn'),
  figure('trialConversion'),
  figure('averageRevenue'),
]

export function KeyFiguresSection() {
  const query = useQuery(revenueMonthsQuery)
  // The section above says what went wrong.
  if (query.data === undefined && query.error !== null) return null
  return (
    <ShortList
      title="Key figures"
      name="key-figures"
      query={{ ...query, error: null, data: query.data?.toReversed() }}
      columns={columns}
      idOf={({ month }) => month}
      chart={query.data && <Figures months={query.data} />}
    />
  )
}

/** Each with its formula, so that owners know what it counts before they decide by it. */
const Figures = ({ months }: { months: readonly RevenueMonth[] }) => (
  <dl className="figures">
    {mrrLines(months).map(({ figure, value, note }) => (
      <div key={figure}>
        <dt>{mrrDefinitions[figure].name}</dt>
        <dd className="fig">{value}</dd>
        <dd>{note}</dd>
        <dd className="second">{mrrDefinitions[figure].formula}</dd>
      </div>
    ))}
  </dl>
)
