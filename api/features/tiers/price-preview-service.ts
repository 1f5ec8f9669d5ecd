import type { Context } from '#api/context.ts'
import { invalidField } from '#api/errors.ts'
import { keyedHash } from '#api/secrets.ts'
import { type PriceInfo, readPrice } from '#api/stripe/prices.ts'
import type { PriceMoveMember, PricePreview, PricePreviewQuery, StaysReason } from '#shared/contract/admin-tier.ts'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'
import { periodAfter, priceMoveAt } from '#shared/rules/price-move.ts'
import { isLikelyPrice, priceNotes } from '#shared/rules/tier-prices.ts'
import { type Notice, noticePreview, priceBefore } from './mails.ts'
import { type Payer, payersOfTier } from './price-move-queries.ts'
import { knownTier, type PriceRow } from './service.ts'

/** Someone who pays or has booked a price other than the new one. `movesAt` is null if they keep it. */
type Candidate = { payer: Payer; fromNet: number; movesAt: string | null; stays: StaysReason | null }

/** `paidAt`: Stripe's prices of this tier and period that someone pays, ours or made in its dashboard. */
export type PricePlan = { candidates: Candidate[]; paidAt: string[]; preview: PricePreview }

/** What this price would change. Asks the provider only about prices it hasn't looked up before. */
export async function planPrice(ctx: Context, slug: TierSlug, wanted: PricePreviewQuery): Promise<PricePlan> {
  const { price, from, every } = wanted
  const row = knownTier(ctx, slug).prices.find((one) => one.every === every)
  const asked = { slug, every, id: row?.id ?? null }
  if (!isLikelyPrice({ every, net: price })) throw invalidField('price', 'Check the price.')
  if (from !== undefined) assertCanWait(ctx, row, { price, from })
  const payers = payersOfTier(ctx, slug)
  const prices = new Map<string, PriceInfo>()
  for (const id of new Set(payers.flatMap(({ stripePriceId }) => stripePriceId ?? []))) {
    prices.set(id, await readPrice(ctx, id))
  }
  const candidates = payers
    .flatMap((payer) => withNet(asked, payer, prices) ?? [])
    .filter(({ fromNet }) => fromNet !== price)
    .map((one) => candidateOf(ctx, asked, { ...one, isLater: from !== undefined }))
  const paidAt = [...prices].flatMap(([stripePriceId, price]) => (isOf(asked, price) ? stripePriceId : []))
  return { candidates, paidAt, preview: previewOf(ctx, { slug, ...wanted, candidates }) }
}

type Later = { price: number; from: string }

function assertCanWait(ctx: Context, row: PriceRow | undefined, { price, from }: Later): void {
  if (from <= londonDay(ctx.billingNow())) throw invalidField('from', 'Choose a day after today.')
  if (row === undefined) throw invalidField('from', 'This tier has no such price yet, so it can only start today.')
  if (row.isOffered && row.net === price) throw invalidField('price', 'That’s the price today. Enter a different one.')
}

type KnownPrices = ReadonlyMap<string, PriceInfo>

/** One of a tier's prices. `id` is our row; null if there's none yet. */
type ThePrice = { slug: TierSlug; every: PricePeriod; id: string | null }

const booksIt = ({ slug, every, id }: ThePrice, { nextTierSlug, nextTierPriceId }: Payer) =>
  nextTierSlug === slug && (nextTierPriceId === null ? every === 'month' : nextTierPriceId === id)

const isOf = ({ slug, every }: Pick<ThePrice, 'slug' | 'every'>, price: PriceInfo) =>
  price.tier === slug && price.interval === every && price.intervalCount === 1

/** What they pay by this price, or will under a booked change; null if they pay by another. */
function withNet(wanted: ThePrice, payer: Payer, prices: KnownPrices) {
  const { nextTierNet, stripePriceId, tierSlug } = payer
  const { slug, every } = wanted
  const price = stripePriceId === null ? undefined : prices.get(stripePriceId)
  const isPaid = price === undefined ? tierSlug === slug && every === 'month' : isOf(wanted, price)
  const monthly = monthlyOf(payer.yearlyNet)
  if (booksIt(wanted, payer) && !(isPaid && tierSlug === slug)) return { payer, fromNet: nextTierNet ?? monthly }
  return isPaid ? { payer, fromNet: price?.net ?? monthly } : null
}

