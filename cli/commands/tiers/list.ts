import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { emptyLabel } from '#cli/labels.ts'
import { type Output, reportOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { type Call, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import {
  type AdminTier,
  AdminTierList,
  type AdminTierPrice,
  type PriceMoveMember,
  type PricePreview,
} from '#shared/contract/admin-tier.ts'
import type { Plan } from '#shared/contract/billing.ts'
import { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { nextPriceText, outcomeText, waitingText } from '#shared/rules/price-move.ts'
import { everyOfPeriod, everyText } from '#shared/rules/tier-prices.ts'

/** Off sale, for invited people alone, or among the cards. What’s booked goes ahead though it’s off sale. */
function shownText({ isActive, isShown, isByInvitation, booked }: AdminTier): string {
  if (!isActive) return `retired${booked.members > 0 ? `, ${booked.members} booked` : ''}`
  return isShown ? (isByInvitation ? 'marked by invitation' : 'on the site') : 'by invitation only'
}

const offered = ({ prices }: AdminTier, every: PricePeriod) =>
  prices.find((price) => price.every === every && price.isOffered)?.net

const priceText = (every: PricePeriod) => (tier: AdminTier) => {
  const net = offered(tier, every)
  return net === undefined ? emptyLabel : formatPoundsAndPence(net)
}

const nextText = ({ prices }: AdminTier) =>
  prices
    .flatMap(({ every, nextPrice: next }) => (next ? nextPriceText({ price: next.net, from: next.from }, every) : []))
    .join(', ') || emptyLabel

const tiersTable: Table<AdminTier> = {
  title: 'Tiers',
  empty: 'No tiers.',
  columns: [
    { title: 'TIER', text: ({ slug }) => slug },
    { title: 'NAME', text: ({ name }) => name, minWidth: 12 },
    { title: 'MONTHLY', text: priceText('month'), align: 'right' },
    { title: 'YEARLY', text: priceText('year'), align: 'right' },
    { title: 'NEXT', text: nextText, dropOrder: 1 },
    { title: 'SHOWN', text: shownText },
    { title: 'MEMBERS', text: ({ members }) => String(members), align: 'right' },
    { title: 'DESCRIPTION', text: ({ description }) => description, minWidth: 12, dropOrder: 2 },
  ],
  csv: [
    ...csvFields(
      ['slug', 'name', 'description', 'price', 'members', 'moving'],
      ['isActive', 'isShown', 'isByInvitation'],
    ),
    { name: 'yearly', cell: (tier) => offered(tier, 'year') ?? null },
    { name: 'booked', cell: ({ booked }) => booked.members },
    { name: 'nextPrice', cell: ({ nextPrice }) => nextPrice?.price ?? null },
    { name: 'nextPriceFrom', cell: ({ nextPrice }) => nextPrice?.from ?? null },
    { name: 'features', cell: ({ features }) => features.join('\n') },
  ],
}

export const slugIn = ({ argument }: Call) => parseArgument(TierSlug, argument(0).toLowerCase())

/** `usual`: where it may be left out. */
export const everyIn = ({ argument }: Call, usual = '') =>
  parseArgument(PricePeriod, argument(1).toLowerCase() || usual)

export const requestTiers = ({ api }: Client) => request(AdminTierList, api.admin.tiers.get())

export const findTier = async (client: Client, slug: TierSlug): Promise<AdminTier> =>
  tierIn(await requestTiers(client), slug)

export function tierIn(tiers: readonly AdminTier[], slug: TierSlug): AdminTier {
  const tier = tiers.find((one) => one.slug === slug)
  if (tier === undefined) throw new CliError(exitCodes.notFound, 'We can’t find this tier. See: alliance tiers list')
  return tier
}

/** One that can be sold now. */
export function offeredPrice({ name, prices }: AdminTier, every: PricePeriod): AdminTierPrice {
  const price = prices.find((one) => one.every === every && one.isOffered)
  if (price === undefined) throw usageError(`${name} isn’t sold by the ${every}.`)
  return price
}

/** The price of the period that's asked for, or else as often as they pay now. A tier that isn't sold so has one price. */
export function priceToBook(tier: AdminTier, { asked, plan }: { asked: PricePeriod | undefined; plan: Plan | null }) {
  const now = (plan && everyOfPeriod(plan)) ?? 'month'
  const offered = tier.prices.filter(({ isOffered }) => isOffered)
  const usual = offered.find(({ every }) => every === now) ?? offered[0]
  return offeredPrice(tier, asked ?? usual?.every ?? now)
}

export const list = showRow({
  usage: 'list',
  description: 'List tiers, their prices and how many pay for each',
  examples: ['list', 'list --json'],
  mayCreate: true,
  read: () => requestTiers,
  output: (tiers) => tableOutput(tiersTable, tiers),
})

const membersTable: Table<PriceMoveMember> = {
  title: 'Members who pay another price',
  empty: 'No one pays another price.',
  columns: [
    { title: 'NAME', text: ({ name }) => name, minWidth: 10 },
    { title: 'EMAIL', text: ({ email }) => email ?? emptyLabel, minWidth: 14, dropOrder: 1 },
    { title: 'FROM', text: ({ from }) => formatPoundsAndPence(from), align: 'right' },
    { title: 'TO', text: ({ to }) => formatPoundsAndPence(to), align: 'right' },
    { title: 'IF MOVED', text: outcomeText, minWidth: 16 },
  ],
  csv: csvFields(['memberId', 'name', 'email', 'from', 'to', 'on', 'stays']),
}

/** Without the confirmation, which has been used. */
export function previewOutput({ confirmation: _used, ...preview }: PricePreview, more: readonly Detail[] = []): Output {
  const { name, to, startsOn, members, mail, notes } = preview
  const from = preview.from ?? to
  const waiting = waitingText(preview)
  const details = [
    { label: 'Tier', value: name },
    {
      label: 'Price',
      value: `${formatPoundsAndPence(from)} → ${formatPoundsAndPence(to)} + VAT ${everyText(preview.every)}`,
    },
    ...(startsOn === null ? [] : [{ label: 'From', value: formatLongDate(startsOn) }]),
    ...(waiting === null ? [] : [{ label: 'Waiting', value: waiting }]),
    { label: 'The notice', value: mail === null ? 'no one would be told' : mail.subject },
    ...more,
  ]
  const [title, note] = ['A new price', mail?.text]
  return { ...reportOutput({ title, details, table: membersTable, rows: members, json: preview, note }), notes }
}
