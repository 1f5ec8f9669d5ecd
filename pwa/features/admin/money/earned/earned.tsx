import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import type { Column } from '#pwa/features/admin/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/list/short-list.tsx'
import { useListAddress } from '#pwa/features/admin/list/use-list.ts'
import { RunJob } from '#pwa/features/admin/settings/system/run-job.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { type EarnedLine, type EarnedSpan, earnedSpans } from '#shared/contract/earned.ts'
import { timingNotes } from '#shared/rules/earned.ts'
import { formatPoundsAndPence, type Pence } from '#shared/rules/money.ts'
import { periodName } from '#shared/rules/periods.ts'
import { AccountantDialog } from './accountant-dialog.tsx'
import { BridgeSection } from './bridge.tsx'
import { earnedQuery } from './queries.ts'

const notesOf = (line: EarnedLine) => [...(line.fees === null ? ['Fees not known.'] : []), ...timingNotes(line)]

const shown = (amount: Pence | null) => (amount === null ? 'Not known' : formatPoundsAndPence(amount))

const pounds = (label: string, amountOf: (line: EarnedLine) => Pence | null): Column<EarnedLine> => ({
  label,
  kind: 'number',
  cell: (line) => shown(amountOf(line)),
  text: (line) => shown(amountOf(line)),
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
  pounds('Left', ({ left }) => left),
]

const spanLabels: Record<EarnedSpan, string> = { month: 'Month', quarter: 'Quarter', 'tax-year': 'Tax year' }

const rules =
  'Money counts on the day it moved, VAT by tax point, as on your VAT return. A tax year here runs April to March and HMRC’s starts on 6 April, so check with your accountant.'

export default function EarnedSection() {
  const { address, change } = useListAddress()
  const by = v.is(v.picklist(earnedSpans), address.show) ? address.show : 'month'
  const query = useQuery(earnedQuery(by))
  const [isForAccountant, setForAccountant] = useState(false)
  const { data } = query
  return (
    <>
      <ShortList
        title="Earned"
        name={`earned-by-${by}`}
        query={{ ...query, data: data?.lines }}
        columns={columns}
        idOf={({ period }) => period}
        note={rules}
        tools={
          <>
            <SelectField label="By" value={by} onChange={({ target }) => change({ show: target.value })}>
              {earnedSpans.map((span) => (
                <option key={span} value={span}>
                  {spanLabels[span]}
                </option>
              ))}
            </SelectField>
            <Button look="line" isSmall aria-haspopup="dialog" onClick={() => setForAccountant(true)}>
              For the accountant
            </Button>
            <Button look="line" isSmall icon="invoice" onClick={() => window.print()}>
              Print
            </Button>
          </>
        }
        before={
          data?.balance === null && (
            <Banner
              title="We haven’t read Stripe’s fees yet"
              action={<RunJob job={{ name: 'reconcile' }} label="Read them now" />}
            >
              We read them each night, the first time for 24 months.
            </Banner>
          )
        }
      />
      {data && <BridgeSection earned={data} />}
      {isForAccountant && <AccountantDialog onClose={() => setForAccountant(false)} />}
    </>
  )
}
