import type Stripe from 'stripe'
import { liveAsMember, liveOutside } from './members.ts'
import { liveAsOwner, orderSetup } from './owners.ts'
import { giveBack } from './provider.ts'
import { perhaps, type Town, type Tradesman } from './town.ts'

/** One day in the life of everybody. */
export async function liveDay(town: Town): Promise<void> {
  for (const person of town.people) {
    const subscription = await subscriptionOf(town, person)
    if (subscription === null) await liveOutside(town, person)
    else await liveAsMember(town, person, subscription)
    if (person.customer !== null) await perhaps(town, 400, 'refund', () => giveBack(town, person.customer))
  }
  await perhaps(town, 12, 'order', () => orderSetup(town))
  await liveAsOwner(town)
}

/** What he has at the provider that is not over; nothing is asked of us. */
async function subscriptionOf({ world }: Town, person: Tradesman): Promise<Stripe.Subscription | null> {
  const row = world.ctx.sqlite
    .prepare<[string], { id: string }>(
      'select customers.stripeCustomerId as id from customers join users on users.id = customers.userId where email = ?',
    )
    .get(person.email)
  if (row === undefined) return null
  person.customer = row.id
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: row.id, limit: 100 })
  return data.find(({ status }) => status !== 'incomplete_expired') ?? null
}
