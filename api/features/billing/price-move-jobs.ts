import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { priceMoves } from '#api/db/schema/price-moves.ts'
import { bookTierChange } from '#api/features/billing/tier-change-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { priceBefore, queueNotice } from '#api/features/tiers/mails.ts'
import {
  findNotice,
  findPayer,
  listOpenMoves,
  type OpenMove,
  type Payer,
} from '#api/features/tiers/price-move-queries.ts'
import { closeMove } from '#api/features/tiers/price-move-state-service.ts'
import { renewalAfterNotice } from '#api/features/tiers/price-preview-service.ts'
import { atPrice, tierBySlug } from '#api/features/tiers/service.ts'
import { errorName } from '#api/log.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { isUnreachable } from '#api/stripe/errors.ts'
import { tierOfPrice } from '#api/stripe/prices.ts'
import { noticeMs } from '#shared/rules/price-move.ts'

/** A renewal this close to the named time is the one meant, since the provider's clock may differ. */
const toleranceMs = 12 * 60 * 60 * 1000

/** Books new prices at the provider for the renewals named in the notices. What can't be booked yet waits for the next run. */
export async function bookPriceMoves(ctx: Context) {
  const report = { booked: 0, dropped: 0, toldAgain: 0, failed: 0 }
  for (const move of listOpenMoves(ctx)) {
    try {
      const done = await withKeyLock(ctx, move.userId ?? move.customerId, () => advanceMove(ctx, move))
      if (done !== null) report[done] += 1
    } catch (error) {
      if (isUnreachable(error)) throw error
      report.failed += 1
      ctx.log.warn('price move not booked', { stripeCustomerId: move.stripeCustomerId, name: errorName(error) })
    }
  }
  return report
}

type Done = 'booked' | 'dropped' | 'toldAgain'

async function advanceMove(ctx: Context, move: OpenMove): Promise<Done | null> {
  const notice = findNotice(ctx, move)
  if (notice?.status === 'refused' || notice?.status === 'failed') return dropMove(ctx, move, 'refused')
  if (!notice?.sentAt || isBooked(move) || !isAtNextRenewal(move)) return null
  await syncCustomer(ctx, move.stripeCustomerId)
  const payer = findPayer(ctx, move.subscriptionId)
  // Leave unpaid and paused ones, and ones the sync dropped.
  if (payer?.status !== 'active' || payer.collectionPause || payer.isEnding || payer.movingTo === null) return null
  if (payer.tierSlug !== move.tierSlug && payer.nextTierSlug !== move.tierSlug) {
    // While a new tier's first payment is under way, only its price shows the tier.
    const isUnderWay = payer.stripePriceId && (await tierOfPrice(ctx, payer.stripePriceId)) === move.tierSlug
    return isUnderWay ? null : dropMove(ctx, move, 'tier_changed')
  }
  const { createdAt, sentAt } = notice
  if (isLate(move, { createdAt, sentAt }) || isMissed(move, payer)) return tellAgain(ctx, move, payer)
  return bookMove(ctx, move)
}

const isBooked = ({ bookedSlug, bookedNet, tierSlug, toNet }: OpenMove) =>
  bookedSlug === tierSlug && bookedNet === toNet

const isAtNextRenewal = ({ currentPeriodEnd, movesAt }: OpenMove) =>
  currentPeriodEnd !== null && Date.parse(currentPeriodEnd) >= Date.parse(movesAt) - toleranceMs

/** The renewal named in the notice went by at the old price, because the server was off or it wasn't paid in time. */
const isMissed = ({ movesAt }: OpenMove, { currentPeriodEnd }: Payer) =>
  currentPeriodEnd !== null && Date.parse(currentPeriodEnd) > Date.parse(movesAt) + toleranceMs

/** The mail stayed in the outbox so long that it names a day less than 30 days away. Both times use the wall clock. */
const isLate = ({ toldAt, movesAt }: OpenMove, { createdAt, sentAt }: { createdAt: string; sentAt: string }) =>
  Date.parse(movesAt) - Date.parse(toldAt) - (Date.parse(sentAt) - Date.parse(createdAt)) < noticeMs

function dropMove(ctx: Context, move: OpenMove, outcome: 'refused' | 'tier_changed'): 'dropped' {
  transact(ctx, () => closeMove(ctx, move, outcome))
  return 'dropped'
}

function tellAgain(ctx: Context, move: OpenMove, payer: Payer): Done | null {
  const { userId, email, firstName } = move
  const tier = tierBySlug(ctx, move.tierSlug)
  if (userId === null || email === null || tier === undefined) return null
  const every = tier.prices.find(({ id }) => id === move.tierPriceId)?.every ?? 'month'
  const movesAt = renewalAfterNotice(ctx, payer)
  const notices = move.notices + 1
  transact(ctx, () => {
    const told = { movesAt, notices, toldAt: ctx.billingNow().toISOString() }
    ctx.db.update(priceMoves).set(told).where(eq(priceMoves.id, move.id)).run()
    const { fromNet, toNet } = move
    const before = priceBefore(payer, fromNet)
    const notice = { userId, email, firstName, tierName: tier.name, before, toNet, every, on: movesAt }
    queueNotice(ctx, { id: move.id, notices }, notice)
  })
  return 'toldAgain'
}

async function bookMove(ctx: Context, move: OpenMove): Promise<Done | null> {
  const { id, subscriptionId, tierSlug, tierPriceId, toNet, userId } = move
  const tier = tierBySlug(ctx, tierSlug)
  const price = tier?.prices.find((one) => one.id === tierPriceId)
  if (tier === undefined || price === undefined) return null
  const stripePriceId = await bookTierChange(ctx, subscriptionId, atPrice(tier, { ...price, net: toNet }))
  transact(ctx, () => {
    // If the notice's price was archived, we may have had to create another.
    ctx.db.update(priceMoves).set({ stripePriceId }).where(eq(priceMoves.id, id)).run()
    audit(ctx, 'system', 'price_move.booked', { targetId: userId, detail: { tier: tierSlug, to: toNet, move: id } })
  })
  await syncCustomer(ctx, move.stripeCustomerId)
  return 'booked'
}
