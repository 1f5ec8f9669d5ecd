import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { adoptedSubscriptions } from '#api/db/schema/subscriptions.ts'
import { AppError } from '#api/errors.ts'
import { findAdoption } from '#api/features/subscriptions/adoption-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import type { FoundCustomer, FoundSubscription } from '#api/stripe/found-customer.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type AdoptionFacts, adoptionRefusal } from '#shared/rules/adoption.ts'
import { refusalWords } from '#shared/rules/adoption-texts.ts'
import { readerOf } from './rows-service.ts'

export const refused = (message: string) => new AppError('conflict', message)

/** A subscription that's about to be ours, and the tier an owner says its price is for. */
export type Adopted = { facts: AdoptionFacts; tier: TierSlug }

/** Only the named one becomes ours. A second membership would be cancelled and refunded by the sync. */
export function adoptableOf(ctx: Context, { id, subscriptions }: FoundCustomer, reference: string): AdoptionFacts {
  const named = subscriptions.find((one) => one.id === reference)
  if (named === undefined)
    throw refused(`Name the subscription of ${id} that you mean (sub_…), because you chose a tier.`)
  const refusal = adoptionRefusal(named.facts)
  if (refusal !== null) {
    const { says, remedy } = refusalWords[refusal]
    throw refused(`${reference} ${says}, so it isn’t linked. ${remedy}`)
  }
  const other = subscriptions.find((one) => one !== named && one.isLive && isOurs(ctx, one))
  if (other !== undefined) {
    throw refused(`${id} has two memberships, ${reference} and ${other.id}. End one in Stripe first.`)
  }
  return named.facts
}

export const isOurs = (ctx: Context, { id, tier }: FoundSubscription) =>
  tier !== null || findAdoption(ctx, id) !== undefined

/** Reads as if it were adopted already. */
export function readerAfter(ctx: Context, adopted: Adopted | null) {
  const reader = readerOf(ctx)
  if (adopted === null) return reader
  const { id, price } = adopted.facts
  const adoption = { tierSlug: adopted.tier, stripePriceId: price?.id ?? '', adoptedAt: ctx.billingNow().toISOString() }
  return { ...reader, adoptionsOf: (customer: string) => new Map([[id, adoption], ...reader.adoptionsOf(customer)]) }
}

type NewAdoption = { accountId: string; adopted: Adopted; isAccountMade: boolean }

/** Call it in the transaction that links the customer. A repeat changes nothing. */
export function writeAdoption(
  ctx: Context,
  actor: Owner['actor'],
  { accountId, adopted: { facts, tier }, isAccountMade }: NewAdoption,
): void {
  const { id, customer: stripeCustomerId, price } = facts
  const isNew = insertIfAbsent(ctx, adoptedSubscriptions, {
    id,
    stripeCustomerId,
    stripePriceId: price?.id ?? '',
    tierSlug: tier,
    isAccountMade,
    adoptedAt: ctx.billingNow().toISOString(),
  })
  if (!isNew) return
  const detail = { subscription: id, tier, price: price?.id, application: facts.application }
  audit(ctx, actor, 'subscription.adopted', { targetId: accountId, detail })
}
