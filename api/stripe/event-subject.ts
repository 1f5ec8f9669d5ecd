import type Stripe from 'stripe'
import * as v from 'valibot'
import { idOf } from './ids-and-times.ts'

const Id = v.fallback(v.nullable(v.string()), null)
/** An id, or the object itself. */
const Reference = v.fallback(v.nullable(v.union([v.string(), v.object({ id: v.string() })])), null)
const nothing = { object: null, id: null, customer: null, invoice: null }
const Subject = v.fallback(v.object({ object: Id, id: Id, customer: Reference, invoice: Reference }), nothing)
/** A detached card names its customer only as the previous one. */
const Before = v.fallback(v.object({ customer: Reference }), nothing)
/** The parts of an event that say whom it is about; nothing for a kind of event that we do not know. */
const EventData = v.fallback(v.object({ object: Subject, previous_attributes: Before }), {
  object: nothing,
  previous_attributes: nothing,
})

/**
 * Whom an event is about. A refund or a payment may not name its customer: then `refundId` and `invoiceId` are what our
 * rows may know it by.
 */
export type EventSubject = { customer: string | null; refundId: string | null; invoiceId: string | null }

export function readEventSubject(event: Stripe.Event): EventSubject {
  const { object: about, previous_attributes: before } = v.parse(EventData, event.data)
  const customer = about.object === 'customer' ? about.id : (idOf(about.customer) ?? idOf(before.customer))
  return { customer, refundId: about.id, invoiceId: idOf(about.invoice) }
}
