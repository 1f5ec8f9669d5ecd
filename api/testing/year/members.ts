import type Stripe from 'stripe'
import { sellYear } from '#api/testing/adopting.ts'
import { acted, personCalled } from '#api/testing/billing.ts'
import { beginJoin } from '#api/testing/joining.ts'
import { millLane } from '#api/testing/paying.ts'
import { cards } from '#api/testing/payments.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import type { Call } from '#api/testing/world.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { isLive } from '#shared/rules/membership.ts'
import { closeOpenInvoice, discount, repairCard, setFailingCard } from './provider.ts'
import { callFromNewAddress, maybe, request, type SimulatedPerson, type Simulation } from './simulation.ts'
import { anyPrice } from './tiers.ts'

export async function actAsVisitor(simulation: Simulation, person: SimulatedPerson): Promise<void> {
  await maybe(simulation, 25, 'join', () => join(simulation, person))
}

/** Each thing happens to a member about once in so many days. */
export async function actAsMember(
  simulation: Simulation,
  person: SimulatedPerson,
  subscription: Stripe.Subscription,
): Promise<void> {
  await actWithCard(simulation, person, subscription)
  if (subscription.cancel_at_period_end)
    await maybe(simulation, 20, 'resume', () => request(person.call, '/api/billing/resume'))
  else await maybe(simulation, 120, 'cancel', () => request(person.call, '/api/billing/cancel'))
  await maybe(simulation, 80, 'change tier', () =>
    request(person.call, '/api/billing/change-tier', anyPrice(simulation)),
  )
  await maybe(simulation, 40, 'upgrade', () => upgrade(simulation, person))
  if (subscription.schedule !== null) {
    await maybe(simulation, 20, 'undo', () => request(person.call, '/api/billing/change-tier', undefined, 'DELETE'))
  }
  await maybe(simulation, 100, 'address', () => request(person.call, '/api/billing/address', millLane, 'PUT'))
  await maybe(simulation, 200, 'discount', () => discount(simulation, subscription))
  if (isYoung(simulation, subscription))
    await maybe(simulation, 60, 'guarantee', () => claimGuarantee(simulation, person))
  await maybe(simulation, 500, 'remove', () => remove(simulation, person, subscription))
}

async function actWithCard(
  simulation: Simulation,
  person: SimulatedPerson,
  subscription: Stripe.Subscription,
): Promise<void> {
  if (!person.hasBadCard) {
    await maybe(simulation, 90, 'bad card', () => setFailingCard(simulation, person, subscription))
    await maybe(simulation, 120, 'other card', () => changeCard(simulation, person))
    return
  }
  await maybe(simulation, 9, 'card repaired', () => repairCard(simulation, person, subscription))
  await maybe(simulation, 30, 'invoice given up', () => closeOpenInvoice(simulation, subscription))
}

const anyTier = ({ draw }: Simulation) => shippedTierSlugs[draw(shippedTierSlugs.length)] ?? 'standard'

const guaranteeSeconds = 14 * 86_400
const isYoung = ({ world }: Simulation, { created }: Stripe.Subscription) =>
  world.ctx.billingNow().getTime() / 1000 - created < guaranteeSeconds

/** Through the site, or with an owner's link. Some are declined first, and some leave before paying. */
async function join(simulation: Simulation, person: SimulatedPerson): Promise<void> {
  const way = simulation.draw(12)
  if (way < 4) return joinByLink(simulation, person)
  const isNew = personCalled(simulation.world, person.email).id === ''
  if (way < 8 && isNew) return maybe(simulation, 1, 'year sold', () => joinByYear(simulation, person))
  const address = simulation.draw(2) === 0 ? {} : { billingAddress: millLane }
  const asked = { email: person.email, name: 'Sam Field', ...anyPrice(simulation), ...address }
  const begun = await beginJoin(person.call, asked)
  if (begun.cookie !== '') person.call = begun.call
  await payOrLeave(simulation, person, begun.response.clientSecret)
}

/** The first payment is due a month after the last one, or after a day the owners give. */
async function joinByLink(simulation: Simulation, person: SimulatedPerson): Promise<void> {
  const { world, draw } = simulation
  const lastPayment = new Date(world.ctx.billingNow().getTime() - draw(40) * 86_400_000 - 86_400_000)
  const day = lastPayment.toISOString().slice(0, 10)
  const { carried } = await linkTo(world, { email: person.email, name: 'Sam Field', lastPayment: day })
  const tierSlug = draw(2) === 0 ? 'standard' : 'xl'
  const { response } = await beginDelayed({ ...world, call: callFromNewAddress(simulation) }, carried, { tierSlug })
  person.call = withCookie(callFromNewAddress(simulation), world.signIn(personCalled(world, person.email)).cookie)
  await payOrLeave(simulation, person, response.clientSecret)
}

/** Somebody new. The twelfth of the year is seldom whole pence. */
async function joinByYear(simulation: Simulation, person: SimulatedPerson): Promise<void> {
  const { world, draw } = simulation
  const year = { email: person.email, tier: anyTier(simulation), amount: 100_000 + draw(100_000) }
  const { cookie } = world.signIn(await sellYear(world, year))
  person.call = withCookie(callFromNewAddress(simulation), cookie)
  person.hasBadCard = false
}

const withCookie =
  (call: Call, cookie: string): Call =>
  (path, options = {}) =>
    call(path, { ...options, headers: { cookie, ...options.headers } })

async function payOrLeave({ world, draw }: Simulation, person: SimulatedPerson, clientSecret: string): Promise<void> {
  person.hasBadCard = false
  const how = draw(10)
  if (how === 0) return
  if (how === 1) return void (await world.pay(clientSecret, cards.asks3ds))
  if (how === 2) await world.pay(clientSecret, cards.declined)
  await world.pay(clientSecret)
}

/** An upgrade today, if it's offered. Some only look, and a bad card is declined. */
async function upgrade(simulation: Simulation, { call }: SimulatedPerson): Promise<void> {
  const body = anyPrice(simulation)
  const shown = await call('/api/billing/upgrade/preview', { method: 'POST', body })
  const text = await shown.text()
  if (shown.status >= 500) throw new Error(`${shown.status} ${text}`)
  if (shown.status !== 200 || simulation.draw(4) === 0) return
  const { attemptId, total } = JSON.parse(text)
  const status = await request(call, '/api/billing/upgrade', { attemptId })
  if (status === 409) throw new Error(`An upgrade for ${total} was shown and then refused.`)
}

async function changeCard({ world }: Simulation, { call }: SimulatedPerson): Promise<void> {
  const response = await call('/api/billing/card', { method: 'POST' })
  if (response.status !== 200) return
  const { clientSecret } = JSON.parse(await response.text())
  await world.pay(clientSecret, '5555555555554444')
  await acted(call, '/api/billing/card/settle')
}

async function claimGuarantee({ asOwner }: Simulation, { email }: SimulatedPerson): Promise<void> {
  await request(asOwner, `/api/admin/members/${email}/refund`)
}

async function remove(simulation: Simulation, person: SimulatedPerson, { id }: Stripe.Subscription): Promise<void> {
  const { world } = simulation
  const { subscriptions } = world.ctx.stripe
  // The guarantee may have ended it earlier that day.
  if (isLive((await subscriptions.retrieve(id)).status)) await subscriptions.cancel(id)
  await world.sandbox.settle()
  world.ctx.sqlite.prepare('delete from users where email = ?').run(person.email)
  person.call = callFromNewAddress(simulation)
}
