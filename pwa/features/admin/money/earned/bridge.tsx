import { useState } from 'react'
import { RunJob } from '#pwa/features/admin/kit/jobs/run-job.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Table } from '#pwa/ui/table.tsx'
import type { Earned } from '#shared/contract/earned.ts'
import { balanceSentence, bridgeLines } from '#shared/rules/earned.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { periodName } from '#shared/rules/periods.ts'

/** How the balance got from the period’s opening to its closing. */
export function BridgeSection({ earned }: { earned: Earned }) {
  const [picked, setPicked] = useState<string>()
  const known = earned.lines.filter(({ bridge }) => bridge !== null)
  const line = known.find(({ period }) => period === picked) ?? known[0]
  const bridge = line?.bridge
  if (!bridge || earned.balance === null) return null
  const { isEqual, text } = balanceSentence(earned)
  return (
    <section aria-label="Balance at Stripe">
      <div className="panel__top">
        <h2>Balance at Stripe</h2>
        <SelectField label="Period" value={line?.period} onChange={({ target }) => setPicked(target.value)}>
          {known.map(({ period }) => (
            <option key={period} value={period}>
              {periodName(period)}
            </option>
          ))}
        </SelectField>
      </div>
      <Table caption={`Balance at Stripe, ${periodName(line?.period ?? '')}`}>
        <tbody>
          {bridgeLines(bridge).map(({ label, amount }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="n">{formatPoundsAndPence(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>Closing balance</td>
            <td className="n">{formatPoundsAndPence(bridge.after)}</td>
          </tr>
        </tfoot>
      </Table>
      <Banner
        tone={isEqual ? 'ok' : 'bad'}
        title={joined(`We make it ${formatPoundsAndPence(earned.balance.ours)}. ${text}`)}
        action={<RunJob job={{ name: 'reconcile' }} label="Update" name="Update from Stripe" />}
      >{`Checked on ${formatMoment(earned.balance.at)}.`}</Banner>
    </section>
  )
}

/** A minus sign isn’t parted from its sum at a line’s end. */
const joined = (text: string) => text.replaceAll('\u2212', '\u2212\u2060')
