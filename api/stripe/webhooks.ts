import type Stripe from 'stripe'
import * as v from 'valibot'
import { AppError } from '#api/errors.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { isLive } from '#shared/rules/membership.ts'
import type { HasStripe } from './client.ts'
import { isRejectedByStripe } from './errors.ts'
import { idOf } from './ids-and-times.ts'

/** How far the signature's time may differ from ours, in seconds. The SDK only rejects old ones. */
const toleranceSeconds = 300

type Signed = { rawBody: string; signature: string | null; secret: string }

/** Verifies the signature on the raw body and returns the event. */
export async function verifyWebhook(
  { stripe, now }: HasStripe & { now(): Date },
  { rawBody, signature, secret }: Signed,
): Promise<Stripe.Event> {
  const at = now().getTime()
  // The SDK takes the last of several times, so a duplicate could bypass our check.
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

/** What every event has. Any other Stripe object, signed or not, isn't one. */
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
/** A detached card only names its previous customer. */
const Before = v.fallback(v.object({ customer: Reference }), nothing)
/** The parts that say who an event is about. Empty for kinds of events we don't know. */
const EventData = v.fallback(v.object({ object: Subject, previous_attributes: Before }), {
  object: nothing,
  previous_attributes: nothing,
})

/**
 * Who an event is about. A refund or payment may not name its customer: our rows may know its `refundId` or `invoiceId`. A
 * dispute only names its charge, `disputedCharge`.
 */
export type EventSubject = Record<'customer' | 'refundId' | 'invoiceId' | 'disputedCharge', string | null>

export function readEventSubject(event: Stripe.Event): EventSubject {
  const { object: about, previous_attributes: before } = v.parse(EventData, event.data)
  const customer = about.object === 'customer' ? about.id : (idOf(about.customer) ?? idOf(before.customer))
  const disputedCharge = about.object === 'dispute' ? idOf(about.charge) : null
  return { customer, refundId: about.id, invoiceId: idOf(about.invoice), disputedCharge }
}

/** Null if the charge doesn't exist, or has no customer. */
export async function findCustomerOfCharge({ stripe }: HasStripe, charge: string): Promise<string | null> {
  try {
    return idOf((await stripe.charges.retrieve(charge)).customer)
  } catch (error) {
    if (isRejectedByStripe(error)) return null
    throw error
  }
}

const SoldSubscription = v.object({
  object: v.literal('subscription'),
  id: v.string(),
  status: v.string(),
  items: v.object({
    data: v.looseTuple([v.object({ price: v.object({ metadata: v.object({ tier: TierSlug }) }) })]),
  }),
})

/** The live subscription to one of our tiers an event is about, or null. Only a hint, like all event content. */
export function readSoldSubscription(event: Stripe.Event): string | null {
  const about: unknown = event.data?.object
  return v.is(SoldSubscription, about) && isLive(about.status) ? about.id : null
}
