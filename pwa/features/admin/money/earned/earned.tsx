import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { earnedQuery } from '#pwa/features/admin/kit/earned-queries.ts'
import { useAddressedDialog } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import { RunJob } from '#pwa/features/admin/kit/jobs/run-job.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { CommissionOwed } from '#pwa/features/admin/money/payments/summary.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { type EarnedLine, type EarnedSpan, earnedSpans } from '#shared/contract/earned.ts'
import { timingNotes } from '#shared/rules/earned.ts'
import { formatPoundsAndPence, type Pence } from '#shared/rules/money.ts'
import { periodName } from '#shared/rules/periods.ts'
import { AccountantDialog } from './accountant-dialog.tsx'
import { BridgeSection } from './bridge.tsx'

const notesOf = (line: EarnedLine) => [...(line.fees === null ? ['Fees not known.'] : []), ...timingNotes(line)]

const shown = (amount: Pence | null) => (amount === null ? 'Not known' : formatPoundsAndPence(amount))

type AmountOf = (line: EarnedLine) => Pence | null

/** `head`: the CSV’s, where that’s another. */
const pounds = (label: string, amountOf: AmountOf, head = label): Column<EarnedLine> => ({
  label,
  kind: 'number',
  cell: (line) => shown(amountOf(line)),
  text: [[head, (line) => shown(amountOf(line))]],
})

const columns: readonly Column<EarnedLine>[] = [
  {
    label: 'Period',
    kind: 'who',
    cell: (line) => (
      <>
        {periodName(line.period)}
        {notesOf(line).map((note) => (
          <small key={note}>{note}</small>
        ))}
      </>
    ),
    text: [
      ['Period', ({ period }) => period],
      ['Note', (line) => notesOf(line).join(' ')],
    ],
  },
  pounds('Taken', ({ taken }) => taken),
  pounds('Refunded', ({ refunded }) => refunded),
  pounds('VAT', ({ vat }) => vat),
  pounds('Stripe’s fees', ({ fees }) => fees),
  pounds('Commission', ({ commission }) => commission),
  pounds('What’s left', ({ left }) => left, 'Left'),
]

const spanLabels: Record<EarnedSpan, string> = { month: 'Month', quarter: 'Quarter', 'tax-year': 'Tax year' }

const rules =
  'Money counts on the day it came in or went out. VAT counts by tax point, as on your VAT return. Commission counts in the month it’s for, whether you’ve paid it yet or not: Payments says which you have. A tax year here runs April to March and HMRC’s starts on 6 April, so check with your accountant.'

export default function EarnedSection() {
  const { address, change } = useListAddress()
  const by = v.is(v.picklist(earnedSpans), address.show) ? address.show : 'month'
  const query = useQuery(earnedQuery(by))
  const accountant = useAddressedDialog()
  const { data } = query
  return (
    <>
      <ShortList
        title="Earned"
        name={`earned-by-${by}`}
        query={{ ...query, data: data?.lines }}
        columns={columns}
        idOf={({ period }) => period}
        tools={
          <>
            <SelectField label="By" value={by} onChange={({ target }) => change({ show: target.value })}>
              {earnedSpans.map((span) => (
                <option key={span} value={span}>
                  {spanLabels[span]}
                </option>
              ))}
            </SelectField>
            <Button look="line" isSmall aria-haspopup="dialog" onClick={accountant.open}>
              For your accountant
            </Button>
            <Button look="line" isSmall icon="invoice" onClick={() => window.print()}>
              Print
            </Button>
          </>
        }
        before={
          <>
            {data?.balance === null && (
              <Banner
                title="We haven’t got Stripe’s fees yet"
                action={<RunJob job={{ name: 'reconcile' }} label="Get them now" />}
              >
                We get them every night. The first time goes back 24 months.
              </Banner>
            )}
            <CommissionOwed />
          </>
        }
      />
      <details className="numbers">
        <summary>How we count</summary>
        <p className="panel__note">{rules}</p>
      </details>
      {data && <BridgeSection earned={data} />}
      {accountant.isOpen && <AccountantDialog onClose={accountant.close} />}
    </>
  )
}
