import { usageError } from '#cli/exit-codes.ts'
import { timeLabel } from '#cli/labels.ts'
import { csvOfRows, type Output, reportOutput } from '#cli/output.ts'
import { parseArgument, request, withoutUnset } from '#cli/request.ts'
import { changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { DocumentNumbers, SkipNumbersRequest, type SkippedNumbers } from '#shared/contract/invoices.ts'
import { plural } from '#shared/rules/plural.ts'

const skippedTable: Table<SkippedNumbers> = {
  title: 'Skipped',
  empty: 'No numbers skipped.',
  columns: [
    { title: 'FROM', text: ({ first }) => first, identifies: true },
    { title: 'TO', text: ({ last }) => last },
    { title: 'SINCE', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 1 },
    { title: 'REASON', text: ({ reason }) => reason, minWidth: 16 },
    { title: 'PAYMENTS', text: paymentsLabel, minWidth: 16, dropOrder: 2 },
  ],
  csv: [...csvFields(['first', 'last', 'createdAt', 'reason']), { name: 'payments', cell: paymentsLabel }],
}

function paymentsLabel({ documents }: SkippedNumbers): string {
  return Object.entries(documents)
    .map(([number, payment]) => `${number}=${payment}`)
    .join(' ')
}

const numbers = showRow({
  usage: 'numbers',
  description: 'Show the next numbers, and skipped ones with the reason',
  examples: ['numbers', 'numbers --csv > gaps.csv'],
  read:
    () =>
    ({ api }) =>
      request(DocumentNumbers, api.admin['document-numbers'].get()),
  output: numbersOutput,
})

function numbersOutput(numbers: DocumentNumbers): Output {
  const { nextInvoice, nextCreditNote, open, skipped } = numbers
  const details: Detail[] = [
    { label: 'Next invoice', value: nextInvoice },
    { label: 'Next credit note', value: nextCreditNote },
    ...(open === null ? [] : openDetails(open)),
  ]
  const report = { title: 'Numbers', details, table: skippedTable, rows: skipped, json: numbers }
  return { ...reportOutput(report), csv: () => csvOfRows(skippedTable.csv, skipped) }
}

const openDetails = ({ madeAt, payments }: NonNullable<DocumentNumbers['open']>): Detail[] => [
  { label: 'Restored', value: `a backup of ${timeLabel(madeAt)}; numbers given after it are not known`, tone: 'error' },
  {
    label: 'Waiting',
    value: `${plural(payments, 'payment')} without an invoice here: at least that many may be issued`,
  },
  // Copied as it stands, it is refused: a number that was made up would leave out a hundred.
  { label: 'To go on', value: 'alliance invoices skip NUMBER (the last one you emailed), or: invoices skip none' },
]

/** `A-000129=in_1Example`, possibly several times. */
function parsePayments(given: string | true | string[] | undefined): Record<string, string> {
  const pairs = Array.isArray(given) ? given : []
  return Object.fromEntries(
    pairs.map((pair) => {
      const [number = '', payment = ''] = pair.split('=', 2)
      if (payment === '') throw usageError('--for takes a number and its payment, such as A-000129=in_1Example.')
      return [number, payment]
    }),
  )
}

/** Issues the waiting invoices at each member's next sync. */
const skip = changeRow({
  usage: 'skip <numbers...>',
  description: 'Skip numbers for good, up to this one, because they may be in use (or: none)',
  options: [
    ['--reason <text>', 'the reason, kept with the gap for anyone who asks'],
    ['--for <number=payment>', 'what a number was for, so the new invoice says which one it replaces', 'repeats'],
  ],
  examples: [
    ...['skip A-000130 --dry-run', 'skip A-000130 C-000007 --reason "The disk of 3 May"', 'skip none'],
    'skip A-000130 --for A-000129=in_1Example --for A-000130=in_2Example',
  ],
  asks: true,
  plan({ argument, option, options }) {
    const words = argument(0).split(' ')
    const upTo = words.join() === 'none' ? [] : words
    const documents = parsePayments(options.for)
    const body = parseArgument(SkipNumbersRequest, withoutUnset({ upTo, reason: option('reason'), documents }))
    return async ({ api }) => {
      const before = await request(DocumentNumbers, api.admin['document-numbers'].get())
      const { nextInvoice, nextCreditNote } = before
      const from = (number: string) => (number.startsWith('A') ? nextInvoice : nextCreditNote)
      const ranges = upTo.map((number) => `${from(number)} to ${number}`)
      const question =
        ranges.length === 0
          ? `Give ${nextInvoice} and ${nextCreditNote} next? Make sure no document with these numbers has gone out.`
          : `Leave out ${ranges.join(' and ')} for good?`
      return { facts: { ...body, nextInvoice, nextCreditNote }, output: numbersOutput(before), question }
    }
  },
  apply:
    (_call, { upTo, reason, documents }) =>
    async ({ api }) => {
      const body = { upTo, reason, documents }
      const after = await request(DocumentNumbers, api.admin['document-numbers'].skip.post(body))
      const { nextInvoice, nextCreditNote } = after
      return {
        record: { nextInvoice, nextCreditNote },
        sentence: `The next invoice is ${nextInvoice}, the next credit note ${nextCreditNote}.`,
        notes: [
          'Waiting invoices are issued at each member’s next sync. Issue them now: alliance jobs run reconcile --all',
        ],
      }
    },
})

export const invoiceNumberRows = [numbers, skip]
