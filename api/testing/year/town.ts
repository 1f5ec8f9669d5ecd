import type { PaymentWorld } from '#api/testing/payments.ts'
import type { Draw } from '#api/testing/random.ts'
import type { Call } from '#api/testing/world.ts'

/** Somebody who may join, fail to pay, change, leave, be removed and come back. */
export type Tradesman = {
  email: string
  call: Call
  hasBadCard: boolean
  /** The provider's newest customer of his, also after he is gone. */
  customer: string | null
}

/** What the owners decided, in their own hand. Amounts are pence, `month` is the one whose statement carries them. */
export type Notebook = {
  rates: { tierSlug: string; rate: number; from: string }[]
  upSells: Entry[]
  payouts: Entry[]
  takenBack: Entry[]
  /** What is paid out and not taken back, by the provider's customer and the month of the payments. */
  settled: Map<string, number>
}
type Entry = { month: string; amount: number }

export type Town = {
  world: PaymentWorld
  draw: Draw
  people: Tradesman[]
  asOwner: Call
  notebook: Notebook
  /** How often each thing was tried. */
  tally: Map<string, number>
  /** Addresses that were given out. */
  strangers: number
}

export function foundTown(world: PaymentWorld, size: number, draw: Draw): Town {
  const town: Town = {
    world,
    draw,
    people: [],
    asOwner: world.signIn(world.addOwner()),
    notebook: { rates: [], upSells: [], payouts: [], takenBack: [], settled: new Map() },
    tally: new Map(),
    strangers: 0,
  }
  for (let index = 0; index < size; index += 1) {
    const email = `trader-${index}@example.com`
    town.people.push({ email, call: fromElsewhere(town), hasBadCard: false, customer: null })
  }
  return town
}

/** From another address with each call, so that no limit is used up in a year in which the wall clock stands still. */
export function fromElsewhere(town: Town): Call {
  return (path, options = {}) => {
    town.strangers += 1
    const [high, middle, low] = [town.strangers >> 16, (town.strangers >> 8) & 255, town.strangers & 255]
    const headers = { 'x-forwarded-for': `10.${high}.${middle}.${low}` }
    return town.world.call(path, { ...options, headers: { ...headers, ...options.headers } })
  }
}

/** About one time in so many. */
export async function perhaps(
  { draw, tally }: Town,
  oneIn: number,
  name: string,
  happen: () => Promise<unknown>,
): Promise<void> {
  if (draw(oneIn) !== 0) return
  tally.set(name, (tally.get(name) ?? 0) + 1)
  await happen()
}

/** What somebody asks of us; refused where it makes no sense, and that is fine. */
export async function ask(call: Call, path: string, body?: object, method = 'POST'): Promise<number> {
  const answer = await call(path, { method, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  if (answer.status >= 500 || answer.status === 429) throw new Error(`${path}: ${answer.status} ${text}`)
  return answer.status
}
