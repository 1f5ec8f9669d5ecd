import type { Command } from 'commander'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { type Output, recordOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request } from '#cli/request.ts'
import { type Call, changeRow, type Done, registerRows } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { AdminTier, type NextPrice, PriceChange, PricePreview, TierRequest } from '#shared/contract/admin-tier.ts'
import { Day } from '#shared/contract/fields.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'
import { nextPriceText, waitingText } from '#shared/rules/price-move.ts'
import { add, makeDefault, order, remove, restore, retire } from './catalogue.ts'
import { findTier, list, previewOutput } from './list.ts'
import { parsePounds } from './pounds.ts'
import { tierPriceRows } from './prices.ts'

type Given = {
  slug: TierSlug
  texts: Partial<TierRequest>
  price: number | undefined
  from: string | undefined
  movesMembers: boolean
}

/** The facts a tier's change depends on: its texts before and after, and who a price would affect. */
type TierChange = {
  slug: TierSlug
  version: number
  texts: TierRequest | null
  price: PricePreview | null
  movesMembers: boolean
}

function givenBy({ argument, option, options }: Call): Given {
  const slug = parseArgument(TierSlug, argument(0).toLowerCase())
  const pounds = option('price')
  const price = pounds === undefined ? undefined : parsePounds(pounds, '--price')
  const { feature } = options
  const named = {
    name: option('name'),
    description: option('description'),
    visibility: option('shown'),
    features: Array.isArray(feature) ? feature : undefined,
  }
  const texts = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  if (price === undefined && Object.keys(texts).length === 0)
    throw usageError('Name what to change: --name, --price or another option.')
  const movesMembers = options.moveMembers === true
  const from = parseOption(Day, option('from'), '--from')
  if (price === undefined && movesMembers) throw usageError('--move-members needs --price.')
  if (price === undefined && from !== undefined) throw usageError('--from needs --price.')
  if (from !== undefined && movesMembers)
    throw usageError('Members can be moved once the price has started. Leave out --move-members.')
  return { slug, texts, price, from, movesMembers }
}

/** Changing only words needs no confirmation. A price does: it goes on sale straight away, and members may get an email. */
export const set = changeRow<TierChange>({
  usage: 'set <tier>',
  description: 'Change a tier: its text, who sees it, or its price a month',
  options: [
    ['--name <name>', 'its name'],
    ['--description <line>', 'the line below its name'],
    ['--feature <line>', 'what it gives; once for each line, all of them', 'repeats'],
    ['--shown <to>', 'open, invitation or hidden'],
    ['--price <pounds>', 'the new price a month without VAT; members keep theirs'],
    ['--from <day>', 'the day the new price starts, such as 2027-01-01; without it, now'],
    ['--move-members', 'tell members, who pay the new price after 30 days’ notice'],
  ],
  examples: [
    'set lite --name "Bench Lite" --feature "One" --feature "Two"',
    'set xl --price 475 --dry-run',
    'set xl --price 475 --from 2027-01-01',
    'set xl --price 475 --move-members',
  ],
  asks: true,
  mayCreate: true,
  plan(call) {
    const { slug, texts, price, from, movesMembers } = givenBy(call)
    return async (client) => {
      const tier = await findTier(client, slug)
      const { name, description, features, visibility } = tier
      const wanted = parseArgument(TierRequest, { name, description, features, visibility, ...texts })
      const asked = client.api.admin.tiers({ tier: slug }).price
      const facts: TierChange = {
        slug,
        version: tier.version,
        movesMembers,
        texts: Object.keys(texts).length === 0 ? null : wanted,
        price:
          price === undefined
            ? null
            : await request(PricePreview, asked.get({ query: { every: 'month', price, from } })),
      }
      const question = facts.price === null ? null : questionOf(facts.price, movesMembers)
      return { facts, output: changeOutput(facts), question }
    }
  },
  apply:
    (_call, { slug, version, texts, price, movesMembers }) =>
    async ({ api }): Promise<Done> => {
      const tier = api.admin.tiers({ tier: slug })
      const saved = texts === null ? null : await request(AdminTier, tier.patch({ ...texts, version }))
      if (price === null) {
        const { name = '', description = '', visibility = '' } = saved ?? {}
        return { sentence: `${name} is on the site now.`, record: { slug, name, description, visibility } }
      }
      // The confirmation covers what was shown, including the tier's name. If that has just changed, we ask again.
      const from = price.startsOn ?? undefined
      const wanted = { every: price.every, price: price.to, from }
      const shown = saved === null ? price : await request(PricePreview, tier.price.get({ query: wanted }))
      const body = { ...wanted, movesMembers, confirmation: shown.confirmation }
      const { tier: sold, told } = await request(PriceChange, tier.price.post(body))
      const what = `${sold.name} costs ${formatPoundsAndPence(price.to)} + VAT a month for new members`
      if (from !== undefined)
        return { sentence: `${what} from ${formatLongDate(from)}.`, record: { slug, price: price.to, from } }
      return { sentence: `${what}. ${plural(told, 'member')} told.`, record: { slug, price: sold.price, told } }
    },
})

