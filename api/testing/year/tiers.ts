import { expect } from 'vitest'
import { acted, becomeMember } from '#api/testing/billing.ts'
import { dayOf } from './books.ts'
import type { Simulation } from './simulation.ts'

const yearly = [250_000, 260_003] as const

/** What the owners do with tiers and prices, by the day. */
const acts: Record<number, (simulation: Simulation) => Promise<unknown>> = {
  1: async (simulation) => {
    await setYear(simulation, { price: yearly[0], movesMembers: false })
    await joinByYear(simulation)
  },
  40: ({ asOwner }) => acted(asOwner, '/api/admin/tiers', fleet),
  70: (simulation) => setYear(simulation, { price: yearly[1], movesMembers: true }),
  85: (simulation) => turn(simulation, 'retire'),
  200: (simulation) => turn(simulation, 'restore'),
}

export async function changeTiers(simulation: Simulation): Promise<void> {
  await acts[simulation.day]?.(simulation)
}

const fleet = {
  name: 'Fleet',
  description: 'For more vans than one',
  features: ['Videos'],
  prices: [
    { every: 'month', net: 33_333 },
    { every: 'year', net: 333_337 },
  ],
}

/** Any price that's on sale. Who names only the tier means the month's. */
export function anyPrice({ world, draw }: Simulation): { tierSlug: string; priceId: string } {
  const prices = world.ctx.sqlite
    .prepare<[], { tierSlug: string; priceId: string }>(
      `select tierSlug, p.id as priceId from tier_prices p join membership_tiers t on t.slug = tierSlug
       where isOffered and isActive and isShown order by orderIndex, every`,
    )
    .all()
  const price = prices[draw(prices.length)]
  if (price === undefined) throw new Error('Nothing is on sale.')
  return price
}

async function setYear({ asOwner }: Simulation, body: { price: number; movesMembers: boolean }): Promise<void> {
  const path = '/api/admin/tiers/standard/price'
  const { confirmation } = await acted(asOwner, `${path}?every=year&price=${body.price}`, undefined, 'GET')
  await acted(asOwner, path, { every: 'year', ...body, confirmation })
}

/** With the members it has then. */
async function turn({ asOwner, counts }: Simulation, what: 'retire' | 'restore'): Promise<void> {
  const tiers: { slug: string; version: number; members: number }[] = await acted(
    asOwner,
    '/api/admin/tiers',
    undefined,
    'GET',
  )
  const lite = tiers.find(({ slug }) => slug === 'lite')
  counts.set(`${what} with members`, lite?.members ?? 0)
  await acted(asOwner, `/api/admin/tiers/lite/${what}`, { version: lite?.version })
}

async function joinByYear({ world, yearly: { email } }: Simulation): Promise<void> {
  const priceId = world.ctx.sqlite
    .prepare<[], string>(`select id from tier_prices where tierSlug = 'standard' and every = 'year'`)
    .pluck()
    .get()
  await becomeMember(world, undefined, { email, name: 'Jo Year', tierSlug: 'standard', priceId })
}

/** That year renewed once, at the price they were told of, with two notices that named day and sum. */
export async function expectRenewed({ world, yearly: { email } }: Simulation): Promise<void> {
  const { stripe, sqlite } = world.ctx
  const [customer] = (await stripe.customers.list({ email })).data
  const invoices = (await stripe.invoices.list({ customer: customer?.id ?? '', limit: 100 })).data
  const nets = yearly.toReversed()
  expect(invoices.map(({ status, total_excluding_tax: net }) => [status, net])).toEqual(
    nets.map((net) => ['paid', net]),
  )
  const [renewal] = invoices
  const renewsOn = dayOf(renewal?.created ?? 0)
  const notices = sqlite.prepare(
    `select kind, renewsOn, amount from renewal_notices n join customers c on c.id = customerId
     where stripeCustomerId = ? order by toldAt`,
  )
  expect(notices.all(customer?.id)).toEqual(
    ['year-first', 'year-last'].map((kind) => ({ kind, renewsOn, amount: renewal?.total })),
  )
}
