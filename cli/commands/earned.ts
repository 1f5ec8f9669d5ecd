import { timeLabel } from '#cli/labels.ts'
import { csvOfRows, type Output, sectionsOutput, tableWithRows } from '#cli/output.ts'
import { parseArgument, parseOption, request, withoutUnset } from '#cli/request.ts'
import { registersRows, showRow } from '#cli/rows.ts'
import { type Column, csvFields, type Detail, type Table } from '#cli/table.ts'
import { Earned, type EarnedLine, EarnedQuery, earnedSpans, Period, periodSpan } from '#shared/contract/earned.ts'
import { balanceSentence, bridgeLines, timingNotes } from '#shared/rules/earned.ts'
import { formatPoundsAndPence, type Pence } from '#shared/rules/money.ts'

const shown = (amount: Pence | null) => (amount === null ? 'not known' : formatPoundsAndPence(amount))

const pounds = (title: string, of: (line: EarnedLine) => Pence | null, dropOrder?: number): Column<EarnedLine> => ({
  title,
  text: (line) => shown(of(line)),
  align: 'right',
  ...(dropOrder === undefined ? {} : { dropOrder }),
})

const earnedTable: Table<EarnedLine> = {
  title: 'Earned',
  empty: 'No payments yet.',
  columns: [
    { title: 'PERIOD', text: ({ period }) => period, identifies: true },
    pounds('TAKEN', ({ taken }) => taken),
    pounds('REFUNDED', ({ refunded }) => refunded, 3),
    pounds('VAT', ({ vat }) => vat, 2),
    pounds('FEES', ({ fees }) => fees, 2),
    pounds('COMMISSION', ({ commission }) => commission, 2),
    pounds('LEFT', ({ left }) => left),
    { title: 'NOTE', text: (line) => timingNotes(line).join(' '), minWidth: 12, dropOrder: 1, tone: () => 'muted' },
  ],
  csv: csvFields(
    ['period', 'taken', 'refunded', 'vat', 'fees', 'commission', 'left'],
    ['offInvoices', 'offCredits', 'forLater'],
  ),
}

const row = showRow({
  usage: '[period]',
  description:
    'Show what you took and what’s left after refunds, VAT, fees and commission (name a period to check it against Stripe)',
  options: [['--by <span>', `${earnedSpans.join(', ')}`]],
  examples: ['', '--by tax-year', '2026-Q3', '2026/27 --csv'],
  read({ argument, isGiven, option }) {
    const period = isGiven(0) ? parseArgument(Period, argument(0).toUpperCase()) : undefined
    const by = parseOption(EarnedQuery.entries.by, option('by'), '--by')
    const query = withoutUnset({ by: period === undefined ? by : periodSpan(period) })
    return async ({ api }) => {
      const earned = await request(Earned, api.admin.earned.get({ query }))
      return period === undefined ? earned : { ...earned, lines: earned.lines.filter((line) => line.period === period) }
    }
  },
  output: (earned, { isGiven }) => earnedOutput(earned, isGiven(0)),
})

function earnedOutput(earned: Earned, isOne: boolean): Output {
  const { lines, balance } = earned
  const [line] = lines
  const bridge = isOne ? line?.bridge : undefined
  const { isEqual, text } = balanceSentence(earned)
  const state =
    balance === null ? text : `On ${timeLabel(balance.at)} we made it ${formatPoundsAndPence(balance.ours)}. ${text}`
  return {
    ...sectionsOutput({ json: earned, csv: () => csvOfRows(earnedTable.csv, lines) }, [
      { title: earnedTable.title, table: tableWithRows(earnedTable, lines), ...(bridge ? {} : { note: state }) },
      ...(bridge ? [{ title: 'Balance at Stripe', details: bridgeDetails(bridge), note: state }] : []),
    ]),
    hasFailed: !isEqual,
  }
}

const bridgeDetails = (bridge: NonNullable<EarnedLine['bridge']>): Detail[] =>
  [...bridgeLines(bridge), { label: 'Closing balance', amount: bridge.after }].map(({ label, amount }) => ({
    label,
    value: formatPoundsAndPence(amount),
  }))

export const earnedRows = [row]

export const registerEarned = registersRows(earnedRows)