type Paying = { payer: Payer; fromNet: number; isLater: boolean }

/** Who pays the old price is told once the new one has started: until then it can be cancelled, and a notice can't. */
function candidateOf(ctx: Context, wanted: ThePrice, { payer, fromNet, isLater }: Paying): Candidate {
  const stays = reasonToStay(wanted, payer) ?? (isLater ? 'later' : null)
  return { payer, fromNet, stays, movesAt: stays === null ? renewalAfterNotice(ctx, payer) : null }
}

function reasonToStay(wanted: ThePrice, payer: Payer): StaysReason | null {
  const { status, collectionPause, nextTierSlug } = payer
  if (payer.userId === null || payer.email === null) return 'no_account'
  if (payer.movingTo !== null) return 'moving'
  if (payer.isEnding) return 'ending'
  if (status === 'past_due' || status === 'unpaid') return 'arrears'
  if (status === 'paused' || collectionPause !== null) return 'paused'
  if (payer.accessOverride === 'revoked') return 'revoked'
  if (nextTierSlug !== null && !booksIt(wanted, payer)) return 'leaving'
  return payer.isMailRefused ? 'mail_refused' : null
}

/** The mail goes out a little later than it's written. */
const mailMs = 60 * 60 * 1000

/** A trial was promised its first price, so its first payment doesn't count as a renewal. */
export function renewalAfterNotice(
  ctx: Context,
  { status, trialEnd, created, currentPeriodEnd, chargeMonths, nextTierSlug, nextTierPrice }: Payer,
): string {
  const anchor = trialEnd ?? created
  const every = nextTierSlug === null ? chargeMonths : (nextTierPrice?.months ?? 1)
  const nextRenewal = status === 'trialing' || currentPeriodEnd === null ? periodAfter(anchor, every) : currentPeriodEnd
  return priceMoveAt({ anchor, nextRenewal, every }, new Date(ctx.billingNow().getTime() + mailMs))
}

export function noticeOf(
  { payer, fromNet, movesAt }: Candidate,
  tier: { name: string; price: number; every: PricePeriod },
): Notice | null {
  const { userId, email, firstName } = payer
  if (movesAt === null || userId === null || email === null) return null
  const before = priceBefore(payer, fromNet)
  return { userId, email, firstName, tierName: tier.name, before, toNet: tier.price, every: tier.every, on: movesAt }
}

type Planned = PricePreviewQuery & { slug: TierSlug; candidates: Candidate[] }

function previewOf(ctx: Context, { slug, every, price, from: day, candidates }: Planned): PricePreview {
  const startsOn = day ?? null
  const { name, prices, version } = knownTier(ctx, slug)
  const row = prices.find((one) => one.every === every)
  const members = candidates.map((candidate) => memberOf(candidate, slug, price))
  const [notice] = candidates.flatMap((candidate) => noticeOf(candidate, { name, price, every }) ?? [])
  const mail = notice ? noticePreview(ctx, notice) : null
  const nextPrice = row?.nextPrice ? { price: row.nextPrice.net, from: row.nextPrice.from } : null
  const replacesNext = nextPrice !== null && (startsOn !== null || nextPrice.price === price)
  const others = prices.filter((one) => one.isOffered && one.every !== every)
  const notes = priceNotes([...others, { every, net: price }])
  const prospect = { startsOn, nextPrice, replacesNext, notes, version, members, mail }
  const shown = { slug, name, every, from: row?.net ?? null, to: price, ...prospect }
  // Covers the renewals but not the time of day, which would change the preview every time.
  return { ...shown, confirmation: keyedHash(ctx, 'price-preview', JSON.stringify(shown)) }
}

const memberOf = ({ payer, fromNet, movesAt, stays }: Candidate, slug: TierSlug, to: number): PriceMoveMember => ({
  memberId: payer.userId,
  name: payer.name ?? 'Removed account',
  email: payer.email,
  from: fromNet,
  to,
  stays,
  on: movesAt === null ? null : londonDay(new Date(movesAt)),
  isBooked: payer.tierSlug !== slug,
})
