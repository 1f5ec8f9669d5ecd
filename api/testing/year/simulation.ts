import type { PaymentWorld } from '#api/testing/payments.ts'
import type { Draw } from '#api/testing/random.ts'
import type { Call } from '#api/testing/world.ts'

export type SimulatedPerson = {
  email: string
  call: Call
  hasBadCard: boolean
  /** Their newest Stripe customer, even after they've been removed. */
  customer: string | null
}

/** The owners' decisions, recorded independently. Amounts are pence. `month` is the statement's. */
export type OwnerDecisions = {
  rates: { tierSlug: string; rate: number; from: string }[]
  upSells: Entry[]
  payouts: Entry[]
  reversed: Entry[]
  /** Paid out and not reversed, by Stripe customer and the month of the payments. */
  settled: Map<string, number>
}
type Entry = { month: string; amount: number }

export type Simulation = {
  world: PaymentWorld
  draw: Draw
  people: SimulatedPerson[]
  /** Joins by the year on the first day and does nothing else, so that this year renews. */
  yearly: SimulatedPerson
  /** Counted from 1. */
  day: number
  asOwner: Call
  decisions: OwnerDecisions
  counts: Map<string, number>
  addressesUsed: number
}

export function startSimulation(world: PaymentWorld, size: number, draw: Draw): Simulation {
  const simulation: Simulation = {
    world,
    draw,
    people: [],
    yearly: { email: 'yearly@example.com', call: world.call, hasBadCard: false, customer: null },
    day: 0,
    asOwner: world.signIn(world.addOwner()),
    decisions: { rates: [], upSells: [], payouts: [], reversed: [], settled: new Map() },
    counts: new Map(),
    addressesUsed: 0,
  }
  for (let index = 0; index < size; index += 1) {
    const email = `trader-${index}@example.com`
    simulation.people.push({ email, call: callFromNewAddress(simulation), hasBadCard: false, customer: null })
  }
  return simulation
}

/** Uses a new address for each call: the wall clock stands still for the whole year, so rate limits would never reset. */
export function callFromNewAddress(simulation: Simulation): Call {
  return (path, options = {}) => {
    simulation.addressesUsed += 1
    const [high, middle, low] = [
      simulation.addressesUsed >> 16,
      (simulation.addressesUsed >> 8) & 255,
      simulation.addressesUsed & 255,
    ]
    const headers = { 'x-forwarded-for': `10.${high}.${middle}.${low}` }
    return simulation.world.call(path, { ...options, headers: { ...headers, ...options.headers } })
  }
}

/** Does it about once in so many times. */
export async function maybe(
  { draw, counts }: Simulation,
  oneIn: number,
  name: string,
  happen: () => Promise<unknown>,
): Promise<void> {
  if (draw(oneIn) !== 0) return
  counts.set(name, (counts.get(name) ?? 0) + 1)
  await happen()
}

/** A request to our API, which may be rejected if it makes no sense. */
export async function request(call: Call, path: string, body?: object, method = 'POST'): Promise<number> {
  const response = await call(path, { method, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  if (response.status >= 500 || response.status === 429) throw new Error(`${path}: ${response.status} ${text}`)
  return response.status
}
