import { and, eq, inArray } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { jsonFieldOf } from '#api/db/expressions.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { priceMoves } from '#api/db/schema/price-moves.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { tierPrices } from '#api/db/schema/tiers.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { toOwnerError } from '#api/stripe/errors.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import { getOrCreatePrice } from '#api/stripe/prices.ts'
import type {
  AdminTier,
  NextPriceCancelRequest,
  PriceChange,
  PriceChangeRequest,
  PricePreview,
  PricePreviewQuery,
  PriceStopRequest,
} from '#shared/contract/admin-tier.ts'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { findAdminTier, storeTier } from './admin-service.ts'
import { queueNotice } from './mails.ts'
import { findOpenMove } from './price-move-queries.ts'
import { noticeOf, type PricePlan, planPrice } from './price-preview-service.ts'
import { atPrice, knownTier, type PriceRow, type Tier } from './service.ts'

export async function previewPrice(ctx: Context, slug: TierSlug, wanted: PricePreviewQuery): Promise<PricePreview> {
  try {
    return (await planPrice(ctx, slug, wanted)).preview
  } catch (error) {
    throw toOwnerError(ctx, error)
  }
}

type Change = PriceChangeRequest & { slug: TierSlug }

/**
 * Changes a tier's price, now or from a day, and may move its members, from the renewal named in their notice. Safe to repeat.
 */
export const changePrice = (ctx: Context, owner: Owner, change: Change): Promise<PriceChange> =>
  withKeyLock(ctx, `tier-price:${change.slug}:${change.every}`, () =>
    lookingAgainForOwner(ctx, () => priceAndTell(ctx, owner, change)),
  )

async function priceAndTell(ctx: Context, owner: Owner, change: Change): Promise<PriceChange> {
  const { slug, every, price, from } = change
  const tier = knownTier(ctx, slug)
  const plan = await planPrice(ctx, slug, { every, price, from })
  const row = rowOf(ctx, tier, change)
  if (isDone(row, change, plan)) return { tier: findAdminTier(ctx, slug), told: 0 }
  assertAsShown(plan, change)
  // Before storing anything, so that a refusal by the provider changes nothing.
  const priceId = await getOrCreatePrice(ctx, atPrice(tier, { ...row, net: price }))
  const told = transact(ctx, () => {
    assertUnchanged(ctx, plan)
    if (plan.preview.from === null) {
      insertRow(ctx, tierPrices, row)
      claimPayers(ctx, row, plan)
    }
    const count = change.movesMembers ? tellMembers(ctx, plan, { name: tier.name, row, price, priceId }) : 0
    storePrice(ctx, row, plan, { price, stripePriceId: priceId, from })
    const on = from === undefined ? {} : { on: from }
    const detail = { tier: slug, ...ofYear(every), from: plan.preview.from, to: price, ...on, told: count }
    audit(ctx, owner.actor, 'tier.price', { targetId: slug, detail })
    return count
  })
  invalidateResponses(ctx, ['pages'])
  return { tier: findAdminTier(ctx, slug), told }
}

/** Who paid by the year before we sold years, at a price made in Stripe's dashboard, pays by this row from now on. */
function claimPayers(ctx: Context, { id: tierPriceId }: PriceRow, { paidAt }: PricePlan): void {
  ctx.db.update(subscriptions).set({ tierPriceId }).where(inArray(subscriptions.stripePriceId, paidAt)).run()
}

/** The first response was lost: the price is already set, and everyone who can be told has been. */
function isDone(row: PriceRow, { price, movesMembers, from }: Change, { candidates }: PricePlan): boolean {
  if (from !== undefined) return row.nextPrice?.net === price && row.nextPrice.from === from
  return row.isOffered && row.net === price && (!movesMembers || candidates.every(({ movesAt }) => movesAt === null))
}

const outdated = () =>
  new AppError('price_changed', 'What this changes for your members is different now. Check it again.')

function assertAsShown({ preview }: PricePlan, { confirmation }: Change): void {
  if (preview.confirmation !== confirmation) throw outdated()
}

/** During the provider call another process may have changed the tier, or a waiting price may have started. */
function assertUnchanged(ctx: Context, { preview }: PricePlan): void {
  const { version, prices } = knownTier(ctx, preview.slug)
  const row = prices.find(({ every }) => every === preview.every)
  const isSame = version === preview.version && (row?.net ?? null) === preview.from
  if (!isSame || !row?.nextPrice !== (preview.nextPrice === null)) throw outdated()
}

/** The price's row, or the one it will have. */
function rowOf(ctx: Context, tier: Tier, { every, price: net }: Pick<Change, 'every' | 'price'>): PriceRow {
  const at = ctx.now().toISOString()
  const known = tier.prices.find((one) => one.every === every)
  const fresh = { id: ctx.newId(), tierSlug: tier.slug, every, net, createdAt: at, updatedAt: at }
  return known ?? { ...fresh, isOffered: false, nextPrice: null, stripePriceId: null }
}

type Priced = { price: number; stripePriceId: string; from: string | undefined }

