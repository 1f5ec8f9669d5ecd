import type Stripe from 'stripe'
import { expect } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { personCalled } from '#api/testing/billing.ts'
import { onlyCustomer } from '#api/testing/joining.ts'
import { dayOf, half } from '#api/testing/year/books.ts'
import {
  answer,
  liveSubscription,
  type Member,
  nowOf,
  periodEndOf,
  pickedPrice,
  pricesThere,
  rows,
  takenFrom,
} from './member.ts'
import type { Step } from './steps.ts'

const daySeconds = 86_400

export async function addTier({ owner, count }: Member, { periods, net }: Extract<Step, { kind: 'add tier' }>) {
  const prices = periods.map((every) => ({ every, net: every === 'year' ? net * 10 + 7 : net }))
  const name = `Crew ${net} ${periods.length}`
  const added = await answer(owner, '/api/admin/tiers', { name, description: 'Ours', features: ['Videos'], prices })
  if (added !== null) count(`tier added by ${periods.join(' and ')}`)
}

type TierAct = Extract<Step, { kind: 'retire' | 'restore' | 'delete' }>

/** Those that the site came with are never deleted: Stripe names a tier that's been sold. */
export async function changeTiers({ world, owner, count }: Member, { kind, pick }: TierAct): Promise<void> {
  const { tierSlug: slug, version, isDefault } = pickedPrice(world, pick)
  const path = `/api/admin/tiers/${slug}`
  const sold = (await world.ctx.stripe.subscriptions.list({ status: 'all', limit: 100 })).data.some(
    ({ items, metadata }) => metadata.tier === slug || items.data[0]?.price.metadata.tier === slug,
  )
  const done =
    kind === 'delete'
      ? await answer(owner, path, { version, leavesVideos: true }, 'DELETE')
      : await answer(owner, `${path}/${kind}`, { version })
  count(`${kind}: ${done === null ? 'refused' : sold ? 'done, with people in it' : 'done'}`)
  if (done === null || kind === 'restore') return
  expect(isDefault, `${kind} of the default tier`).toBe(0)
  if (kind === 'delete') expect(sold, 'deleted, though it was sold').toBe(false)
}

/** A year is ten months and some pence, so that its twelfth is seldom whole. */
export async function setPrice(member: Member, step: Extract<Step, { kind: 'set price' }>): Promise<void> {
  const { world, owner, count } = member
  const { pick, waits, movesMembers } = step
  const paid = pick === null ? (await liveSubscription(member))?.items.data[0]?.price : undefined
  const every = paid?.recurring?.interval ?? step.every
  const tierSlug = paid?.metadata.tier ?? pickedPrice(world, pick ?? 0).tierSlug
  const price = every === 'year' ? step.net * 10 + 7 : step.net
  const from = waits === 0 ? undefined : dayOf(nowOf(world) + waits * daySeconds)
  const path = `/api/admin/tiers/${tierSlug}/price`
  const query = `every=${every}&price=${price}${from === undefined ? '' : `&from=${from}`}`
  const shown = await answer(owner, `${path}?${query}`, undefined, 'GET')
  if (shown === null) return
  const { confirmation, members } = shown
  const set = await answer(owner, path, { every, price, movesMembers, confirmation, from })
  const moving = members.filter(({ on }: { on: string | null }) => on !== null).length
  expect(set?.told, 'told of the new price').toBe(movesMembers ? moving : 0)
  count(`price of a ${every} set${set.told > 0 ? ', who pays it told' : ''}${waits > 0 ? ', from a day' : ''}`)
}

export async function stopPrice({ world, owner, count }: Member, pick: number): Promise<void> {
  const { tierSlug, every, version } = pickedPrice(world, pick)
  const stopped = await answer(owner, `/api/admin/tiers/${tierSlug}/price/offer`, { every, version }, 'DELETE')
  count(`price of a ${every} stopped: ${stopped === null ? 'refused' : 'done'}`)
  const left = pricesThere(world).filter((price) => price.tierSlug === tierSlug && price.isOffered === 1)
  expect(left.length, 'a tier has a price').toBeGreaterThan(0)
}

/** A month later, and nothing is taken or given back. */
export async function putOff(member: Member): Promise<void> {
  const { world, owner, email, count } = member
  const before = await liveSubscription(member)
  if (before === undefined) return
  const taken = await takenFrom(member)
  const ends = periodEndOf(before)
  const path = `/api/admin/members/${personCalled(world, email).id}/put-off`
  const done = await answer(owner, path, { from: dayOf(ends) })
  count(`put off: ${done === null ? 'refused' : 'done'}`)
  if (done === null) return
  member.promised.clear()
  const [from, to] = [ends, periodEndOf((await liveSubscription(member)) ?? before)].map((at) => new Date(at * 1000))
  const months = (at: Date | undefined) => (at?.getUTCFullYear() ?? 0) * 12 + (at?.getUTCMonth() ?? 0)
  expect(months(to) - months(from), 'put off by a month').toBe(1)
  expect(await takenFrom(member), 'taken by putting off').toBe(taken)
}

