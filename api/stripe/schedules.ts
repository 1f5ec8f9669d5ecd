import type Stripe from 'stripe'
import type { WaitingStart } from '#api/db/schema/next-payment.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import type { HasStripe } from './client.ts'
import { ignoreIfRefused, isRejectedByStripe } from './errors.ts'
import { idOf, toInstant } from './ids-and-times.ts'
import { tierOfPrice } from './prices.ts'

/** `discounts` are the subscription's current ones: Stripe rejects a phase that names a used-up discount. */
export type NextPhase = {
  /** The price of the tier's item, which `price` takes the place of. Add-ons stay. */
  from: string | null
  /** When the paid period ends, unix seconds. Null if nothing buys a tier. */
  periodEnd: number | null
  price: string
  every: PricePeriod
  /** The period is another one than now, and counts from where the phase begins. */
  restarts: boolean
  taxRate: string
  metadata: Record<string, string>
  discounts: readonly string[]
}

/** Schedules another price from the next period. Nothing is prorated. Replaces any earlier schedule. */
export async function scheduleNextPhase(
  { stripe }: HasStripe,
  schedule: Stripe.SubscriptionSchedule,
  next: NextPhase,
): Promise<void> {
  await stripe.subscriptionSchedules.update(schedule.id, withNextPhase(schedule, next))
}

/** The schedule with its present phase until the paid period ends, and then another price. */
export function withNextPhase(
  schedule: Stripe.SubscriptionSchedule,
  { from, periodEnd, price, every, restarts, taxRate, metadata, discounts }: NextPhase,
): Pick<Stripe.InvoiceCreatePreviewParams.ScheduleDetails, 'end_behavior' | 'proration_behavior'> & {
  phases: Phase[]
} {
  const current = currentPhaseOf(schedule, periodEnd)
  const kept: Pick<Phase, 'discounts'> =
    discounts.length === 0 ? {} : { discounts: discounts.map((discount) => ({ discount })) }
  return {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      { ...unchanged(current), ...kept },
      {
        items: itemsAt(price, current, from),
        default_tax_rates: [taxRate],
        duration: { interval: every, interval_count: 1 },
        // Otherwise nothing is billed until the old anchor's next year: https://docs.stripe.com/billing/subscriptions/billing-mode/compare
        ...(restarts ? { billing_cycle_anchor: 'phase_start' } : {}),
        proration_behavior: 'none',
        metadata,
        ...kept,
      },
    ],
  }
}

/** The schedule with its present phase alone, at whose end the subscription ends. */
export const withoutNextPhase = (schedule: Stripe.SubscriptionSchedule, periodEnd: number | null) => ({
  end_behavior: 'cancel' as const,
  proration_behavior: 'none' as const,
  phases: [unchanged(currentPhaseOf(schedule, periodEnd))],
})

/**
 * A phase of one month that began on the 28th of February ends on the 28th of March, but someone who joined on the 31st has paid until
 * the 31st: a phase counts from its own start, a period from the anchor.
 */
function currentPhaseOf(
  { id, phases, current_phase }: Stripe.SubscriptionSchedule,
  periodEnd: number | null,
): Stripe.SubscriptionSchedule.Phase {
  const current = phases.find(({ start_date }) => start_date === current_phase?.start_date)
  if (current === undefined) throw new Error(`Schedule ${id} has no current phase`)
  return { ...current, end_date: periodEnd ?? current.end_date }
}

/** The subscription's schedule, created from its current state if it has none. */
export async function createOrReuseSchedule(
  ctx: HasStripe,
  subscriptionId: string,
): Promise<Stripe.SubscriptionSchedule> {
  const found = await findScheduleId(ctx, subscriptionId)
  if (found !== null) return ctx.stripe.subscriptionSchedules.retrieve(found)
  try {
    return await ctx.stripe.subscriptionSchedules.create({ from_subscription: subscriptionId })
  } catch (error) {
    // A subscription can have only one, and another tab may have just created it.
    const other = isRejectedByStripe(error) ? await findScheduleId(ctx, subscriptionId) : null
    if (other === null) throw error
    return ctx.stripe.subscriptionSchedules.retrieve(other)
  }
}

async function findScheduleId({ stripe }: HasStripe, subscriptionId: string): Promise<string | null> {
  const { schedule } = await stripe.subscriptions.retrieve(subscriptionId)
  return idOf(schedule)
}

type Phase = Stripe.SubscriptionScheduleUpdateParams.Phase

