import * as v from 'valibot'
import { readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { track } from '#pwa/lib/track.ts'
import { Id } from '#shared/contract/fields.ts'
import type { QuotientPackage } from '#shared/contract/quotient.ts'
import { CreateQuotientPaymentRequest } from '#shared/contract/quotient.ts'

const text = v.fallback(v.string(), '')

/** What's typed into step 1 so far, valid or not. */
const OrderDetails = v.object({
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  businessName: text,
  tradeType: text,
  preferredManufacturer: text,
  warrantyBoostPrice: text,
  cheapestCarePlanPrice: text,
  generalHourlyRate: text,
  generalInstallRate: text,
  generalDayRate: text,
  vatRegistered: text,
  additionalRequirements: text,
  agreeToTerms: v.fallback(v.boolean(), false),
})
export type OrderDetails = v.InferOutput<typeof OrderDetails>

export const emptyDetails: OrderDetails = v.parse(OrderDetails, {})

/** A request to create an order: the same body under the same idempotency key is the same order, however often it's sent. */
export type OrderRequest = { key: string; body: CreateQuotientPaymentRequest }

const SentOrder = v.object({
  body: CreateQuotientPaymentRequest,
  orderId: v.nullable(Id),
  total: v.nullable(v.number()),
})

/** Shared by all tabs, so that two of them buy once. `isPaying`: they've reached step 2. */
const StoredCheckout = v.object({
  details: OrderDetails,
  key: Id,
  sent: v.fallback(v.nullable(SentOrder), null),
  isPaying: v.fallback(v.boolean(), false),
})
type StoredCheckout = v.InferOutput<typeof StoredCheckout>

const draftName = 'quotient-checkout'

function readCheckout(): StoredCheckout | null {
  const stored = v.safeParse(StoredCheckout, readDraft(draftName))
  return stored.success ? stored.output : null
}

function updateCheckout(changes: Partial<StoredCheckout>) {
  const stored = readCheckout() ?? { details: emptyDetails, key: newKey(), sent: null, isPaying: false }
  saveDraft(draftName, { ...stored, ...changes })
}

export const readDetails = (): OrderDetails => readCheckout()?.details ?? emptyDetails
export const saveDetails = (details: OrderDetails) => updateCheckout({ details, isPaying: false })

/** Stores what we're about to send and its key. Other details make another order, which replaces the last one. */
export function prepareOrder(wanted: CreateQuotientPaymentRequest): OrderRequest {
  const stored = readCheckout()
  const sent = stored?.sent ?? null
  if (stored && sent && isSameOrder(sent.body, wanted)) return { key: stored.key, body: sent.body }
  const replaces = sent?.orderId ?? sent?.body.replaces
  const body = replaces === undefined ? wanted : { ...wanted, replaces }
  const key = sent === null ? (stored?.key ?? newKey()) : newKey()
  updateCheckout({ key, sent: { body, orderId: null, total: null } })
  return { key, body }
}

const isSameOrder = ({ replaces: _, ...body }: CreateQuotientPaymentRequest, wanted: CreateQuotientPaymentRequest) =>
  JSON.stringify(body) === JSON.stringify(wanted)

/** Stripe is waiting for the payment, so a reload resumes there. `total` is pence. */
export function saveOrder({ orderId, total }: { orderId: string; total: number }): void {
  const sent = readCheckout()?.sent
  if (sent) updateCheckout({ sent: { ...sent, orderId, total }, isPaying: true })
}

export function readPendingOrder(chosen: QuotientPackage): OrderRequest | null {
  const stored = readCheckout()
  if (!stored?.isPaying || stored.sent?.body.packageType !== chosen) return null
  return { key: stored.key, body: stored.sent.body }
}

/** The buyer goes back to the details; if they change nothing, the order stays the same. */
export const leavePayment = () => updateCheckout({ isPaying: false })

/** After an order has ended, the details stay and get a new key, unless another tab has started another order. */
export function renewKey(endedKey: string): void {
  if (readCheckout()?.key === endedKey) updateCheckout({ key: newKey(), sent: null, isPaying: false })
}

export const readOrderedPackage = (): QuotientPackage | undefined => readCheckout()?.sent?.body.packageType

type PaidOrder = { orderId: string } | { key: string }

/** We must never send a paid order again. Returns the pence charged, once; keeps a draft for another order. */
export function removePaidOrder(paid: PaidOrder): number | null {
  const stored = readCheckout()
  const isStored = 'key' in paid ? stored?.key === paid.key : stored?.sent?.orderId === paid.orderId
  if (!stored || !isStored) return null
  removeDraft(draftName)
  return stored.sent?.total ?? null
}

/** Tracks a paid order once, in pounds with VAT. Returns whether this was the first time. */
export function trackPurchase(paid: PaidOrder): boolean {
  const total = removePaidOrder(paid)
  if (total !== null) track({ name: 'purchase', value: total / 100 })
  return total !== null
}

/**
 * The payment that led to the success page: its secret, or that the server called it paid. It's in this tab's history, because an
 * address can't forge that, and it works with storage blocked.
 */
export type PaymentReference = { clientSecret: string } | { isPaid: true }

const PaymentReference = v.union([v.object({ clientSecret: v.string() }), v.object({ isPaid: v.literal(true) })])

export function readPaymentReference(historyState: unknown): PaymentReference | null {
  const reference = v.safeParse(PaymentReference, historyState)
  return reference.success ? reference.output : null
}
