import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { isRejectedByStripe } from './errors.ts'
import { idOf } from './ids-and-times.ts'
import { getOrCreateVatRate, withPriceOnSale } from './prices.ts'

/**
 * Books a tier for the next period on: a schedule whose first phase is the running period as it is. Nothing is charged or
 * credited for the days in between. A tier that was booked before is replaced.
 */
export async function bookTierChange(ctx: Context, subscriptionId: string, tier: MembershipTier): Promise<void> {
  const taxRate = await getOrCreateVatRate(ctx)
  await keepCard(ctx, subscriptionId)
  const schedule = await scheduleOf(ctx, subscriptionId)
  const current = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.start_date)
  if (current === undefined) throw new Error(`Schedule ${schedule.id} has no current phase`)
  await withPriceOnSale(ctx, tier, (price) =>
    ctx.stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        asItIs(current),
        {
          items: [{ price, quantity: 1 }],
          default_tax_rates: [taxRate],
          duration: { interval: 'month', interval_count: 1 },
          proration_behavior: 'none',
          metadata: { tier: tier.slug },
          ...discountsOf(current),
        },
      ],
    }),
  )
}

/**
 * What a schedule charges is taken from the customer's card unless its phases name one, and a named one would outlive a
 * change of card: so the card that the first payment left at the subscription becomes the customer's.
 */
async function keepCard(ctx: Context, subscriptionId: string): Promise<void> {
  const { customer, default_payment_method: card } = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (card === null) return
  await ctx.stripe.customers.update(idOf(customer), { invoice_settings: { default_payment_method: idOf(card) } })
}

/** The provider's schedule of the subscription, made from it as it is where there is none. */
async function scheduleOf(ctx: Context, subscriptionId: string): Promise<Stripe.SubscriptionSchedule> {
  const found = await scheduleIdOf(ctx, subscriptionId)
  if (found !== null) return ctx.stripe.subscriptionSchedules.retrieve(found)
  try {
    return await ctx.stripe.subscriptionSchedules.create({ from_subscription: subscriptionId })
  } catch (error) {
    // Another tab was faster; a subscription has one schedule.
    const other = isRejectedByStripe(error) ? await scheduleIdOf(ctx, subscriptionId) : null
    if (other === null) throw error
    return ctx.stripe.subscriptionSchedules.retrieve(other)
  }
}

async function scheduleIdOf(ctx: Context, subscriptionId: string): Promise<string | null> {
  const { schedule } = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  return idOf(schedule)
}

type Phase = Stripe.SubscriptionScheduleUpdateParams.Phase

function asItIs(phase: Stripe.SubscriptionSchedule.Phase): Phase {
  const rates = (phase.default_tax_rates ?? []).flatMap((rate) => idOf(rate) ?? [])
  return {
    start_date: phase.start_date,
    end_date: phase.end_date,
    items: phase.items.map((item) => ({ price: idOf(item.price) ?? '', quantity: item.quantity ?? 1 })),
    default_tax_rates: rates,
    ...(phase.trial_end === null ? {} : { trial_end: phase.trial_end }),
    ...(phase.metadata === null ? {} : { metadata: phase.metadata }),
    ...discountsOf(phase),
  }
}

/** What is taken off every month stays, whatever the tier. */
function discountsOf({ discounts }: Stripe.SubscriptionSchedule.Phase): Pick<Phase, 'discounts'> {
  const kept = discounts.flatMap(({ discount }) => idOf(discount) ?? [])
  return kept.length === 0 ? {} : { discounts: kept.map((discount) => ({ discount })) }
}

/** The subscription goes on as it is. Returns whether a change was booked. */
export async function releaseSchedule(ctx: Context, subscriptionId: string): Promise<boolean> {
  const schedule = await scheduleIdOf(ctx, subscriptionId)
  if (schedule === null) return false
  try {
    await ctx.stripe.subscriptionSchedules.release(schedule)
    return true
  } catch (error) {
    if (!isRejectedByStripe(error)) throw error
    // Refused where another tab released it already, or it ended with its subscription: nothing is booked, as was asked for.
    const { status } = await ctx.stripe.subscriptionSchedules.retrieve(schedule)
    if (status === 'active' || status === 'not_started') throw error
    return false
  }
}
