import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import { yesNoLabel } from '#cli/labels.ts'
import { recordOutput } from '#cli/output.ts'
import { parseArgument, request, withoutUnset } from '#cli/request.ts'
import { type Call, changeRow } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { AdminTier, AdminTierList, NewTierRequest, TierUses } from '#shared/contract/admin-tier.ts'
import { Done } from '#shared/contract/auth.ts'
import { TierSentences } from '#shared/contract/found-text.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { defaultCommissionRate } from '#shared/rules/commission.ts'
import { openPagesText } from '#shared/rules/first-new-tier.ts'
import { lineText, tierConsequences, usesLines } from '#shared/rules/tier-consequences.ts'
import { exactPriceText, priceNotes } from '#shared/rules/tier-prices.ts'
import { cardFacts, type TierToBe } from '#shared/rules/tier-sentences.ts'
import { requestTiers, slugIn, tierIn } from './list.ts'
import { parsePounds } from './pounds.ts'

/** The options of a tier’s fields. */
export const tierOptions = {
  name: '--name',
  description: '--description',
  features: '--feature',
  badge: '--badge',
  callDuration: '--minutes',
  callsPerMonth: '--calls',
  questionsPerMonth: '--questions',
}

/** What `--questions` says: null for no limit. */
export const questionsIn = (typed: string | undefined): number | null | undefined =>
  typed === undefined ? undefined : typed === 'all' ? null : Number(typed)

function newTierIn({ argument, option, options }: Call): NewTierRequest {
  const every = { month: option('monthly'), year: option('yearly') }
  const prices = (['month', 'year'] as const).flatMap((period) => {
    const pounds = every[period]
    return pounds === undefined ? [] : [{ every: period, net: parsePounds(pounds, `--${period}ly`, period) }]
  })
  if (prices.length === 0) throw usageError('Give a price: --monthly, --yearly or both.')
  const minutes = option('minutes')
  return parseArgument(
    NewTierRequest,
    withoutUnset({
      slug: argument(0).toLowerCase(),
      name: option('name'),
      description: option('description'),
      features: Array.isArray(options.feature) ? options.feature : [],
      prices,
      videosLike: option('videosLike'),
      ...(minutes === undefined ? {} : { callDuration: Number(minutes), callsPerMonth: Number(option('calls') ?? 1) }),
      ...withoutUnset({ questionsPerMonth: questionsIn(option('questions')) }),
      ...(options.byInvitation === true ? { isByInvitation: true } : {}),
      ...(options.notShown === true ? { isShown: false } : {}),
      ...(options.retired === true ? { isActive: false } : {}),
    }),
    tierOptions,
  )
}

export const add = changeRow<NewTierRequest>({
  usage: 'add <short-name>',
  description: 'Add a tier with its prices. You can’t change its short name later',
  options: [
    ['--name <name>', 'its name'],
    ['--description <line>', 'the line below its name'],
    ['--feature <line>', 'what they get; once for each line', 'repeats'],
    ['--monthly <pounds>', 'its price a month without VAT'],
    ['--yearly <pounds>', 'its price a year without VAT'],
    ['--videos-like <tier>', 'start it with this tier’s videos'],
    ['--minutes <count>', 'minutes of a coaching call'],
    ['--calls <count>', 'coaching calls a month (default: 1)'],
    ['--questions <count>', 'questions to the coach a month; 0 for none (default: no limit)'],
    ['--by-invitation', 'marked “by invitation” on the site'],
    ['--not-shown', 'not on the site: sold by an owner’s invitation only'],
    ['--retired', 'not on sale until it’s restored'],
  ],
  examples: [
    'add crew --name Crew --description "For firms of five" --feature "Videos" --monthly 199 --yearly 1990',
    'add crew --name Crew --description "For firms" --feature "Videos" --monthly 199 --videos-like lite --dry-run',
  ],
  asks: true,
  mayCreate: true,
  plan(call) {
    const facts = newTierIn(call)
    const { slug = '', name, description, features, prices, videosLike, isShown = true, isActive } = facts
    const details = [
      { label: 'Tier', value: slug },
      { label: 'Name', value: name },
      { label: 'Description', value: description },
      { label: 'What they get', value: features.join(', ') },
      ...prices.map(({ every, net }) => ({
        label: 'Price',
        value: exactPriceText({ net, every }),
      })),
      ...(videosLike === undefined ? [] : [{ label: 'Videos', value: `as ${videosLike}` }]),
      { label: 'On sale', value: yesNoLabel(isActive) },
      { label: 'On the site', value: yesNoLabel(isShown) },
    ]
    return async (client) => {
      const tiers = await requestTiers(client)
      const says = [...priceNotes(prices), isActive && isShown ? openPagesText(tiers) : ''].filter(Boolean)
      const then = { slug: null, isCard: isActive && isShown, every: prices.map(({ every }) => every) }
      const plan = [...details, ...untrueDetails(await requestUntrue(client, tiers, then))]
      const output = { ...recordOutput('Plan', plan, { slug, name }, facts), notes: says }
      return { facts, output, question: isActive ? [`Put ${name} on sale?`, ...says].join(' ') : null }
    }
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const headers = { 'idempotency-key': Bun.randomUUIDv7() }
      const { slug, name, isActive } = await request(AdminTier, api.admin.tiers.post(body, { headers }))
      const sentence = isActive
        ? `${name} is on sale. Its commission rate is ${defaultCommissionRate}% until you set another.`
        : `${name} is added. Put it on sale with: alliance tiers restore ${slug}`
      return { sentence, record: { slug, name, isActive } }
    },
})

