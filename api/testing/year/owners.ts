import { begunOrder, leastOrder } from '#api/testing/quotient.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { dayOf, monthOf, readBooks } from './books.ts'
import { dueTo } from './partner.ts'
import { giveBack } from './provider.ts'
import { ask, fromElsewhere, perhaps, type Town } from './town.ts'

/** About one in how many days an owner sees to each thing. */
export async function liveAsOwner(town: Town): Promise<void> {
  await perhaps(town, 40, 'rate', () => changeRate(town))
  await perhaps(town, 15, 'up-sell', () => addUpSell(town))
  await perhaps(town, 20, 'payout', () => payPartner(town))
}

const nowOf = ({ world }: Town) => world.ctx.billingNow().getTime() / 1000
const day = 86_400

/** From today, which is refused once commission was written today, or from tomorrow. */
async function changeRate(town: Town): Promise<void> {
  const { draw, asOwner, notebook } = town
  const tierSlug = tierSlugs[draw(tierSlugs.length)] ?? 'standard'
  const rate = draw(21)
  const from = dayOf(nowOf(town) + (draw(3) === 0 ? 0 : day))
  const status = await ask(asOwner, '/api/admin/commission-rates', { tierSlug, rate, validFrom: from })
  if (status === 200) notebook.rates.push({ tierSlug, rate, from })
}

async function addUpSell(town: Town): Promise<void> {
  const { draw, asOwner, notebook } = town
  const total = 1 + draw(200_000)
  const commission = 1 + draw(total)
  const status = await ask(asOwner, '/api/admin/manual-commissions', {
    ...{ description: 'Van lettering', saleDate: dayOf(nowOf(town)) },
    ...{ totalAmount: total / 100, commissionAmount: commission / 100 },
  })
  if (status !== 200) throw new Error(`An up-sell was refused: ${status}.`)
  notebook.upSells.push({ month: monthOf(nowOf(town)), amount: commission })
}

/** Pays the partner what is due for some customers' month, or takes such a payment back. */
async function payPartner(town: Town): Promise<void> {
  const { draw, world } = town
  const books = await readBooks(world)
  const month = monthOf(nowOf(town) - draw(60) * day)
  const payers = [...new Set(books.paid.filter((paid) => paid.month === month).map(({ customer }) => customer))]
  for (const customer of payers.filter(() => draw(3) === 0)) {
    const due = dueTo(books, town.notebook, { customer, month, today: dayOf(nowOf(town)) })
    if (draw(4) === 0) await takeBack(town, customer, month)
    else await payOut(town, { customer, month, due })
  }
}

/** Our name for the provider's customer. */
const ourId = ({ world }: Town, customer: string) =>
  world.ctx.sqlite
    .prepare<[string], string>('select id from customers where stripeCustomerId = ?')
    .pluck()
    .get(customer)

const mark = (town: Town, customer: string, commissionMonth: string, commissionPaid: boolean) =>
  ask(
    town.asOwner,
    `/api/admin/commission-status/${ourId(town, customer)}`,
    { commissionPaid, commissionMonth },
    'PATCH',
  )

async function payOut(town: Town, { customer, month, due }: { customer: string; month: string; due: number }) {
  const { notebook } = town
  const key = `${customer} ${month}`
  const settled = notebook.settled.get(key) ?? 0
  const status = await mark(town, customer, month, true)
  if (status !== 200 && due !== settled) throw new Error(`${key}: ${due} pence are due, and refused: ${status}.`)
  if (status !== 200) return
  notebook.payouts.push({ month: monthOf(nowOf(town)), amount: due - settled })
  notebook.settled.set(key, due)
}

async function takeBack(town: Town, customer: string, month: string): Promise<void> {
  const { notebook } = town
  const key = `${customer} ${month}`
  if ((await mark(town, customer, month, false)) !== 200) return
  notebook.takenBack.push({ month: monthOf(nowOf(town)), amount: notebook.settled.get(key) ?? 0 })
  notebook.settled.delete(key)
}

/** Somebody orders a quoting set-up; some never pay, and some get money back. */
export async function orderSetup(town: Town): Promise<void> {
  const { world, draw } = town
  const call = fromElsewhere(town)
  const email = `buyer-${town.tally.get('order')}@example.com`
  const packageType = draw(2) === 0 ? 'master' : 'professional'
  const { clientSecret } = await begunOrder({ call }, { ...leastOrder, email, packageType })
  if (draw(4) === 0) return
  await world.pay(clientSecret)
  await world.sandbox.settle()
  const { data } = await world.ctx.stripe.customers.list({ email, limit: 1 })
  if (draw(4) === 0) await giveBack(town, data[0]?.id ?? null)
}