/** The row also becomes what it is by now, if a waiting price has started. */
function storePrice(ctx: Context, row: PriceRow, { preview }: PricePlan, { price, stripePriceId, from }: Priced): void {
  const { net, nextPrice } = row
  if (from !== undefined) {
    writePrice(ctx, row, { ...row, nextPrice: { net: price, stripePriceId, from } })
  } else if (net !== price || !row.isOffered) {
    const next = preview.replacesNext ? null : nextPrice
    writePrice(ctx, row, { net: price, stripePriceId, nextPrice: next, isOffered: true })
  }
}

/** A change of a price is one of its tier. */
function writePrice(ctx: Context, { id, tierSlug }: PriceRow, row: Partial<PriceRow>): void {
  ctx.db
    .update(tierPrices)
    .set({ ...row, updatedAt: ctx.now().toISOString() })
    .where(eq(tierPrices.id, id))
    .run()
  storeTier(ctx, tierSlug, {})
}

/** Takes back a price that hasn't started. Safe to repeat: the audit log knows a price that was taken back before. */
export function cancelNextPrice(ctx: Context, owner: Owner, wanted: NextPriceCancelRequest & { slug: TierSlug }) {
  const { slug, every, price, from } = wanted
  const cancelled = transact(ctx, (): AdminTier => {
    const tier = knownTier(ctx, slug)
    const row = rowOf(ctx, tier, wanted)
    const { nextPrice: next, net: now, stripePriceId } = row
    if (next === null && now === price && from <= londonDay(ctx.billingNow())) {
      throw new AppError('conflict', 'This price has started, so you can’t cancel it. Set another one.')
    }
    if (next === null && !wasCancelled(ctx, wanted))
      throw new AppError('not_found', `${tier.name} has no price waiting.`)
    if (next !== null) {
      if (next.net !== price || next.from !== from) throw outdated()
      writePrice(ctx, row, { net: now, stripePriceId, nextPrice: null })
      const detail = { tier: slug, ...ofYear(every), from: now, to: price, on: from }
      audit(ctx, owner.actor, 'tier.price_cancelled', { targetId: slug, detail })
    }
    return findAdminTier(ctx, slug)
  })
  invalidateResponses(ctx, ['pages'])
  return cancelled
}

function wasCancelled(ctx: Context, { slug, price, from }: NextPriceCancelRequest & { slug: TierSlug }): boolean {
  const { action, targetId, detail } = auditEntries
  const isPrice = and(eq(jsonFieldOf(detail, 'to'), price), eq(jsonFieldOf(detail, 'on'), from))
  const isEntry = and(eq(targetId, slug), eq(action, 'tier.price_cancelled'), isPrice)
  return ctx.db.select({ id: auditEntries.id }).from(auditEntries).where(isEntry).limit(1).get() !== undefined
}

type NewPrice = { name: string; row: PriceRow; price: number; priceId: string }

function tellMembers(ctx: Context, { candidates }: PricePlan, { priceId, row, ...tier }: NewPrice): number {
  let told = 0
  for (const candidate of candidates) {
    const notice = noticeOf(candidate, { ...tier, every: row.every })
    if (notice === null) continue
    // Another process told them during the provider call.
    if (findOpenMove(ctx, candidate.payer.subscriptionId) !== undefined) throw outdated()
    const move = {
      id: ctx.newId(),
      subscriptionId: candidate.payer.subscriptionId,
      tierSlug: row.tierSlug,
      tierPriceId: row.id,
      notices: 1,
      fromNet: candidate.fromNet,
      toNet: tier.price,
      stripePriceId: priceId,
      movesAt: notice.on,
      toldAt: ctx.billingNow().toISOString(),
    }
    insertRow(ctx, priceMoves, move)
    queueNotice(ctx, move, notice)
    audit(ctx, 'system', 'price_move.told', {
      targetId: notice.userId,
      detail: { tier: row.tierSlug, from: candidate.fromNet, to: tier.price, on: notice.on },
    })
    told += 1
  }
  return told
}

/** Log entries without it are of the month’s price. */
const ofYear = (every: PricePeriod) => (every === 'year' ? { every } : {})

type Stop = PriceStopRequest & { slug: TierSlug }

/** Nobody chooses this price from now on. Who pays by it keeps it, and it can be offered again by setting it. */
export function stopPrice(ctx: Context, owner: Owner, { slug, every, version }: Stop): AdminTier {
  const stopped = transact(ctx, () => {
    const tier = knownTier(ctx, slug)
    const row = tier.prices.find((one) => one.every === every)
    if (row === undefined) throw notFound('This price')
    if (!row.isOffered) return findAdminTier(ctx, slug)
    if (version !== tier.version)
      throw versionConflict({ sent: { slug, every, version }, current: findAdminTier(ctx, slug) })
    if (!tier.prices.some((one) => one.isOffered && one !== row))
      throw new AppError('conflict', `${tier.name} has no other price. Set one first, or retire the tier.`)
    writePrice(ctx, row, { net: row.net, stripePriceId: row.stripePriceId, isOffered: false, nextPrice: null })
    audit(ctx, owner.actor, 'tier.price_stopped', { targetId: slug, detail: { tier: slug, every, from: row.net } })
    return findAdminTier(ctx, slug)
  })
  invalidateResponses(ctx, ['pages'])
  return stopped
}