export const order = changeRow<string[]>({
  usage: 'order <tiers...>',
  description: 'Put the tiers in another order: name them all',
  examples: ['order lite standard xl mastermind', 'order xl standard lite mastermind --dry-run'],
  plan(call) {
    const slugs = call
      .argument(0)
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((slug) => parseArgument(TierSlug, slug))
    const output = recordOutput(
      'Plan',
      [{ label: 'Order', value: slugs.join(', ') }],
      { slugs: slugs.join(' ') },
      slugs,
    )
    return async (client) => {
      const tiers = await requestTiers(client)
      for (const slug of slugs) tierIn(tiers, slug)
      const left = tiers.filter(({ slug }) => !slugs.includes(slug)).map(({ slug }) => slug)
      if (left.length > 0) throw usageError(`Name every tier. Left out: ${left.join(', ')}.`)
      if (slugs.length > tiers.length) throw usageError('Name each tier once.')
      return { facts: slugs, output, question: null }
    }
  },
  apply:
    (_call, slugs) =>
    async ({ api }) => {
      const tiers = await request(AdminTierList, api.admin['tier-order'].put({ slugs }))
      const names = tiers.map(({ name }) => name).join(', ')
      return { sentence: `The order’s now: ${names}.`, record: { slugs: tiers.map(({ slug }) => slug).join(' ') } }
    },
})

type Facts = TierUses & { newDefault?: string; tier: AdminTier; untrue: string[] }

/** What an owner sees before a tier goes: who pays what for it, what names it, and what only it has. */
export const usesDetails = (uses: TierUses): Detail[] => [
  { label: 'Tier', value: uses.name },
  ...usesLines(uses).map((line) => ({ label: 'On it', value: lineText(line) })),
  ...(uses.videos === 0 ? [] : [{ label: 'Videos', value: String(uses.videos) }]),
  ...uses.ownVideos.map(({ title }) => ({ label: 'Only on this tier', value: title })),
  ...(uses.namedBy.length === 0 ? [] : [{ label: 'Used by', value: uses.namedBy.join(', ') }]),
]

export const changesDetails = (changes: readonly string[]): Detail[] =>
  changes.map((value) => ({ label: 'What changes', value }))

/** Sentences of the site that are untrue then, each with where its words are. */
export async function requestUntrue({ api }: Client, tiers: readonly AdminTier[], then: TierToBe): Promise<string[]> {
  const found = await request(TierSentences, api.admin['tier-sentences'].get({ query: cardFacts(tiers, then) }))
  return found.map((one) => `“${one.text}” (${one.in === 'post' ? `post: ${one.title}` : `${one.page}, ${one.entry}`})`)
}

export const untrueDetails = (untrue: readonly string[]): Detail[] =>
  untrue.map((value) => ({ label: 'No longer true', value }))

/** The periods a tier is sold by. */
export const periodsOf = ({ prices }: AdminTier) => prices.flatMap(({ every, isOffered }) => (isOffered ? [every] : []))

/** `isOnSale`: whether it is afterwards. Null if that stays. */
function actDetails({ tier, untrue, ...uses }: Facts, isOnSale: boolean | null): Detail[] {
  const after = { ...tier, isActive: isOnSale ?? tier.isActive }
  const known = { members: tier.members, preselected: null }
  return [...usesDetails(uses), ...changesDetails(tierConsequences(tier, after, known)), ...untrueDetails(untrue)]
}

export const requestUses = ({ api }: Client, slug: TierSlug): Promise<TierUses> =>
  request(TierUses, api.admin.tiers({ tier: slug }).uses.get())

