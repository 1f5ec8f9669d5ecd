import type Stripe from 'stripe'
import { acted, personCalled } from '#api/testing/billing.ts'
import { beginJoin } from '#api/testing/joining.ts'
import { millLane } from '#api/testing/paying.ts'
import { cards } from '#api/testing/payments.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import type { Call } from '#api/testing/world.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { closeInvoice, discount, mendCard, spoilCard } from './provider.ts'
import { ask, fromElsewhere, perhaps, type Town, type Tradesman } from './town.ts'

/** Somebody who is no member, or no longer. */
export async function liveOutside(town: Town, person: Tradesman): Promise<void> {
  await perhaps(town, 25, 'join', () => join(town, person))
}

/** About one in how many days each thing happens to a member. */
export async function liveAsMember(town: Town, person: Tradesman, subscription: Stripe.Subscription): Promise<void> {
  await liveWithCard(town, person, subscription)
  if (subscription.cancel_at_period_end)
    await perhaps(town, 20, 'resume', () => ask(person.call, '/api/billing/resume'))
  else await perhaps(town, 120, 'cancel', () => ask(person.call, '/api/billing/cancel'))
  await perhaps(town, 80, 'change tier', () =>
    ask(person.call, '/api/billing/change-tier', { tierSlug: anyTier(town) }),
  )
  if (subscription.schedule !== null) {
    await perhaps(town, 20, 'undo', () => ask(person.call, '/api/billing/change-tier', undefined, 'DELETE'))
  }
  await perhaps(town, 100, 'address', () => ask(person.call, '/api/billing/address', millLane, 'PUT'))
  await perhaps(town, 200, 'discount', () => discount(town, subscription))
  if (isYoung(town, subscription)) await perhaps(town, 60, 'guarantee', () => useGuarantee(town, person))
  await perhaps(town, 500, 'remove', () => remove(town, person, subscription))
}

async function liveWithCard(town: Town, person: Tradesman, subscription: Stripe.Subscription): Promise<void> {
  if (!person.hasBadCard) {
    await perhaps(town, 90, 'bad card', () => spoilCard(town, person, subscription))
    await perhaps(town, 120, 'other card', () => changeCard(town, person))
    return
  }
  await perhaps(town, 9, 'card mended', () => mendCard(town, person, subscription))
  await perhaps(town, 30, 'demand dropped', () => closeInvoice(town, subscription))
}

const anyTier = ({ draw }: Town) => tierSlugs[draw(tierSlugs.length)] ?? 'standard'

const guaranteeSeconds = 14 * 86_400
const isYoung = ({ world }: Town, { created }: Stripe.Subscription) =>
  world.ctx.billingNow().getTime() / 1000 - created < guaranteeSeconds

/** By the front page, or by a link of the owners'. Some are declined first, and some leave before they have paid. */
async function join(town: Town, person: Tradesman): Promise<void> {
  if (town.draw(3) === 0) return joinByLink(town, person)
  const address = town.draw(2) === 0 ? {} : { billingAddress: millLane }
  const asked = { email: person.email, name: 'Sam Field', tierSlug: anyTier(town), ...address }
  const begun = await beginJoin(person.call, asked)
  if (begun.cookie !== '') person.call = begun.call
  await payOrLeave(town, person, begun.answer.clientSecret)
}

/** His first payment is a month after his last one, or the day that the owners know of. */
async function joinByLink(town: Town, person: Tradesman): Promise<void> {
  const { world, draw } = town
  const lastPayment = new Date(world.ctx.billingNow().getTime() - draw(40) * 86_400_000 - 86_400_000)
  const day = lastPayment.toISOString().slice(0, 10)
  const { carried } = await linkTo(world, { email: person.email, name: 'Sam Field', lastPayment: day })
  const tierSlug = draw(2) === 0 ? 'standard' : 'xl'
  const { answer } = await beginDelayed({ ...world, call: fromElsewhere(town) }, carried, { tierSlug })
  person.call = withCookie(fromElsewhere(town), world.signIn(personCalled(world, person.email)).cookie)
  await payOrLeave(town, person, answer.clientSecret)
}

const withCookie =
  (call: Call, cookie: string): Call =>
  (path, options = {}) =>
    call(path, { ...options, headers: { cookie, ...options.headers } })

async function payOrLeave({ world, draw }: Town, person: Tradesman, clientSecret: string): Promise<void> {
  person.hasBadCard = false
  const how = draw(10)
  if (how === 0) return
  if (how === 1) return void (await world.pay(clientSecret, cards.asks3ds))
  if (how === 2) await world.pay(clientSecret, cards.declined)
  await world.pay(clientSecret)
}

async function changeCard({ world }: Town, { call }: Tradesman): Promise<void> {
  const answer = await call('/api/billing/card', { method: 'POST' })
  if (answer.status !== 200) return
  const { clientSecret } = JSON.parse(await answer.text())
  await world.pay(clientSecret, '5555555555554444')
  await acted(call, '/api/billing/card/settle')
}

async function useGuarantee({ asOwner }: Town, { email }: Tradesman): Promise<void> {
  await ask(asOwner, `/api/admin/members/${email}/refund`)
}

/** His account goes, and what he bought stays without a name. */
async function remove(town: Town, person: Tradesman, { id }: Stripe.Subscription): Promise<void> {
  const { world } = town
  await world.ctx.stripe.subscriptions.cancel(id)
  await world.sandbox.settle()
  world.ctx.sqlite.prepare('delete from users where email = ?').run(person.email)
  person.call = fromElsewhere(town)
}
