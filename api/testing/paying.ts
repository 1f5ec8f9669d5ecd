import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { beginJoin, type Joined, onlyCustomer, sam } from './joining.ts'
import type { PaymentWorld } from './payments.ts'
import type { World } from './world.ts'

export const millLane: BillingAddress = { line1: '1 Mill Lane', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }

/** Joins and pays, and has received the webhooks. */
export async function joinAndPay(
  world: PaymentWorld,
  body: object = { ...sam, billingAddress: millLane },
  card?: string,
): Promise<Joined> {
  const joined = await beginJoin(world.call, body)
  await world.pay(joined.response.clientSecret, card)
  await world.sandbox.settle()
  return joined
}

export async function refundNewest(world: PaymentWorld, amount?: number): Promise<void> {
  const { stripe } = world.ctx
  const [charge] = (await stripe.charges.list({ customer: onlyCustomer(world), limit: 1 })).data
  await stripe.refunds.create({ charge: charge?.id ?? '', ...(amount === undefined ? {} : { amount }) })
  await world.sandbox.settle()
}

export const issuedInvoices = ({ ctx }: World) => ctx.db.select().from(invoices).orderBy(invoices.sequence).all()
export const issuedNotes = ({ ctx }: World) => ctx.db.select().from(creditNotes).orderBy(creditNotes.sequence).all()
