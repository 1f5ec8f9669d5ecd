import type Stripe from 'stripe'
import { actAsMember, actAsVisitor } from './members.ts'
import { actAsOwner, orderSetup } from './owners.ts'
import { refundPart } from './provider.ts'
import { maybe, type SimulatedPerson, type Simulation } from './simulation.ts'
import { changeTiers } from './tiers.ts'

export async function simulateDay(simulation: Simulation): Promise<void> {
  simulation.day += 1
  await changeTiers(simulation)
  for (const person of simulation.people) {
    const subscription = await subscriptionOf(simulation, person)
    if (subscription === null) await actAsVisitor(simulation, person)
    else await actAsMember(simulation, person, subscription)
    if (person.customer !== null) await maybe(simulation, 400, 'refund', () => refundPart(simulation, person.customer))
  }
  await maybe(simulation, 12, 'order', () => orderSetup(simulation))
  await actAsOwner(simulation)
}

/** The person's live subscription at Stripe, without asking our API. */
async function subscriptionOf({ world }: Simulation, person: SimulatedPerson): Promise<Stripe.Subscription | null> {
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
