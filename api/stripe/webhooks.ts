import type Stripe from 'stripe'
import * as v from 'valibot'
import { AppError } from '#api/errors.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { isLive } from '#shared/rules/membership.ts'
import type { HasStripe } from './client.ts'
import { isRejectedByStripe } from './errors.ts'
import { idOf } from './ids-and-times.ts'

/** How far the signature's time may be from ours, in seconds; the SDK itself refuses only what is too old. */
const toleranceSeconds = 300

type Signed = { rawBody: string; signature: string | null; secret: string }

/** The event of a webhook, once the signature on its raw body is proven. */
export async function verifyWebhook(
  { stripe, now }: HasStripe & { now(): Date },
  { rawBody, signature, secret }: Signed,
): Promise<Stripe.Event> {
  const at = now().getTime()
  // The SDK takes the last of several times, so a repeated one could hide from the check here.
  const times = (signature ?? '').split(',').filter((part) => part.trim().startsWith('t='))
  const signedAt = times.length === 1 ? Number(/^t=(\d+)$/.exec(times[0]?.trim() ?? '')?.[1] ?? Number.NaN) : Number.NaN
  const invalid = new AppError('malformed', 'This event’s signature is wrong.')
  if (signature === null || !(signedAt * 1000 < at + toleranceSeconds * 1000)) throw invalid
  const event = await stripe.webhooks
    .constructEventAsync(rawBody, signature, secret, toleranceSeconds, undefined, at)
    .catch(() => null)
  if (event === null) throw invalid
  if (!v.is(EventShape, event)) throw new AppError('malformed', 'The signed body isn’t an event.')
  return event
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What every event has, whatever its kind: any other object of the provider, signed or not, is none. */
const EventShape = v.object({
  object: v.literal('event'),
  data: v.object({ object: v.custom<object>(isPlainObject) }),
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  type: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
})

const Id = v.fallback(v.nullable(v.string()), null)
const Reference = v.fallback(v.nullable(v.union([v.string(), v.object({ id: v.string() })])), null)
const nothing = { object: null, id: null, customer: null, invoice: null, charge: null }
const Subject = v.fallback(
  v.object({ object: Id, id: Id, customer: Reference, invoice: Reference, charge: Reference }),
  nothing,
)
/** A detached card names its customer only as the previous one. */
const Before = v.fallback(v.object({ customer: Reference }), nothing)
/** The parts of an event that say whom it is about; nothing for a kind of event that we do not know. */
const EventData = v.fallback(v.object({ object: Subject, previous_attributes: Before }), {
  object: nothing,
  previous_attributes: nothing,
})

/**
 * Whom an event is about. A refund or a payment may not name its customer: then `refundId` and `invoiceId` are what our
 * rows may know it by. A dispute names its charge alone, `disputedCharge`.
 */
export type EventSubject = Record<'customer' | 'refundId' | 'invoiceId' | 'disputedCharge', string | null>

export function readEventSubject(event: Stripe.Event): EventSubject {
  const { object: about, previous_attributes: before } = v.parse(EventData, event.data)
  const customer = about.object === 'customer' ? about.id : (idOf(about.customer) ?? idOf(before.customer))
  const disputedCharge = about.object === 'dispute' ? idOf(about.charge) : null
  return { customer, refundId: about.id, invoiceId: idOf(about.invoice), disputedCharge }
}

/** Null where the provider has no such charge, or it is nobody's. */
export async function findCustomerOfCharge({ stripe }: HasStripe, charge: string): Promise<string | null> {
  try {
    return idOf((await stripe.charges.retrieve(charge)).customer)
  } catch (error) {
    if (isRejectedByStripe(error)) return null
    throw error
  }
}

/** A subscription at a price of ours, as far as an event shows one. */
const SoldSubscription = v.object({
  object: v.literal('subscription'),
  id: v.string(),
  status: v.string(),
  items: v.object({
    data: v.looseTuple([v.object({ price: v.object({ metadata: v.object({ tier: v.picklist(tierSlugs) }) }) })]),
  }),
})

/** The live subscription to a tier of ours that an event is about; null for any other event. A hint, as all of its content is. */
export function readSoldSubscription(event: Stripe.Event): string | null {
  const about: unknown = event.data?.object
  return v.is(SoldSubscription, about) && isLive(about.status) ? about.id : null
}
