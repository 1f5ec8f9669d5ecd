import type { Report } from '#cli/output.ts'
import { type Column, tableText } from '#cli/table.ts'
import type { PriceMention } from '#shared/rules/price-mentions.ts'

const columns: readonly Column<PriceMention>[] = [
  { title: 'READING', text: ({ words }) => words },
  { title: 'WHERE', text: ({ place }) => place, shrinksTo: 16 },
]

export const readingsReport = (readings: readonly PriceMention[]): Report => ({
  answer: readings,
  sheet: () => ({
    head: ['place', 'words', 'pricePence'],
    rows: readings.map(({ place, words, price }) => [place, words, price]),
  }),
  text: () =>
    readings.length === 0 ? 'Every monthly price on the site is a tier’s price.\n' : tableText(columns, readings),
})