function changeOutput({ slug, texts, price }: TierChange): Output {
  if (texts === null && price !== null) return previewOutput(price)
  const details: Detail[] = [
    { label: 'Tier', value: slug },
    ...(texts === null
      ? []
      : [
          { label: 'Name', value: texts.name },
          { label: 'Description', value: texts.description },
          { label: 'Gives', value: texts.features.join(', ') },
          { label: 'Shown', value: texts.visibility },
        ]),
    ...(price === null
      ? []
      : [{ label: 'Price', value: `${formatPoundsAndPence(price.to)} + VAT a month${startOf(price)}` }]),
  ]
  return recordOutput('Plan', details, { slug }, texts)
}

const startOf = ({ startsOn }: PricePreview) => (startsOn === null ? '' : ` from ${formatLongDate(startsOn)}`)

function questionOf(preview: PricePreview, movesMembers: boolean): string {
  const { name, to, members } = preview
  const from = preview.from ?? to
  const moving = members.filter(({ stays }) => stays === null).length
  const what = `Sell ${name} at ${formatPoundsAndPence(to)} + VAT a month instead of ${formatPoundsAndPence(from)}${startOf(preview)}`
  const waiting = waitingText(preview)
  if (!movesMembers) return `${what}? Members keep their current price.${waiting === null ? '' : ` ${waiting}`}`
  return `${what}, and tell ${plural(moving, 'member')} by email that they pay it too?`
}

/** The price doesn't change. Members who pay another one get notice that they'll pay this one. */
export const move = changeRow<PricePreview>({
  usage: 'move <tier>',
  description: 'Move members on another price to the tier’s own, with 30 days’ notice by email',
  examples: ['move xl --dry-run', 'move xl'],
  asks: true,
  mayCreate: true,
  plan(call) {
    const slug = parseArgument(TierSlug, call.argument(0).toLowerCase())
    return async (client) => {
      const { name, price } = await findTier(client, slug)
      const asked = client.api.admin.tiers({ tier: slug }).price
      const facts = await request(PricePreview, asked.get({ query: { every: 'month', price } }))
      const moving = facts.members.filter(({ stays }) => stays === null).length
      const question = moving === 0 ? null : `Tell ${plural(moving, 'member')} of ${name} by email they’re moving?`
      return { facts, output: previewOutput(facts), question }
    }
  },
  apply:
    (_call, { slug, to: price, confirmation }) =>
    async ({ api }) => {
      const body = { every: 'month' as const, price, movesMembers: true, confirmation }
      const { tier, told } = await request(PriceChange, api.admin.tiers({ tier: slug }).price.post(body))
      return { sentence: `${plural(told, 'member')} of ${tier.name} told.`, record: { slug, price: tier.price, told } }
    },
})

type WaitingFacts = { slug: TierSlug; name: string; nextPrice: NextPrice }

/** A price that has started can't be cancelled, only followed by another. */
export const cancelPrice = changeRow<WaitingFacts>({
  usage: 'cancel-price <tier>',
  description: 'Cancel a price that hasn’t started yet',
  examples: ['cancel-price xl --dry-run', 'cancel-price xl'],
  asks: true,
  plan(call) {
    const slug = parseArgument(TierSlug, call.argument(0).toLowerCase())
    return async (client) => {
      const { name, nextPrice } = await findTier(client, slug)
      if (nextPrice === null) throw new CliError(exitCodes.notFound, `${name} has no price waiting.`)
      const facts = { slug, name, nextPrice }
      const details = [
        { label: 'Tier', value: name },
        { label: 'Waiting', value: nextPriceText(nextPrice) },
      ]
      const output = recordOutput('Plan', details, { slug, ...nextPrice }, facts)
      return { facts, output, question: `Cancel ${name} at ${nextPriceText(nextPrice)}?` }
    }
  },
  apply:
    (_call, { slug, name, nextPrice }) =>
    async ({ api }): Promise<Done> => {
      const { price } = await request(
        AdminTier,
        api.admin.tiers({ tier: slug }).price.delete({ every: 'month', ...nextPrice }),
      )
      const sentence = `Cancelled. ${name} stays at ${formatPoundsAndPence(price)} + VAT a month.`
      return { sentence, record: { slug, price } }
    },
})

export const tierRows = [list, add, set, order, retire, restore, makeDefault, remove, move, cancelPrice]

export function registerTiers(tiers: Command, io: Io): void {
  registerRows(tiers, io, tierRows)
  registerRows(tiers.command('price'), io, tierPriceRows)
}
