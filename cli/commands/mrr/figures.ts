import { reportOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { type CommandRow, showRow } from '#cli/rows.ts'
import { type Column, csvFields, type Table } from '#cli/table.ts'
import { type RevenueMonth, RevenueMonthList } from '#shared/contract/revenue.ts'
import { mrrFigures } from '#shared/rules/month-figures.ts'
import { lifetimeValue, mrrDefinitions, mrrFigureTexts, mrrLines } from '#shared/rules/mrr-figures.ts'

const figure = (name: keyof typeof mrrFigureTexts, dropOrder?: number): Column<RevenueMonth> => ({
  title: mrrDefinitions[name].name.toUpperCase(),
  text: mrrFigureTexts[name],
  align: 'right',
  ...(dropOrder === undefined ? {} : { dropOrder }),
})

const figuresOf = (month: RevenueMonth) => ({ month: month.month, isFrozen: month.isFrozen, ...mrrFigures(month) })

const figuresTable: Table<RevenueMonth> = {
  title: 'Key figures',
  empty: 'No months yet.',
  columns: [
    { title: 'MONTH', text: ({ month, isFrozen: isClosed }) => `${month}${isClosed ? '' : ', open'}` },
    figure('netChange'),
    figure('memberChurn'),
    figure('revenueChurn', 1),
    figure('trialConversion', 3),
    figure('averageRevenue', 2),
  ],
  csv: [
    ...csvFields(['month', 'isFrozen']),
    { name: 'netChangePence', cell: (month) => mrrFigures(month).netChange },
    { name: 'memberChurn', cell: (month) => mrrFigures(month).memberChurn },
    { name: 'revenueChurn', cell: (month) => mrrFigures(month).revenueChurn },
    { name: 'trialConversion', cell: (month) => mrrFigures(month).trialConversion },
    { name: 'averageRevenuePence', cell: (month) => mrrFigures(month).averageRevenue },
  ],
}

const figuresRow = showRow({
  usage: 'figures',
  description: 'Show net change, churn, trial conversion, average per member and lifetime value, with their formulas',
  examples: ['figures', 'figures --csv > figures.csv'],
  read:
    () =>
    async ({ api }) =>
      request(RevenueMonthList, api.admin['revenue-months'].get({ query: {} })),
  output: (months) =>
    reportOutput({
      title: 'Key figures',
      details: mrrLines(months).map(({ figure: name, value, note }) => ({
        label: mrrDefinitions[name].name,
        value: `${value} (${note})`,
      })),
      table: figuresTable,
      rows: months,
      json: { lifetimeValue: lifetimeValue(months), months: months.map(figuresOf) },
      note: Object.values(mrrDefinitions)
        .map(({ name, formula }) => `${name}: ${formula}`)
        .join('\n'),
    }),
})

export const figureRows: readonly CommandRow[] = [figuresRow]
