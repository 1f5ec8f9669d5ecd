import * as v from 'valibot'
import { BillingAddress } from './billing.ts'
import { Pence } from './fields.ts'
import { QuotientPackage } from './quotient.ts'

const InvoiceReference = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^in_\w{1,250}$/, 'Enter the ID of the payment’s Stripe invoice, such as in_….'),
)

/** Names Stripe's invoice for a Quotient setup that was paid after the backup we restored. */
export const LostOrderRequest = v.strictObject({ invoice: InvoiceReference })
export type LostOrderRequest = v.InferOutput<typeof LostOrderRequest>

export const LostOrder = v.object({
  invoice: v.string(),
  orderId: v.string(),
  customer: v.string(),
  email: v.string(),
  name: v.string(),
  packageType: QuotientPackage,
  net: Pence,
  vat: Pence,
  total: Pence,
  paidAt: v.string(),
  address: v.nullable(BillingAddress),
  /** We already have it among the orders and in the books. */
  isKnown: v.boolean(),
})
export type LostOrder = v.InferOutput<typeof LostOrder>

export const TakenInOrder = v.object({ orderId: v.string(), invoices: v.array(v.string()) })
export type TakenInOrder = v.InferOutput<typeof TakenInOrder>
