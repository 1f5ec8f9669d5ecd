import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { findSubscription } from '#api/features/subscriptions/queries.ts'
import { allTiers } from '#api/features/tiers/service.ts'
import { readAccountSubscriptions, readPriceNames } from '#api/stripe/account.ts'
import { createReadingStripe } from '#api/stripe/client.ts'
import { requestForOwners } from '#api/stripe/errors.ts'
import type { ImportColumn, ImportOptions } from '#shared/contract/imports.ts'
import type { AdoptionRefusal } from '#shared/contract/subscription-link.ts'
import { type AdoptionFacts, adoptionRefusal, type TierChoice } from '#shared/rules/adoption.ts'
import { keptText, priceText } from '#shared/rules/adoption-texts.ts'
import { plural } from '#shared/rules/plural.ts'
import { type GuessedTier, guessTiers } from '#shared/rules/tier-guess.ts'
import type { ImportTask, OpenedFile } from './kind-rules.ts'
import { lastTierChoices } from './tier-choices-queries.ts'

/** A subscription of the account, with what's decided about it before our own rows are asked. */
export type StripeRow = {
  facts: AdoptionFacts
  tier: TierChoice | null
  refusal: AdoptionRefusal | null
  /** Addresses met so far in this reading, which have an account by then. */
  met: Set<string>
}

/** Reads the whole account first, because two of one person may be far apart. */
export async function openAccount(ctx: Context, { options }: ImportTask): Promise<OpenedFile<StripeRow>> {
  const reader = options.rehearses ? { ...ctx, stripe: rehearsalClient(ctx) } : ctx
  const ask = <Result>(request: () => Promise<Result>) => requestForOwners(ctx, 'we don’t know what’s there', request)
  const found = await ask(() => readAccountSubscriptions(reader))
  const all = found.map(({ facts }) => facts)
  const prices = new Map(all.flatMap(({ price }) => (price === null ? [] : [[price.id, price] as const])))
  const names = await ask(() => readPriceNames(reader, new Set(prices.keys())))
  const guesses = guessTiers(
    [...prices.values()].map((price) => ({ ...price, name: names.get(price.id) ?? null })),
    allTiers(ctx).map((tier) => ({ ...tier, prices: tier.prices.filter(({ isOffered }) => isOffered) })),
  )
  const choices = new Map([...prices.keys()].map((id) => [id, options.tiers[id] ?? guesses.get(id)?.tier ?? null]))
  const met = new Set<string>()
  const rows = found.map(({ line, facts }) => ({ line, row: rowOf(facts, choices, met) }))
  const twins = twinsAmong(rows.map(({ row }) => row))
  const others = rows.filter(({ row }) => findSubscription(ctx, row.facts.id) === undefined)
  const columns = [...priceColumns(others, { choices, names, guesses, options }), ...programColumns(others)]
  return { source: 'stripe', columns, problem: unknownPrice(ctx, options, choices), rows: asStream(rows, twins) }
}

function rehearsalClient(ctx: Context) {
  const { rehearsalKey } = ctx.settings.stripe
  if (rehearsalKey.startsWith('rk_')) return createReadingStripe(ctx, rehearsalKey)
  throw new AppError(
    'invalid',
    'A rehearsal needs a restricted key. Make one in Stripe that reads, and set STRIPE_REHEARSAL_KEY (rk_…).',
  )
}

type Choices = ReadonlyMap<string, TierChoice | null>

function rowOf(facts: AdoptionFacts, choices: Choices, met: Set<string>): StripeRow {
  const tier = facts.price === null ? null : (choices.get(facts.price.id) ?? null)
  if (tier === 'none') return { facts, tier, refusal: 'not_a_tier', met }
  const refusal = adoptionRefusal(facts) ?? (tier === null ? 'no_tier' : facts.email === null ? 'no_address' : null)
  return { facts, tier, refusal, met }
}

/** A person may have two at one customer, or at two customers with one address. */
function twinsAmong(rows: readonly StripeRow[]): ReadonlySet<string> {
  const free = rows.filter(({ refusal }) => refusal === null)
  const keys = (row: StripeRow) => [row.facts.customer, row.facts.email ?? row.facts.customer]
  const counts = new Map<string, number>()
  for (const row of free) for (const key of new Set(keys(row))) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Set(free.filter((row) => keys(row).some((key) => (counts.get(key) ?? 0) > 1)).map(({ facts }) => facts.id))
}

async function* asStream(rows: readonly { line: number; row: StripeRow }[], twins: ReadonlySet<string>) {
  for (const { line, row } of rows) {
    yield { line, row: twins.has(row.facts.id) ? { ...row, refusal: 'two_of_one' as const } : row }
  }
}

/** One that was chosen for an earlier import may be gone by now. */
function unknownPrice(ctx: Context, options: ImportOptions, choices: Choices): string | null {
  const earlier = lastTierChoices(ctx)
  const unknown = Object.keys(options.tiers).find((id) => !choices.has(id) && earlier[id] === undefined)
  return unknown === undefined ? null : `No subscription has the price ${unknown}. Check --tier.`
}

type Rows = readonly { row: StripeRow }[]
type Known = {
  choices: Choices
  names: ReadonlyMap<string, string>
  guesses: ReadonlyMap<string, GuessedTier | null>
  options: ImportOptions
}

/** Each price, the tier it becomes, and what of it is kept. */
function priceColumns(rows: Rows, { choices, names, guesses, options }: Known): ImportColumn[] {
  const byPrice = Map.groupBy(rows, ({ row }) => row.facts.price?.id ?? '')
  return [...choices].flatMap(([id, tier]) => {
    const own = byPrice.get(id) ?? []
    const [first] = own
    if (first === undefined) return []
    const guess = options.tiers[id] === undefined ? guesses.get(id)?.guess : undefined
    const parts = [names.get(id) ?? id, priceText(first.row.facts), plural(own.length, 'subscription'), keptOf(own)]
    return [{ heading: id, sample: parts.filter(Boolean).join(' · '), field: tier, ...(guess && { guess }) }]
  })
}

/** One price may be sold with VAT on top to some, and without to others. */
function keptOf(own: Rows): string | null {
  const gross = own.filter(({ row: { facts } }) => facts.tax !== 'on_top' && facts.price?.currency === 'gbp')
  const kept = gross[0] === undefined ? null : keptText(gross[0].row.facts)
  return kept === null || gross.length === own.length ? kept : `${kept.slice(0, -1)} from ${gross.length} of them.`
}

/** The programs that made them, which go on changing them until they're disconnected in Stripe. */
function programColumns(rows: Rows): ImportColumn[] {
  const byProgram = Map.groupBy(rows, ({ row }) => row.facts.application ?? '')
  return [...byProgram].flatMap(([name, own]) => {
    if (name === '') return []
    const fees = [...new Set(own.flatMap(({ row }) => row.facts.applicationFee ?? []))].sort((one, two) => one - two)
    const fee = fees.length === 0 ? 'no fee' : `keeps ${fees.map((per) => `${per}%`).join(' or ')} of each payment`
    return [{ heading: name, sample: `${plural(own.length, 'subscription')} · ${fee}`, field: 'program' }]
  })
}
