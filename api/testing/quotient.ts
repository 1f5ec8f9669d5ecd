import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { CreateQuotientPaymentResponse, type QuotientPackage } from '#shared/contract/quotient.ts'
import { withVat } from '#shared/rules/money.ts'
import { quotientPrices } from '#shared/rules/quotient-setups.ts'
import { rowsOf } from './enquiries.ts'
import type { PaymentWorld } from './payments.ts'

export const quotientOrder = {
  email: 'sam@example.com',
  name: 'Sam Field',
  phone: '07700 900123',
  businessName: 'Field Heating',
  packageType: 'professional',
  tradeType: 'heating',
  preferredManufacturer: 'worcester',
  warrantyBoostPrice: '14.00',
  cheapestCarePlanPrice: '12.00',
  generalHourlyRate: '65.00',
  generalInstallRate: '2925.00',
  generalDayRate: '450.00',
  vatRegistered: 'yes',
  additionalRequirements: 'Our logo is blue.\nRing after four.',
} as const

export const leastOrder = { email: 'sam@example.com', name: 'Sam Field', packageType: 'professional' }

export function addQuotientOrder(ctx: Context, packageType: QuotientPackage): void {
  const { name: _, packageType: _default, ...typed } = quotientOrder
  const at = ctx.billingNow().toISOString()
  const row = {
    ...typed,
    packageType,
    firstName: 'Sam',
    lastName: 'Field',
    agreeToTerms: true,
    status: 'paid',
  } as const
  const price = withVat(quotientPrices[packageType])
  ctx.db
    .insert(quotientOrders)
    .values({ ...row, ...price, id: ctx.newId(), createdAt: at, paidAt: at })
    .run()
}

export const newKey = () => Bun.randomUUIDv7()

export const order = ({ call }: Pick<PaymentWorld, 'call'>, body: object = quotientOrder, key = newKey()) =>
  call('/api/create-quotient-payment', { body, headers: { 'idempotency-key': key } })

export async function begunOrder(world: Pick<PaymentWorld, 'call'>, body: object = quotientOrder, key = newKey()) {
  const response = await order(world, body, key)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`Not begun: ${response.status} ${text}`)
  return v.parse(CreateQuotientPaymentResponse, JSON.parse(text))
}

export const ordersOf = (world: PaymentWorld) => rowsOf(world, 'quotient_orders')

/** Stripe's side: each invoice's status and total, and the charges, oldest first. */
export async function atProvider({ ctx }: PaymentWorld) {
  const [invoices, charges] = await Promise.all([
    ctx.stripe.invoices.list({ limit: 100 }),
    ctx.stripe.charges.list({ limit: 100 }),
  ])
  return {
    invoices: invoices.data.map(({ status, total }) => [status, total]).reverse(),
    taken: charges.data.filter(({ paid }) => paid).map(({ amount }) => amount),
  }
}
