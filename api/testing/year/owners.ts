import { begunOrder, leastOrder } from '#api/testing/quotient.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { dayOf, monthOf, readBooks } from './books.ts'
import { dueTo } from './partner.ts'
import { refundPart } from './provider.ts'
import { callFromNewAddress, maybe, request, type Simulation } from './simulation.ts'

/** An owner does each thing about once in so many days. */
export async function actAsOwner(simulation: Simulation): Promise<void> {
  await maybe(simulation, 40, 'rate', () => changeRate(simulation))
  await maybe(simulation, 15, 'up-sell', () => addUpSell(simulation))
  await maybe(simulation, 20, 'payout', () => payPartner(simulation))
}

const nowOf = ({ world }: Simulation) => world.ctx.billingNow().getTime() / 1000
const day = 86_400

/** From today, which is rejected if commission was already written today, or from tomorrow. */
async function changeRate(simulation: Simulation): Promise<void> {
  const { draw, asOwner, decisions } = simulation
  const tierSlug = shippedTierSlugs[draw(shippedTierSlugs.length)] ?? 'standard'
  const rate = draw(21)
  const from = dayOf(nowOf(simulation) + (draw(3) === 0 ? 0 : day))
  const status = await request(asOwner, '/api/admin/commission-rates', { tierSlug, rate, validFrom: from })
  if (status === 200) decisions.rates.push({ tierSlug, rate, from })
}

async function addUpSell(simulation: Simulation): Promise<void> {
  const { draw, asOwner, decisions } = simulation
  const total = 1 + draw(200_000)
  const commission = 1 + draw(total)
  const status = await request(asOwner, '/api/admin/manual-commissions', {
    description: 'Van lettering',
    saleDate: dayOf(nowOf(simulation)),
    totalAmount: total / 100,
    commissionAmount: commission / 100,
  })
  if (status !== 200) throw new Error(`An up-sell was refused: ${status}.`)
  decisions.upSells.push({ month: monthOf(nowOf(simulation)), amount: commission })
}

async function payPartner(simulation: Simulation): Promise<void> {
  const { draw, world } = simulation
  const books = await readBooks(world)
  const month = monthOf(nowOf(simulation) - draw(60) * day)
  const payers = [...new Set(books.paid.filter((paid) => paid.month === month).map(({ customer }) => customer))]
  for (const customer of payers.filter(() => draw(3) === 0)) {
    const due = dueTo(books, simulation.decisions, { customer, month, today: dayOf(nowOf(simulation)) })
    if (draw(4) === 0) await reversePayout(simulation, customer, month)
    else await payOut(simulation, { customer, month, due })
  }
}

const ourId = ({ world }: Simulation, customer: string) =>
  world.ctx.sqlite
    .prepare<[string], string>('select id from customers where stripeCustomerId = ?')
    .pluck()
    .get(customer)

const mark = (simulation: Simulation, customer: string, commissionMonth: string, commissionPaid: boolean) =>
  request(
    simulation.asOwner,
    `/api/admin/commission-status/${ourId(simulation, customer)}`,
    { commissionPaid, commissionMonth },
    'PATCH',
  )

async function payOut(
  simulation: Simulation,
  { customer, month, due }: { customer: string; month: string; due: number },
) {
  const { decisions } = simulation
  const key = `${customer} ${month}`
  const settled = decisions.settled.get(key) ?? 0
  const status = await mark(simulation, customer, month, true)
  if (status !== 200 && due !== settled) throw new Error(`${key}: ${due} pence are due, and refused: ${status}.`)
  if (status !== 200) return
  decisions.payouts.push({ month: monthOf(nowOf(simulation)), amount: due - settled })
  decisions.settled.set(key, due)
}

async function reversePayout(simulation: Simulation, customer: string, month: string): Promise<void> {
  const { decisions } = simulation
  const key = `${customer} ${month}`
  if ((await mark(simulation, customer, month, false)) !== 200) return
  decisions.reversed.push({ month: monthOf(nowOf(simulation)), amount: decisions.settled.get(key) ?? 0 })
  decisions.settled.delete(key)
}

/** Someone orders a quoting set-up. Some never pay, and some get a refund. */
export async function orderSetup(simulation: Simulation): Promise<void> {
  const { world, draw } = simulation
  const call = callFromNewAddress(simulation)
  const email = `buyer-${simulation.counts.get('order')}@example.com`
  const packageType = draw(2) === 0 ? 'master' : 'professional'
  const { clientSecret } = await begunOrder({ call }, { ...leastOrder, email, packageType })
  if (draw(4) === 0) return
  await world.pay(clientSecret)
  await world.sandbox.settle()
  const { data } = await world.ctx.stripe.customers.list({ email, limit: 1 })
  if (draw(4) === 0) await refundPart(simulation, data[0]?.id ?? null)
}