type Reading = { slug: TierSlug; newDefault: string | undefined; isOnSale: boolean | null }

async function readFacts(client: Client, { slug, newDefault, isOnSale }: Reading): Promise<Facts> {
  const tiers = await requestTiers(client)
  const tier = tierIn(tiers, slug)
  const isCard = tier.isShown && (isOnSale ?? tier.isActive)
  return {
    ...(await requestUses(client, slug)),
    tier,
    untrue: isOnSale === null ? [] : await requestUntrue(client, tiers, { slug, isCard, every: periodsOf(tier) }),
    ...(newDefault === undefined ? {} : { newDefault }),
  }
}

type Act = {
  name: 'retire' | 'restore' | 'default'
  example: string
  isOnSale: boolean | null
  /** Whether the tier is so already. Then nothing changes, and nothing's asked. */
  isDone: (tier: AdminTier) => boolean
  /** What it is then, such as “on sale”. */
  state: string
  description: string
  question: (name: string) => string
  done: (name: string) => string
}

const actOn = ({ name: act, example, isOnSale, isDone, state, description, question, done }: Act) =>
  changeRow<Facts>({
    usage: `${act} <tier>`,
    description,
    ...(act === 'retire' ? { options: [newDefaultOption] } : {}),
    examples: [`${example} --dry-run`, example],
    asks: true,
    plan(call) {
      const [slug, newDefault] = [slugIn(call), call.option('newDefault')]
      return async (client) => {
        const facts = await readFacts(client, { slug, newDefault, isOnSale })
        const isKept = isDone(facts.tier)
        const kept = [
          { label: 'Tier', value: facts.name },
          { label: 'Then', value: `no change: it’s ${state}` },
        ]
        return {
          facts,
          output: recordOutput('Plan', isKept ? kept : actDetails(facts, isOnSale), { slug }, facts),
          question: isKept ? null : question(facts.name),
        }
      }
    },
    apply:
      (_call, { slug, name, version, newDefault, tier: before }) =>
      async ({ api }) => {
        if (isDone(before)) return { sentence: `${name} is already ${state}.`, record: { slug, name } }
        const tier = api.admin.tiers({ tier: slug })
        const body = { version, ...(act === 'retire' ? withoutUnset({ newDefault }) : {}) }
        await request(AdminTier, tier[act].post(body))
        return { sentence: done(name), record: { slug, name } }
      },
  })

export const newDefaultOption = ['--new-default <tier>', 'the tier that becomes the default instead'] as const

export const retire = actOn({
  name: 'retire',
  example: 'retire xl',
  isOnSale: false,
  isDone: ({ isActive }) => !isActive,
  state: 'off sale',
  description: 'Take a tier off sale. Its members keep it and its price',
  question: (name) => `Take ${name} off sale?`,
  done: (name) => `${name} is off sale. Its members keep it.`,
})

export const restore = actOn({
  name: 'restore',
  example: 'restore mastermind',
  isOnSale: true,
  isDone: ({ isActive }) => isActive,
  state: 'on sale',
  description: 'Put a retired tier back on sale',
  question: (name) => `Put ${name} back on sale?`,
  done: (name) => `${name} is on sale again.`,
})

export const makeDefault = actOn({
  name: 'default',
  example: 'default xl',
  isOnSale: null,
  isDone: ({ isDefault }) => isDefault,
  state: 'the default tier',
  description: 'Make a tier the one people get if they haven’t chosen one',
  question: (name) => `Make ${name} the default tier?`,
  done: (name) => `${name} is the default tier.`,
})

/** Only one that was never sold. The others can be retired. */
export const remove = changeRow<Facts>({
  usage: 'delete <tier>',
  description: 'Delete a tier that was never sold. You can’t use its short name again',
  options: [newDefaultOption, ['--leave-videos', 'delete it even if no other tier sees some of its videos']],
  examples: ['delete crew --dry-run', 'delete crew'],
  asks: true,
  plan(call) {
    const [slug, newDefault] = [slugIn(call), call.option('newDefault')]
    return async (client) => {
      const facts = await readFacts(client, { slug, newDefault, isOnSale: false })
      const output = recordOutput('Plan', actDetails(facts, false), { slug }, facts)
      return { facts, output, question: `Delete ${facts.name} for good?` }
    }
  },
  apply:
    (call, { slug, name, version, newDefault }) =>
    async ({ api }) => {
      const body = { version, leavesVideos: call.options.leaveVideos === true, ...withoutUnset({ newDefault }) }
      await request(Done, api.admin.tiers({ tier: slug }).delete(body))
      return { sentence: `${name} is deleted.`, record: { slug, name } }
    },
})
