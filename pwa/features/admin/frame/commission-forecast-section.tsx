import { Table } from '#pwa/ui/table.tsx'
import type { Mrr } from '#shared/contract/revenue.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

/** What the partner would earn of a month's payments, by tier. */
export const CommissionForecast = ({ commission }: { commission: Mrr['commission'] }) => (
  <Table caption={`Forecast commission of ${commission.partner}, by tier, for a month`}>
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
          Commission
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
        <td colSpan={3}>{commission.partner}, forecast for a month</td>
        <td className="n">{formatPoundsAndPence(commission.total)}</td>
      </tr>
    </tfoot>
  </Table>
)
