import type { Command } from 'commander'
import * as v from 'valibot'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { recordOutput } from '#cli/output.ts'
import { parseArgument, request, withoutUnset } from '#cli/request.ts'
import { type Call, changeRow, type Done, registerRows } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { AdminTier, type NextPrice, PriceChange, PricePreview, TierChangeRequest } from '#shared/contract/admin-tier.ts'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { nextPriceText } from '#shared/rules/price-move.ts'
import { tierConsequences } from '#shared/rules/tier-consequences.ts'
import { exactPriceText } from '#shared/rules/tier-prices.ts'
import {
  add,
  changesDetails,
  makeDefault,
  newDefaultOption,
  order,
  periodsOf,
  questionsIn,
  remove,
  requestUntrue,
  requestUses,
  restore,
  retire,
  tierOptions,
  untrueDetails,
  usesDetails,
} from './catalogue.ts'
import { everyIn, findTier, list, previewOutput, requestTiers, slugIn, tierIn } from './list.ts'
import { tierPriceRows } from './prices.ts'

const switchNames = [
  ...(['cards', 'by-invitation', 'rejoin-now', 'rejoin-later', 'preselected', 'highlighted'] as const),
  ...(['videos', 'community', 'whatsapp', 'coaching', 'accountability'] as const),
] as const

/** What `--on` and `--off` switch. */
const switches = {
  cards: 'isShown',
  'by-invitation': 'isByInvitation',
  'rejoin-now': 'rejoinsNow',
  'rejoin-later': 'rejoinsLater',
  preselected: 'isPreselected',
  highlighted: 'isHighlighted',
  videos: 'hasVideoAccess',
  community: 'hasCommunityAccess',
  whatsapp: 'hasWhatsApp',
  coaching: 'hasMonthlyCoaching',
  accountability: 'hasWeeklyAccountability',
} satisfies Record<(typeof switchNames)[number], keyof TierChangeRequest>

const listedSwitches = switchNames.join(', ')
const Switch = v.picklist(switchNames, `Name one of these: ${listedSwitches}.`)

const switched = ({ options }: Call, name: 'on' | 'off') =>
  (Array.isArray(options[name]) ? options[name] : []).map(
    (one) => [switches[parseArgument(Switch, one)], name === 'on'] as const,
  )

/** What the tier is asked to be, by the request's names. */
function changesIn(call: Call) {
  const { option, options } = call
  const [minutes, calls, badge] = [option('minutes'), option('calls'), option('badge')]
  const named = withoutUnset({
    name: option('name'),
    description: option('description'),
    features: Array.isArray(options.feature) ? options.feature : undefined,
    callDuration: minutes === undefined ? undefined : minutes === '0' ? null : Number(minutes),
    callsPerMonth: calls === undefined ? undefined : Number(calls),
    questionsPerMonth: questionsIn(option('questions')),
    badge: badge === undefined ? undefined : badge.trim() || null,
    newDefault: option('newDefault'),
  })
  const wanted = { ...named, ...Object.fromEntries([...switched(call, 'on'), ...switched(call, 'off')]) }
  if (Object.keys(wanted).length === 0) throw usageError('Say what to change: --name, --on, --off or another option.')
  return wanted
}

type Change = { slug: TierSlug; request: TierChangeRequest; lines: string[] }

/** It needs no confirmation: setting it again undoes it. */
export const set = changeRow<Change>({
  usage: 'set <tier>',
  description: 'Change a tier: its words, what’s included and where it’s shown. Prices: tiers price set',
  options: [
    ['--name <name>', 'its name'],
    ['--description <line>', 'the line below its name'],
    ['--feature <line>', 'what they get; once for each line, all of them', 'repeats'],
    ['--on <what>', listedSwitches, 'repeats'],
    ['--off <what>', listedSwitches, 'repeats'],
    ['--badge <words>', 'the badge on its card; "" for none'],
    ['--minutes <count>', 'minutes of a coaching call; 0 for no calls'],
    ['--calls <count>', 'coaching calls a month'],
    ['--questions <count>', 'questions to the coach a month; 0 for none, all for no limit'],
    newDefaultOption,
  ],
  examples: [
    'set lite --name "Bench Lite" --feature "One" --feature "Two"',
    'set xl --off cards --dry-run',
    'set xl --off by-invitation --on rejoin-later --badge ""',
  ],
  mayCreate: true,
  plan(call) {
    const slug = slugIn(call)
    const wanted = changesIn(call)
    return async (client) => {
      const tiers = await requestTiers(client)
      const tier = tierIn(tiers, slug)
      const request = parseArgument(TierChangeRequest, { ...wanted, version: tier.version }, tierOptions)
      const { newDefault: _other, ...changes } = request
      const preselected = tiers.find((one) => one.isPreselected && one.slug !== slug)?.name ?? null
      const after = v.parse(AdminTier, { ...tier, ...changes })
      const lines = tierConsequences(tier, after, { members: tier.members, preselected })
      const then = { slug, isCard: after.isActive && after.isShown, every: periodsOf(tier) }
      const untrue = await requestUntrue(client, tiers, then)
      const details = [
        ...usesDetails(await requestUses(client, slug)),
        ...wordsDetails(changes),
        ...changesDetails(lines),
        ...untrueDetails(untrue),
      ]
      const facts = { slug, request, lines: [...lines, ...untrue.map((one) => `No longer true: ${one}.`)] }
      return { facts, output: recordOutput('Plan', details, { slug }, facts), question: null }
    }
  },
  apply:
    (_call, { slug, request: body, lines }) =>
    async ({ api }): Promise<Done> => {
      const { name, description, isActive, isShown } = await request(
        AdminTier,
        api.admin.tiers({ tier: slug }).patch(body),
      )
      const sentence = !isActive
        ? `${name} is saved. It’s retired.`
        : isShown
          ? `${name} is on the site now.`
          : `${name} is saved. You sell it by invitation only.`
      return { sentence, record: { slug, name, description }, notes: lines }
    },
})

