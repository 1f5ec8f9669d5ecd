import type Stripe from 'stripe'
import { expect } from 'vitest'
import { consent } from '#api/testing/payments.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { changeStarts, leastDueToday, type TierPrice } from '#shared/rules/tier-changes.ts'
import {
  answer,
  type Choice,
  chosen,
  liveSubscription,
  type Member,
  onlySubscription,
  pricesThere,
  type ThePrice,
  takenFrom,
} from './member.ts'
import type { Step } from './steps.ts'

/** What the table says of a change, from the price that's paid at Stripe. */
async function saidOf({ world }: Member, subscription: Stripe.Subscription | undefined, to: ThePrice | undefined) {
  const price = subscription?.items.data[0]?.price
  if (price === undefined || to === undefined) return null
  const from: TierPrice = {
    tierSlug: price.metadata.tier ?? '',
    every: price.recurring?.interval === 'year' ? 'year' : 'month',
    net: price.unit_amount ?? 0,
  }
  const netsOf = (slug: string) => {
    const net = (every: PricePeriod) =>
      pricesThere(world).find((one) => one.tierSlug === slug && one.every === every)?.net ?? null
    return { month: net('month'), year: net('year') }
  }
  const starts = changeStarts(from, to, { from: netsOf(from.tierSlug), to: netsOf(to.tierSlug) })
  return { starts, name: `${from.every} → ${to.every}, ${starts}` }
}

const isEnding = ({ cancel_at_period_end: ends, cancel_at: at }: Stripe.Subscription) => ends || at !== null

/** With the next bill: anything that's sold, and nothing is taken today. */
export async function change(member: Member, step: Choice): Promise<void> {
  const [before, taken] = [await onlySubscription(member), await takenFrom(member)]
  const { body, price } = chosen(member.world, step)
  const said = await saidOf(member, before, price)
  const booked = await answer(member.call, '/api/billing/change-tier', body)
  expect(await takenFrom(member), 'taken for a change with the next bill').toBe(taken)
  member.count(`change: ${said?.name ?? 'none'}: ${booked === null ? 'refused' : 'booked'}`)
  const isSold = price?.isSold === 1
  if (booked === null) {
    if (before?.status === 'active' && !isEnding(before)) expect(isSold, 'refused, though it’s sold').toBe(false)
    return
  }
  member.promised.clear()
  if (before === undefined || said?.starts === 'same') return
  expect(isSold, 'booked, so it’s sold').toBe(true)
  const { stripe } = member.world.ctx
  const after = await liveSubscription(member)
  const schedule = await stripe.subscriptionSchedules.retrieve(String(after?.schedule))
  const next = await stripe.prices.retrieve(String(schedule.phases.at(-1)?.items[0]?.price))
  expect([next.metadata.tier, next.recurring?.interval, next.unit_amount], 'booked at Stripe').toEqual([
    price?.tierSlug,
    price?.every,
    price?.net,
  ])
}

/** Today: only what the table lets start today. The offer may be turned down, and the page closed before it's done. */
export async function changeToday(member: Member, step: Extract<Step, { kind: 'change today' }>): Promise<void> {
  const { stripe } = member.world.ctx
  const [before, taken] = [await onlySubscription(member), await takenFrom(member)]
  const { body, price } = chosen(member.world, step)
  const said = await saidOf(member, before, price)
  const shown = await answer(member.call, '/api/billing/upgrade/preview', body)
  member.count(`today: ${said?.name ?? 'none'}: ${shown === null ? 'refused' : 'offered'}`)
  if (shown === null || before === undefined) return
  expect([said?.starts, price?.isSold, before.status, isEnding(before)], 'offered today').toEqual([
    'today',
    1,
    'active',
    false,
  ])
  expect(shown.due, 'due today').toBeGreaterThanOrEqual(leastDueToday)
  const { attemptId } = shown
  const started = await answer(member.call, '/api/billing/upgrade', { attemptId })
  const secret: string | undefined = started?.clientSecret ?? undefined
  if (secret !== undefined) {
    const intent = await stripe.paymentIntents.retrieve(secret.split('_secret')[0] ?? '')
    if (step.answer !== 'left') await consent({ body: JSON.stringify(intent) }, step.answer)
    if (step.isSettled) await answer(member.call, '/api/billing/upgrade/settle', { attemptId })
  }
  const isTaken = (await takenFrom(member)) !== taken
  const now = (await liveSubscription(member))?.items.data[0]?.price
  expect((await takenFrom(member)) - taken, 'taken today').toBe(isTaken ? shown.due : 0)
  expect([now?.metadata.tier, now?.unit_amount], 'the price since').toEqual(
    isTaken
      ? [price?.tierSlug, price?.net]
      : [before.items.data[0]?.price.metadata.tier, before.items.data[0]?.price.unit_amount],
  )
  if (isTaken) member.promised.clear()
  member.count(`today: ${said?.name ?? 'none'}: ${isTaken ? 'taken' : 'not taken'}`)
}