/** An hour's jobs with everything from Stripe read: the notices of years, and the prices that members move to. */
export async function runJobs(member: Member): Promise<void> {
  const { world, webhooks } = member
  await world.sandbox.settle()
  await webhooks.deliverRest(world, 1)
  const before = noticesOf(member).length
  for (const name of ['mail', 'price-moves', 'renewals', 'mail', 'upgrades'] as const) await runJob(world.ctx, name)
  await expectMoves(member)
  await expectNotices(member, noticesOf(member).slice(before))
}

type Notice = { subscriptionId: string; kind: string; renewsOn: string; amount: number }

const noticesOf = ({ world }: Member) =>
  rows<Notice>(world, 'select subscriptionId, kind, renewsOn, amount from renewal_notices order by rowid')

type Move = { subscriptionId: string; toNet: number; movesAt: string; toldAt: string }

const openMoves = (member: Member) =>
  rows<Move>(member.world, 'select subscriptionId, toNet, movesAt, toldAt from price_moves where closedAt is null')

/** The first renewal at least 30 days after the notice, and booked for that one alone. */
async function expectMoves(member: Member): Promise<void> {
  for (const { subscriptionId, toNet, movesAt, toldAt } of openMoves(member)) {
    const { stripe } = member.world.ctx
    const movesIn = (Date.parse(movesAt) - Date.parse(toldAt)) / 86_400_000
    expect(movesIn, 'days between notice and new price').toBeGreaterThanOrEqual(30)
    const { schedule } = await stripe.subscriptions.retrieve(subscriptionId)
    if (schedule === null) continue
    const [last] = (await stripe.subscriptionSchedules.retrieve(String(schedule))).phases.slice(-1)
    const { unit_amount: net } = await stripe.prices.retrieve(String(last?.items[0]?.price))
    if (net !== toNet) continue
    expect(dayOf(last?.start_date ?? 0), 'the new price’s day').toBe(dayOf(Date.parse(movesAt) / 1000))
    member.count('price move booked')
  }
}

/** A member who is about to pay for a year has been told, once of each kind, with the sum. Nobody else has. */
async function expectNotices(member: Member, added: readonly Notice[]): Promise<void> {
  const { promised } = member
  const subscription = await liveSubscription(member)
  const due = subscription && (await yearDue(member, subscription))
  if (due === undefined || due === null) return expect(added, 'told of no renewal').toEqual([])
  const { id, kind, day, next, isOptional } = due
  const net = next?.unit_amount ?? 0
  const notice = { subscriptionId: id, kind, renewsOn: day, amount: net + half(net, 5) }
  if (added.length > 0) {
    expect(added, 'told of the renewal').toEqual([notice])
    member.count(`notice: ${kind}`)
    promised.set(day, notice.amount)
  } else if (!isOptional) {
    expect(noticesOf(member), 'told before').toContainEqual({ ...notice, amount: expect.any(Number) })
  }
}

/** A year that renews, or is booked to begin, within 30 days. It isn't told of where a new price isn't booked yet. */
async function yearDue(member: Member, subscription: Stripe.Subscription) {
  const { id, status, items, cancel_at: cancelAt, schedule } = subscription
  const day = dayOf(periodEndOf(subscription))
  const left = (Date.parse(day) - Date.parse(dayOf(nowOf(member.world)))) / 86_400_000
  const isPaying = status === 'active' || (status === 'trialing' && (await takenFrom(member)) > 0)
  const now = items.data[0]?.price
  const next = schedule === null ? now : await nextPriceOf(member, String(schedule))
  const isYear = now?.recurring?.interval === 'year'
  if (!isPaying || cancelAt !== null || left < 0 || left > 30) return null
  if (!isYear && next?.recurring?.interval !== 'year') return null
  const kind = left > 7 ? 'year-first' : 'year-last'
  const isWaiting = openMoves(member).some(
    ({ movesAt, toNet }) => dayOf(Date.parse(movesAt) / 1000) === day && toNet !== next?.unit_amount,
  )
  return { id, kind, day, next, isOptional: isWaiting || (!isYear && kind === 'year-first') }
}

async function nextPriceOf({ world: { ctx } }: Member, schedule: string) {
  const { phases } = await ctx.stripe.subscriptionSchedules.retrieve(schedule)
  return ctx.stripe.prices.retrieve(String(phases.at(-1)?.items[0]?.price))
}

/** What a notice named is what Stripe asked for on that day. */
export async function expectPromised({ world, promised, count }: Member): Promise<void> {
  const { data } = await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world), limit: 100 })
  for (const [day, amount] of promised) {
    if (day >= dayOf(nowOf(world))) continue
    const renewal = data.find(
      ({ billing_reason: reason, created }) => reason === 'subscription_cycle' && dayOf(created) === day,
    )
    expect(renewal?.total, `taken on ${day}`).toBe(amount)
    count('renewed at the sum in the notice')
    promised.delete(day)
  }
}