function unchanged(phase: Stripe.SubscriptionSchedule.Phase): Phase {
  const rates = (phase.default_tax_rates ?? []).flatMap((rate) => idOf(rate) ?? [])
  return {
    start_date: phase.start_date,
    end_date: phase.end_date,
    items: phase.items.map(unchangedItem),
    default_tax_rates: rates,
    ...(phase.billing_cycle_anchor === null ? {} : { billing_cycle_anchor: phase.billing_cycle_anchor }),
    ...(phase.trial_end === null ? {} : { trial_end: phase.trial_end }),
    ...(phase.metadata === null ? {} : { metadata: phase.metadata }),
  }
}

type Item = Stripe.SubscriptionSchedule.Phase.Item

/** Everything an item may have been given in the dashboard. */
const unchangedItem = ({ tax_rates: rates, ...item }: Item) => ({ ...keptOf(item), ...idsOfRates(rates) })

function keptOf({ price, quantity = 1, discounts, metadata, billing_thresholds: thresholds }: Omit<Item, 'tax_rates'>) {
  const kept = discounts.flatMap(discountOf)
  return {
    price: idOf(price) ?? '',
    quantity,
    ...(kept.length === 0 ? {} : { discounts: kept }),
    ...(metadata === null || Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(thresholds?.usage_gte ? { billing_thresholds: { usage_gte: thresholds.usage_gte } } : {}),
  }
}

type Given = { discount: string } | { coupon: string } | { promotion_code: string }

function discountOf({ discount, coupon, promotion_code: code }: Item['discounts'][number]): Given[] {
  const [given, of, by] = [idOf(discount), idOf(coupon), idOf(code)]
  if (given !== null) return [{ discount: given }]
  if (of !== null) return [{ coupon: of }]
  return by === null ? [] : [{ promotion_code: by }]
}

/** The tier's item at another price and our rate. */
function itemsAt(price: string, { items }: Stripe.SubscriptionSchedule.Phase, from: string | null) {
  const found = items.findIndex((item) => idOf(item.price) === from)
  const tierAt = Math.max(0, found)
  const tier = items.slice(tierAt, tierAt + 1).map((item) => ({ ...keptOf(item), price }))
  return [...tier, ...items.filter((_item, at) => at !== tierAt).map(unchangedItem)]
}

/** Another program may have put its VAT on the item. */
function idsOfRates(rates: Item['tax_rates']): { tax_rates?: string[] } {
  const ids = (rates ?? []).flatMap((rate) => idOf(rate) ?? [])
  return ids.length === 0 ? {} : { tax_rates: ids }
}

/** What a schedule with a start date begins, the soonest first. Only at a price that names one of our tiers. */
export async function listWaitingStarts(ctx: HasStripe, customer: string): Promise<Omit<WaitingStart, 'payment'>[]> {
  const found: Omit<WaitingStart, 'payment'>[] = []
  for await (const { id, phases } of ctx.stripe.subscriptionSchedules.list({ customer, scheduled: true, limit: 100 })) {
    const [first] = phases
    const prices = (first?.items ?? []).map(({ price }) => tierOfPrice(ctx, idOf(price) ?? ''))
    const tierSlug = (await Promise.all(prices)).find((tier) => tier !== null)
    if (first !== undefined && tierSlug != null) found.push({ schedule: id, at: toInstant(first.start_date), tierSlug })
  }
  return found.sort((one, other) => one.at.localeCompare(other.at))
}

/** Ends what would begin later. Nothing is charged. */
export async function cancelWaitingStarts({ stripe }: HasStripe, customer: string): Promise<void> {
  for await (const { id } of stripe.subscriptionSchedules.list({ customer, scheduled: true, limit: 100 }))
    await ignoreIfRefused(() => stripe.subscriptionSchedules.cancel(id))
}

/** Cancels the scheduled change and leaves the subscription as it is. Returns whether there was one. */
export async function releaseSchedule(ctx: HasStripe, subscriptionId: string): Promise<boolean> {
  const schedule = await findScheduleId(ctx, subscriptionId)
  if (schedule === null) return false
  try {
    await ctx.stripe.subscriptionSchedules.release(schedule)
    return true
  } catch (error) {
    if (!isRejectedByStripe(error)) throw error
    // Rejected because another tab released it, or it ended with its subscription. Either way nothing's scheduled now.
    const { status } = await ctx.stripe.subscriptionSchedules.retrieve(schedule)
    if (status === 'active' || status === 'not_started') throw error
    return false
  }
}
