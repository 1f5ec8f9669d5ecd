import { useQuery } from '@tanstack/react-query'
import { Button } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Table } from '#pwa/ui/table.tsx'
import type { Mrr } from '#shared/contract/revenue.ts'
import { londonClock } from '#shared/rules/london.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'
import { mrrQuery } from './queries.ts'

export function RevenueCard() {
  const { data, error, isFetching, refetch } = useQuery(mrrQuery)
  return (
    <section className="sheet mrr" aria-labelledby="mrr">
      <div className="board__top">
        <h2 className="label" id="mrr">
          Monthly recurring revenue
        </h2>
        {data && (
          <span className="label">
            {data.activeSubscriptions} active · {londonClock(data.lastUpdated)}
          </span>
        )}
      </div>
      {data ? (
        <Figures mrr={data} />
      ) : error ? (
        <>
          <p>Unable to load MRR data</p>
          <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
            Retry
          </Button>
        </>
      ) : (
        <Skeleton size="figure" />
      )}
    </section>
  )
}

const Figures = ({ mrr: { totalMRR, commission } }: { mrr: Mrr }) => (
  <>
    <div className="mrr__now">
      <p className="fig">{formatPounds(totalMRR)}</p>
      <TextLink to="/admin/$place" params={{ place: 'revenue' }}>
        See MRR by subscription
      </TextLink>
    </div>
    <CommissionForecast commission={commission} />
  </>
)

export const CommissionForecast = ({ commission }: { commission: Mrr['commission'] }) => (
  <>
    <Table caption={`Monthly commission forecast for ${commission.partner}, by tier`}>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          <th scope="col" className="n">
            Count
          </th>
          <th scope="col" className="n">
            Rate
          </th>
          <th scope="col" className="n">
            Next month
          </th>
        </tr>
      </thead>
      <tbody>
        {commission.breakdown.map(({ name, count, rate, total }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="n">{count}</td>
            <td className="n">{rate}%</td>
            <td className="n">{formatPoundsAndPence(total)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>{commission.partner}, monthly forecast</td>
          <td className="n">{formatPoundsAndPence(commission.total)}</td>
        </tr>
      </tfoot>
    </Table>
    <p className="second forecastnote">
      For the next month, if everyone stays and pays. A month you’ve given free isn’t in it. A yearly price counts as a
      twelfth. What you owe now is under{' '}
      <TextLink to="/admin/$place" params={{ place: 'payments' }}>
        Payments
      </TextLink>
      .
    </p>
  </>
)
