import type { Report } from '#cli/output.ts'
import { type Column, type Fact, factsText, tableText } from '#cli/table.ts'
import type { Mrr } from '#shared/contract/admin.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { providerWord, statusTone, timeWords } from './words.ts'

type Tier = Mrr['commission']['breakdown'][number]
type Subscription = Mrr['subscriptionDetails'][number]

const tierColumns: readonly Column<Tier>[] = [
  { title: 'TIER', text: ({ name }) => name, shrinksTo: 12 },
  { title: 'MEMBERS', text: ({ count }) => String(count), align: 'right' },
  { title: 'RATE', text: ({ rate }) => `${rate} %`, align: 'right' },
  { title: 'COMMISSION', text: ({ total }) => formatPoundsAndPence(total), align: 'right' },
]

const subscriptionColumns: readonly Column<Subscription>[] = [
  { title: 'MEMBER', text: ({ customerName }) => customerName, shrinksTo: 12 },
  { title: 'STATUS', text: ({ status }) => providerWord(status), tone: ({ status }) => statusTone(status) },
  { title: 'A MONTH', text: ({ monthlyAmount }) => formatPoundsAndPence(monthlyAmount), align: 'right' },
  { title: 'WHY', text: ({ rule }) => rule, shrinksTo: 20, tone: () => 'quiet' },
  { title: 'SUBSCRIPTION', text: ({ subscriptionId }) => subscriptionId, givesWay: 1, tone: () => 'quiet' },
]

const forecastNote =
  'The commission is a forecast: what a month at this revenue would earn. What is owed comes from paid invoices.'

const figuresOf = (mrr: Mrr): Fact[] => [
  { label: 'Monthly recurring revenue', value: `${formatPoundsAndPence(mrr.totalMRR)} excluding VAT` },
  { label: 'Active subscriptions', value: String(mrr.activeSubscriptions) },
  { label: 'Target', value: `${mrr.target.customers} of ${mrr.target.goal} paying customers, owners left out` },
  { label: 'As of', value: timeWords(mrr.lastUpdated) },
  { label: `Commission forecast, ${mrr.commission.partner}`, value: formatPoundsAndPence(mrr.commission.total) },
]

export function mrrReport(mrr: Mrr): Report {
  const { subscriptionDetails, commission } = mrr
  return {
    answer: mrr,
    sheet: () => ({
      head: ['subscriptionId', 'customerName', 'status', 'monthlyAmountPence', 'rule'],
      rows: subscriptionDetails.map((one) => [
        one.subscriptionId,
        one.customerName,
        one.status,
        one.monthlyAmount,
        one.rule,
      ]),
    }),
    text: () =>
      [
        factsText(figuresOf(mrr)),
        tableText(tierColumns, commission.breakdown),
        `${forecastNote}\n`,
        subscriptionDetails.length === 0
          ? 'No subscriptions yet.\n'
          : tableText(subscriptionColumns, subscriptionDetails),
      ].join('\n'),
    async view(width) {
      const [{ draw }, { MrrView }] = await Promise.all([import('#cli/views/draw.tsx'), import('#cli/views/mrr.tsx')])
      const tables = { tierColumns, subscriptionColumns }
      return draw(MrrView, { mrr, figures: figuresOf(mrr), note: forecastNote, tables, width })
    },
  }
}
