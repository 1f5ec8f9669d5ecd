import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { keyedHash } from '#api/secrets.ts'
import { isMonthly, type PriceInfo, readPrice } from '#api/stripe/prices.ts'
import type {
  NextPrice,
  PriceMoveMember,
  PricePreview,
  PricePreviewQuery,
  StaysReason,
} from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'
import { periodAfter, priceMoveAt } from '#shared/rules/price-move.ts'
import { isPeriodBooked } from '#shared/rules/tier-changes.ts'
import { findAdminTier } from './admin-service.ts'
import { type Notice, noticePreview, priceBefore } from './mails.ts'
import { type Payer, payersOfTier } from './price-move-queries.ts'

/** Someone who pays or has booked a price other than the new one. `movesAt` is null if they keep it. */
type Candidate = { payer: Payer; fromNet: number; movesAt: string | null; stays: StaysReason | null }

export type PricePlan = { candidates: Candidate[]; preview: PricePreview }

/** What this price would change. Asks the provider only about prices it hasn't looked up before. */
export async function planPrice(ctx: Context, slug: TierSlug, wanted: PricePreviewQuery): Promise<PricePlan> {
  const { price, from } = wanted
  if (from !== undefined) assertCanWait(ctx, slug, { price, from })
  const payers = payersOfTier(ctx, slug)
  const prices = new Map<string, PriceInfo>()
  for (const id of new Set(payers.flatMap(({ stripePriceId }) => stripePriceId ?? []))) {
    prices.set(id, await readPrice(ctx, id))
  }
  const candidates = payers
    .flatMap((payer) => withNet(slug, payer, prices) ?? [])
    .filter(({ fromNet }) => fromNet !== price)
    .map((one) => candidateOf(ctx, slug, { ...one, isLater: from !== undefined }))
  return { candidates, preview: previewOf(ctx, { slug, ...wanted, candidates }) }
}

function assertCanWait(ctx: Context, slug: TierSlug, { price, from }: NextPrice): void {
  if (from <= londonDay(ctx.billingNow())) throw invalid('from', 'Choose a day after today.')
  if (findAdminTier(ctx, slug).price === price) throw invalid('price', 'That’s the price today. Enter a different one.')
}

const invalid = (field: 'price' | 'from', sentence: string) =>
  new AppError('invalid', sentence, { fields: { [field]: sentence } })

type KnownPrices = ReadonlyMap<string, PriceInfo>

/** What they pay for this tier, or will under a booked change; null if the price is another tier's, or isn't for a month. */
function withNet(slug: TierSlug, payer: Payer, prices: KnownPrices) {
  const { nextTierSlug, nextTierNet, nextTierPrice, stripePriceId } = payer
  const monthly = monthlyOf(payer.yearlyNet)
  if (nextTierSlug === slug && payer.tierSlug !== slug) {
    return (nextTierPrice?.months ?? 1) === 1 ? { payer, fromNet: nextTierNet ?? monthly } : null
  }
  const price = stripePriceId === null ? undefined : prices.get(stripePriceId)
  if (price === undefined) return { payer, fromNet: monthly }
  return price.tier === slug && isMonthly(price) ? { payer, fromNet: price.net } : null
}

type Paying = { payer: Payer; fromNet: number; isLater: boolean }

/** Who pays the old price is told once the new one has started: until then it can be cancelled, and a notice can't. */
function candidateOf(ctx: Context, slug: TierSlug, { payer, fromNet, isLater }: Paying): Candidate {
  const stays = reasonToStay(slug, payer) ?? (isLater ? 'later' : null)
  return { payer, fromNet, stays, movesAt: stays === null ? renewalAfterNotice(ctx, payer) : null }
}

function reasonToStay(slug: TierSlug, payer: Payer): StaysReason | null {
  const { status, collectionPause, nextTierSlug } = payer
  if (payer.userId === null || payer.email === null) return 'no_account'
  if (payer.movingTo !== null) return 'moving'
  if (payer.isEnding) return 'ending'
  if (status === 'past_due' || status === 'unpaid') return 'arrears'
  if (status === 'paused' || collectionPause !== null) return 'paused'
  if (payer.accessOverride === 'revoked') return 'revoked'
  if (nextTierSlug !== null && (nextTierSlug !== slug || isPeriodBooked(payer))) return 'leaving'
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

export function noticeOf({ payer, fromNet, movesAt }: Candidate, tier: { name: string; price: number }): Notice | null {
  const { userId, email, firstName } = payer
  if (movesAt === null || userId === null || email === null) return null
  const before = priceBefore(payer, fromNet)
  return { userId, email, firstName, tierName: tier.name, before, toNet: tier.price, on: movesAt }
}

type Planned = PricePreviewQuery & { slug: TierSlug; candidates: Candidate[] }

function previewOf(ctx: Context, { slug, price, from: day, candidates }: Planned): PricePreview {
  const startsOn = day ?? null
  const { name, price: from, nextPrice, version } = findAdminTier(ctx, slug)
  const members = candidates.map((candidate) => memberOf(candidate, slug, price))
  const [notice] = candidates.flatMap((candidate) => noticeOf(candidate, { name, price }) ?? [])
  const mail = notice ? noticePreview(ctx, notice) : null
  const replacesNext = nextPrice !== null && (startsOn !== null || nextPrice.price === price)
  const shown = { slug, name, from, to: price, startsOn, nextPrice, replacesNext, version, members, mail }
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
