import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { bookTierChange } from '#api/features/billing/tier-change-service.ts'
import { refundInvoiceInFull, refundInvoiceInPart } from '#api/stripe/refunds.ts'
import { type YearSeed, yearSeeds } from '#data/seed/year.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { londonMonth } from '#shared/rules/london.ts'
import { noteRevenue } from './history-service.ts'
import { addCustomer, type Bought, buyTier, byTheMonth, payBy, type Step } from './purchases-service.ts'

const hour = 3_600_000
const day = 24 * hour

/** Whom this sandbox shows besides the named accounts. */
export const yearPeople = ({ settings }: Context): readonly YearSeed[] =>
  settings.sandboxPeople === 'few' ? [] : yearSeeds

/** When a month of theirs began: 0 is the one they joined in. By day, so that it’s the same date in London and in UTC. */
export function monthOf({ monthsAgo, day: date, phone }: YearSeed, month: number, now: Date): number {
  const [thisYear, thisMonth] = londonMonth(now).split('-').map(Number)
  const minute = (Number(phone.slice(-3)) * 7) % 480
  return Date.UTC(thisYear ?? 0, (thisMonth ?? 0) - 1 - monthsAgo + month, date, 9, minute)
}

/** `ctx` is dated by the past. */
export function yearSteps(ctx: Context, people: readonly YearSeed[], bought: Bought, now: Date): Step[] {
  return people.flatMap((person) => {
    const [kind, months = '0', to] = person.story.split(' ')
    const { tier } = person
    if (tier === null) return []
    const at = (month: number) => monthOf(person, month, now)
    const [after, its] = [Number(months), { customer: '', subscription: '' }]
    const lastPaid = at(at(person.monthsAgo) > now.getTime() ? person.monthsAgo - 1 : person.monthsAgo)
    const join = async () => {
      its.customer ||= await addCustomer(ctx, person, bought)
      its.subscription = await buyTier(ctx, its.customer, tier)
    }
    const cancel = async () => {
      await ctx.stripe.subscriptions.update(its.subscription, { cancel_at_period_end: true })
    }
    const use = (card: string) => () => payBy(ctx, its.customer, card)
    const leave = { at: at(after) - 6 * day, run: cancel }
    const stories: Record<string, () => Step[]> = {
      // What a tier brought in is noted before and after the change: later, only the last tier can be read.
      rise: () => [
        { at: at(after) - 3 * day, run: () => bookTier(ctx, its.subscription, v.parse(TierSlug, to)) },
        ...[-hour, hour].map((by) => ({ at: at(after) + by, run: () => noteRevenue(ctx, its.customer, bought) })),
      ],
      slip: () => [
        { at: at(after) - 12 * hour, run: use('pm_card_chargeCustomerFail') },
        { at: at(after) + 4 * day, run: use('pm_card_mastercard') },
      ],
      lost: () => [{ at: at(after) - 12 * hour, run: use('pm_card_chargeCustomerFail') }],
      left: () => [leave],
      back: () => [leave, { at: at(after + 1), run: join }],
      part: () => [{ at: at(after) + 5 * day, run: () => refundHalf(ctx, its.subscription) }],
      refunded: () => [{ at: at(0) + 6 * day, run: () => refundAll(ctx, its.subscription) }],
      // Within what they've paid for. Cancelled before it, they'd have left by now.
      ending: () => [{ at: Math.max(now.getTime() - 5 * day, Math.min(now.getTime(), lastPaid + hour)), run: cancel }],
    }
    const story = stories[kind === 'fall' ? 'rise' : (kind ?? '')]?.() ?? []
    return [{ at: at(0), run: join }, ...story]
  })
}

async function bookTier(ctx: Context, subscription: string, to: TierSlug): Promise<void> {
  await bookTierChange(ctx, subscription, byTheMonth(ctx, to))
}

async function lastPayment({ stripe }: Context, subscription: string) {
  const { data } = await stripe.invoices.list({ subscription, limit: 1 })
  return { invoice: data[0]?.id ?? '', amount: data[0]?.amount_paid ?? 0 }
}

async function refundHalf(ctx: Context, subscription: string): Promise<void> {
  const { invoice, amount } = await lastPayment(ctx, subscription)
  await refundInvoiceInPart(ctx, { invoice, id: subscription, amount: amount / 2 })
}

async function refundAll(ctx: Context, subscription: string): Promise<void> {
  await refundInvoiceInFull(ctx, (await lastPayment(ctx, subscription)).invoice, 'requested_by_customer')
  await ctx.stripe.subscriptions.cancel(subscription)
}
