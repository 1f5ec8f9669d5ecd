import type { Context } from '#api/context.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import { getOrCreatePrice, getOrCreateVatRate } from '#api/stripe/prices.ts'
import type { PersonSeed } from '#data/seed/people.ts'

const day = 86_400_000

type Step = { at: number; run(): Promise<string[]> }

export function purchaseSteps(ctx: Context, people: readonly PersonSeed[]): Step[] {
  const now = ctx.billingNow()
  const byState: Partial<Record<PersonSeed['state'], number>> = {
    active: now.getTime() - 20 * day,
    trialing: now.getTime() - 2 * day,
    past_due: monthsBefore(lateSince(ctx)).getTime(),
    canceled: now.getTime() - 65 * day,
  }
  const bought = people.flatMap((person) => {
    const at = byState[person.state]
    return at === undefined ? [] : [{ at, run: () => buyTier(ctx, person) }]
  })
  const refused = people
    .filter(({ state }) => state === 'past_due')
    .map(({ email }) => ({
      at: lateSince(ctx).getTime() - day / 2,
      run: () => attachFailingCard(ctx, email).then(() => []),
    }))
  return [...bought, ...refused].sort((one, other) => one.at - other.at)
}

const lateSince = (ctx: Context) => new Date(ctx.billingNow().getTime() - 3 * day)

/** The same day one or two months earlier. Not every month has that day, and renewals fall on it only if both months do. */
function monthsBefore(renewal: Date): Date {
  const candidates = [1, 2].map((months) => {
    const start = new Date(renewal)
    start.setUTCMonth(start.getUTCMonth() - months)
    return start
  })
  return candidates.find((start) => start.getUTCDate() === renewal.getUTCDate()) ?? renewal
}

export async function attachFailingCard({ stripe }: Context, email: string): Promise<void> {
  const { data } = await stripe.customers.list({ email })
  const customer = data[0]?.id ?? ''
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  const subscriptions = await stripe.subscriptions.list({ customer })
  for (const { id } of subscriptions.data) await stripe.subscriptions.update(id, { default_payment_method: card.id })
}

async function buyTier(ctx: Context, person: PersonSeed): Promise<string[]> {
  const tier = person.tier === null ? undefined : tierBySlug(ctx, person.tier)
  if (tier === undefined) return []
  const { stripe } = ctx
  const customer = await stripe.customers.create({
    email: person.email,
    name: `${person.firstName} ${person.lastName}`,
  })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: await getOrCreatePrice(ctx, tier) }],
    default_tax_rates: [await getOrCreateVatRate(ctx)],
    default_payment_method: card.id,
    payment_settings: { save_default_payment_method: 'on_subscription' },
    ...(person.state === 'trialing' ? { trial_end: Math.floor((ctx.billingNow().getTime() + 12 * day) / 1000) } : {}),
  })
  // They cancelled as members do: they used the month they'd paid for, and it ended weeks ago.
  if (person.state === 'canceled') await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  return [customer.id]
}
