import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { knownTier, priceMeant } from '#api/features/tiers/service.ts'
import { getOrCreatePrice, getOrCreateVatRate } from '#api/stripe/prices.ts'
import type { PersonSeed } from '#data/seed/people.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { fullName } from '#shared/rules/person-name.ts'

/** What happens at the payment sandbox at a time in the past. */
export type Step = { at: number; run(): Promise<void> }

/** The accounts of those who bought, by the provider's id of the customer. */
export type Bought = Map<string, string>

export function purchaseSteps(ctx: Context, people: readonly PersonSeed[], bought: Bought): Step[] {
  return people.flatMap((person) => {
    const at = joinedAt(ctx, person)
    if (at === null) return []
    const its = { subscription: '' }
    const join = async () => {
      its.subscription = await joinInState(ctx, person, bought)
    }
    // They cancelled as members do: they used the month they'd paid for, and it ended weeks ago.
    const cancel = async () => {
      await ctx.stripe.subscriptions.update(its.subscription, { cancel_at_period_end: true })
    }
    const later: Partial<Record<PersonSeed['state'], Step>> = {
      past_due: { at: lateSince(ctx).getTime() - dayMs / 2, run: () => attachFailingCard(ctx, person.email) },
      canceled: { at: lastPaidBeforeLeaving(ctx) + dayMs / 24, run: cancel },
    }
    const then = later[person.state]
    return [{ at, run: join }, ...(then === undefined ? [] : [then])]
  })
}

/** When one of the named accounts joined. Where the sandbox shows a year, it's theirs too. Null for who never did. */
export function joinedAt(ctx: Context, { state }: Pick<PersonSeed, 'state'>): number | null {
  const now = ctx.billingNow().getTime()
  const isYear = ctx.settings.sandboxPeople === 'many'
  switch (state) {
    case 'active':
      return isYear ? monthsEarlier(now - 20 * dayMs, 11) : now - 20 * dayMs
    case 'canceled':
      return isYear ? monthsEarlier(lastPaidBeforeLeaving(ctx), 7) : lastPaidBeforeLeaving(ctx)
    case 'past_due':
      return sameDateBefore(lateSince(ctx), isYear ? [11, 10, 9] : [1, 2]).getTime()
    case 'trialing':
      return now - 2 * dayMs
    default:
      return null
  }
}

function lastPaidBeforeLeaving(ctx: Context): number {
  const at = ctx.billingNow().getTime() - 65 * dayMs
  return ctx.settings.sandboxPeople === 'many' ? monthsEarlier(at, 0) : at
}

const lateSince = (ctx: Context) => new Date(ctx.billingNow().getTime() - 3 * dayMs)

/** On a day that every month has, so that renewals fall on it. */
function monthsEarlier(at: number, months: number): number {
  const start = new Date(at)
  start.setUTCDate(Math.min(28, start.getUTCDate()))
  return start.setUTCMonth(start.getUTCMonth() - months)
}

/** The same day some months earlier. Not every month has that day, and renewals fall on it only if both months do. */
function sameDateBefore(renewal: Date, months: readonly number[]): Date {
  const candidates = months.map((count) => {
    const start = new Date(renewal)
    start.setUTCMonth(start.getUTCMonth() - count)
    return start
  })
  return candidates.find((start) => start.getUTCDate() === renewal.getUTCDate()) ?? renewal
}

export async function attachFailingCard(ctx: Context, email: string): Promise<void> {
  const { data } = await ctx.stripe.customers.list({ email })
  await payBy(ctx, data[0]?.id ?? '', 'pm_card_chargeCustomerFail')
}

/** Their next payments are tried with this card of Stripe's. */
export async function payBy({ stripe }: Context, customer: string, name: string): Promise<void> {
  const card = await stripe.paymentMethods.attach(name, { customer })
  const subscriptions = await stripe.subscriptions.list({ customer })
  for (const { id } of subscriptions.data) await stripe.subscriptions.update(id, { default_payment_method: card.id })
}

async function joinInState(ctx: Context, person: PersonSeed, bought: Bought): Promise<string> {
  if (person.tier === null) return ''
  const trialEnd = Math.floor((ctx.billingNow().getTime() + 12 * dayMs) / 1000)
  const more = person.state === 'trialing' ? { trial_end: trialEnd } : {}
  return buyTier(ctx, await addCustomer(ctx, person, bought), person.tier, more)
}

type Buyer = Pick<PersonSeed, 'email' | 'firstName' | 'lastName'>

export async function addCustomer(ctx: Context, { email, ...name }: Buyer, bought: Bought): Promise<string> {
  const { id } = await ctx.stripe.customers.create({ email, name: fullName(name) })
  const account = findAccount(ctx, email)
  if (account !== undefined) bought.set(id, account.id)
  return id
}

/** Returns the subscription's id. */
export async function buyTier(
  ctx: Context,
  customer: string,
  slug: TierSlug,
  more: Pick<Stripe.SubscriptionCreateParams, 'trial_end'> = {},
): Promise<string> {
  const card = await ctx.stripe.paymentMethods.attach('pm_card_visa', { customer })
  const subscription = await ctx.stripe.subscriptions.create({
    customer,
    items: [{ price: await getOrCreatePrice(ctx, byTheMonth(ctx, slug)) }],
    default_tax_rates: [await getOrCreateVatRate(ctx)],
    default_payment_method: card.id,
    payment_settings: { save_default_payment_method: 'on_subscription' },
    ...more,
  })
  return subscription.id
}

export const byTheMonth = (ctx: Context, slug: TierSlug) => priceMeant(ctx, knownTier(ctx, slug), undefined)
