import * as v from 'valibot'
import type { Client } from '#cli/connection.ts'
import { fileRow } from '#cli/file-rows.ts'
import { dayLabel } from '#cli/labels.ts'
import { csvOfRecord, type Output, sectionsOutput, writeCsvStream } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { type Call, type CommandRow, registersRows, showRow } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { VatReturn } from '#shared/contract/accounting.ts'
import { Quarter } from '#shared/contract/fields.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'

const described = {
  usage: '<quarter>',
  description: 'Show the boxes of a VAT return, such as 2026-Q3 (--csv lists every invoice behind them)',
  examples: ['2026-Q3', '2026-Q3 --csv > 2026-q3.csv'],
} as const

function readReturn({ argument }: Call) {
  const quarter = parseArgument(Quarter, argument(0).toUpperCase())
  return ({ api }: Client) => request(VatReturn, api.admin.vat({ quarter }).get())
}

const shown = showRow({
  ...described,
  read: readReturn,
  output(figures) {
    const notes = figures.hasEnded ? [] : [`The quarter ends on ${dayLabel(figures.to)}: these figures will change.`]
    return { ...vatOutput(figures), notes }
  },
})

/** Every invoice and credit note behind the figures, for the accountant. Its columns add up to the boxes. */
const asCsv = fileRow({
  ...described,
  instead: 'invoices list --json',
  write(call) {
    const read = readReturn(call)
    return async (client) => {
      const { from, to } = await read(client)
      const documents = client.api.admin.exports['invoices.csv'].get({ query: { from, to } })
      await writeCsvStream(call.io, await request(v.instance(ReadableStream), documents))
    }
  },
})

export const vatRows: readonly CommandRow[] = [
  { ...shown, run: (call, path) => (call.options.csv === undefined ? shown : asCsv).run(call, path) },
]

export const registerVat = registersRows(vatRows)

const boxNames: Record<keyof VatReturn['boxes'], string> = {
  1: 'VAT due on sales',
  2: 'VAT due on goods from Northern Ireland',
  3: 'Total VAT due',
  4: 'VAT reclaimed on purchases',
  5: 'Net VAT to pay',
  6: 'Sales, excluding VAT',
  7: 'Purchases, excluding VAT',
  8: 'Goods supplied to the EU',
  9: 'Goods acquired from the EU',
}

/** Boxes 6 to 9 are in whole pounds on the return. */
const boxValue = (box: number, pence: number) =>
  box >= 6 ? `£${Math.trunc(pence / 100).toLocaleString('en-GB')}` : formatPoundsAndPence(pence)

const amountsText = ({ net, vat }: { net: number; vat: number }) =>
  `${formatPoundsAndPence(net)} and ${formatPoundsAndPence(vat)} VAT`

function vatOutput(figures: VatReturn): Output {
  const { quarter, from, to, boxes, invoiced, credited, rates, late } = figures
  const boxDetails = ([1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((box): Detail => {
    const pence = boxes[box]
    const value = pence === null ? 'from what you bought' : boxValue(box, pence)
    return { label: `${box}  ${boxNames[box]}`, value: box === 5 ? `${value}, before box 4` : value }
  })
  const sumText = ({ count, net, vat }: VatReturn['invoiced'], what: string) =>
    `${plural(count, what)}: ${amountsText({ net, vat })}`
  const source: Detail[] = [
    { label: 'Invoiced', value: sumText(invoiced, 'invoice') },
    { label: 'Credited', value: sumText(credited, 'credit note') },
    ...rates.map(({ rate, net, vat }) => ({ label: `At ${rate}%`, value: amountsText({ net, vat }) })),
    ...(late.gross === 0
      ? []
      : [
          {
            label: 'Issued late',
            value: `${amountsText(late)}, after one of its months was closed`,
          },
        ]),
  ]
  const title = `VAT return ${quarter}, ${dayLabel(from)} to ${dayLabel(to)}`
  return sectionsOutput({ json: figures, csv: () => csvOfRecord({ quarter }) }, [
    { title, details: boxDetails },
    { title: 'What the figures come from', details: source, note: `All of them: alliance vat ${quarter} --csv` },
  ])
}