const wordsDetails = ({ name, description, features }: Partial<TierChangeRequest>): Detail[] => [
  ...(name === undefined ? [] : [{ label: 'Name', value: name }]),
  ...(description === undefined ? [] : [{ label: 'Description', value: description }]),
  ...(features === undefined ? [] : [{ label: 'What they get', value: features.join(', ') }]),
]

/** The price doesn't change. Members who pay another one get notice that they'll pay this one. */
export const move = changeRow<PricePreview>({
  usage: 'move <tier> [month|year]',
  description: 'Move members on another price to the tier’s own, with 30 days’ notice by email',
  examples: ['move xl --dry-run', 'move xl', 'move xl year'],
  asks: true,
  mayCreate: true,
  plan(call) {
    const [slug, every] = [slugIn(call), everyIn(call, 'month')]
    return async (client) => {
      const { name, prices } = await findTier(client, slug)
      const asked = client.api.admin.tiers({ tier: slug }).price
      const { net: price } = priceIn({ name, prices }, every)
      const facts = await request(PricePreview, asked.get({ query: { every, price } }))
      const moving = facts.members.filter(({ stays }) => stays === null).length
      const question = moving === 0 ? null : `Tell ${plural(moving, 'member')} of ${name} by email they’re moving?`
      return { facts, output: previewOutput(facts), question }
    }
  },
  apply:
    (_call, { slug, every, to: price, confirmation }) =>
    async ({ api }) => {
      const body = { every, price, movesMembers: true, confirmation }
      const { tier, told } = await request(PriceChange, api.admin.tiers({ tier: slug }).price.post(body))
      return { sentence: `${plural(told, 'member')} of ${tier.name} told.`, record: { slug, price, told } }
    },
})

type WaitingFacts = { slug: TierSlug; name: string; every: PricePeriod; nextPrice: NextPrice }

/** A price that has started can't be cancelled, only followed by another. */
const cancelPrice = changeRow<WaitingFacts>({
  usage: 'cancel-price <tier> [month|year]',
  description: 'Cancel a price that hasn’t started yet',
  examples: ['cancel-price xl --dry-run', 'cancel-price xl', 'cancel-price xl year'],
  asks: true,
  plan(call) {
    const [slug, every] = [slugIn(call), everyIn(call, 'month')]
    return async (client) => {
      const { name, prices } = await findTier(client, slug)
      const next = prices.find((price) => price.every === every)?.nextPrice
      if (!next) throw new CliError(exitCodes.notFound, `${name} has no price waiting.`)
      const nextPrice = { price: next.net, from: next.from }
      const facts = { slug, name, every, nextPrice }
      const details = [
        { label: 'Tier', value: name },
        { label: 'Waiting', value: nextPriceText(nextPrice, every) },
      ]
      const output = recordOutput('Plan', details, { slug, every, ...nextPrice }, facts)
      return { facts, output, question: `Cancel ${name} at ${nextPriceText(nextPrice, every)}?` }
    }
  },
  apply:
    (_call, { slug, name, every, nextPrice }) =>
    async ({ api }): Promise<Done> => {
      const tier = await request(AdminTier, api.admin.tiers({ tier: slug }).price.delete({ every, ...nextPrice }))
      const { net: price } = priceIn(tier, every)
      const sentence = `Cancelled. ${name} stays at ${exactPriceText({ net: price, every })}.`
      return { sentence, record: { slug, price } }
    },
})

function priceIn({ name, prices }: Pick<AdminTier, 'name' | 'prices'>, every: PricePeriod) {
  const found = prices.find((price) => price.every === every)
  if (found === undefined) throw new CliError(exitCodes.notFound, `${name} has no price by the ${every}.`)
  return found
}

export const tierRows = [list, add, set, order, retire, restore, makeDefault, remove, move, cancelPrice]

export function registerTiers(tiers: Command, io: Io): void {
  registerRows(tiers, io, tierRows)
  registerRows(tiers.command('price').description('Set a tier’s prices, or stop one'), io, tierPriceRows)
}
