import * as v from 'valibot'
import { readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'
import { Id } from '#shared/contract/fields.ts'
import { CreateQuotientPaymentRequest } from '#shared/contract/quotient.ts'
import type { QuotientPackage } from '#shared/contract/quotient-setups.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'

const text = v.fallback(v.string(), '')

/** What is typed into step 1 so far; nothing in it need be right yet. */
export const OrderDetails = v.object({
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
export type TextName = Exclude<keyof OrderDetails, 'agreeToTerms'>

export const noDetails: OrderDetails = v.parse(OrderDetails, {})

/** What goes to the server: the same request under the same key is the same order, however often it is sent. */
export type OrderRequest = { key: string; body: CreateQuotientPaymentRequest }

const Sent = v.object({ body: CreateQuotientPaymentRequest, orderId: v.nullable(Id), total: v.nullable(v.number()) })

/** All tabs share it, so that two of them buy once. `isPaying`: step 2 was reached. */
const Kept = v.object({
  details: OrderDetails,
  key: Id,
  sent: v.fallback(v.nullable(Sent), null),
  isPaying: v.fallback(v.boolean(), false),
})
type Kept = v.InferOutput<typeof Kept>

const name = 'quotient-checkout'

const newKey = () => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes)))

function read(): Kept | null {
  const kept = v.safeParse(Kept, readDraft(name))
  return kept.success ? kept.output : null
}

const change = (changed: Partial<Kept>) =>
  saveDraft(name, { ...(read() ?? { details: noDetails, key: newKey(), sent: null, isPaying: false }), ...changed })

export const readDetails = (): OrderDetails => read()?.details ?? noDetails
export const keepDetails = (details: OrderDetails) => change({ details, isPaying: false })

/** Takes note of what is about to be sent, and under which key: other details are another order in the place of the last. */
export function prepareOrder(wanted: CreateQuotientPaymentRequest): OrderRequest {
  const kept = read()
  const sent = kept?.sent ?? null
  if (kept && sent && isSame(sent.body, wanted)) return { key: kept.key, body: sent.body }
  const replaces = sent?.orderId ?? sent?.body.replaces
  const body = replaces === undefined ? wanted : { ...wanted, replaces }
  const key = sent === null ? (kept?.key ?? newKey()) : newKey()
  change({ key, sent: { body, orderId: null, total: null } })
  return { key, body }
}

const isSame = ({ replaces: _, ...body }: CreateQuotientPaymentRequest, wanted: CreateQuotientPaymentRequest) =>
  JSON.stringify(body) === JSON.stringify(wanted)

/** The provider waits for the payment: a reload goes on there. `total` is pence. */
export function keepOrder({ orderId, total }: { orderId: string; total: number }): void {
  const sent = read()?.sent
  if (sent) change({ sent: { ...sent, orderId, total }, isPaying: true })
}

/** The order whose payment was begun on this device for this package. */
export function readPayable(chosen: QuotientPackage): OrderRequest | null {
  const kept = read()
  if (!kept?.isPaying || kept.sent?.body.packageType !== chosen) return null
  return { key: kept.key, body: kept.sent.body }
}

/** Back to the details; the order is still the one to be paid if nothing is changed. */
export const leavePayment = () => change({ isPaying: false })

/** The order of this key has ended: what is typed stays, and goes out under another key, unless another tab has begun one. */
export function renewOrder(key: string): void {
  if (read()?.key === key) change({ key: newKey(), sent: null, isPaying: false })
}

/** The package whose payment was begun here, if any. */
export const begunPackage = (): QuotientPackage | undefined => read()?.sent?.body.packageType

/**
 * This order is paid: nothing of it may be sent again. Answers what was taken, in pence, the first time it is asked; what
 * is typed for another order stays.
 */
export function settleOrder(paid: { orderId: string } | { key: string }): number | null {
  const kept = read()
  const isIt = 'key' in paid ? kept?.key === paid.key : kept?.sent?.orderId === paid.orderId
  if (!kept || !isIt) return null
  removeDraft(name)
  return kept.sent?.total ?? null
}
