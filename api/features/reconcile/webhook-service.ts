import type Stripe from 'stripe'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { syncCustomer } from './service.ts'

const Id = v.fallback(v.nullable(v.string()), null)
/** Its id, or the thing itself. */
const Reference = v.fallback(v.nullable(v.union([v.string(), v.object({ id: v.string() })])), null)
const nothing = { object: null, id: null, customer: null, invoice: null }
const Subject = v.fallback(v.object({ object: Id, id: Id, customer: Reference, invoice: Reference }), nothing)
/** A detached card names its customer only as whose it was. */
const Before = v.fallback(v.object({ customer: Reference }), nothing)
/** What an event says of whom it is about; nothing where it is of a kind that we do not know. */
const Said = v.fallback(v.object({ object: Subject, previous_attributes: Before }), {
  object: nothing,
  previous_attributes: nothing,
})

/** How far the signature's time may be from ours, in seconds; the SDK refuses only what is too old. */
const tolerance = 300

/**
 * Takes in one event: the signature is checked on the raw body, the event stored by its id, and its customer read afresh.
 * What the event says is a hint, never a fact. Anything that fails throws, so that the provider sends it again.
 */
export async function receiveEvent(ctx: Context, rawBody: string, signature: string | null): Promise<void> {
  const event = await verify(ctx, rawBody, signature)
  const stripeCustomerId = customerOf(ctx, event)
  ctx.sqlite
    .prepare(
      'insert into provider_events (id, type, stripeCustomerId, receivedAt) values (?, ?, ?, ?) on conflict (id) do nothing',
    )
    .run(event.id, event.type, stripeCustomerId, ctx.now().toISOString())
  const known = ctx.sqlite
    .prepare<[string], { processedAt: string | null }>('select processedAt from provider_events where id = ?')
    .get(event.id)
  if (known?.processedAt) return
  if (stripeCustomerId !== null) await syncCustomer(ctx, stripeCustomerId)
  ctx.sqlite.prepare('update provider_events set processedAt = ? where id = ?').run(ctx.now().toISOString(), event.id)
}

async function verify(ctx: Context, rawBody: string, signature: string | null): Promise<Stripe.Event> {
  const now = ctx.now().getTime()
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature ?? '')?.[1] ?? Number.NaN)
  const refused = new AppError('malformed', 'The signature of this event does not hold.')
  if (signature === null || !(signedAt * 1000 < now + tolerance * 1000)) throw refused
  try {
    return await ctx.stripe.webhooks.constructEventAsync(
      rawBody,
      signature,
      ctx.settings.stripe.webhookSecret,
      tolerance,
      undefined,
      now,
    )
  } catch {
    throw refused
  }
}

/** Whose event it is, as far as it or our rows say: a refund or a payment may name no more than what it belongs to. */
export function customerOf(ctx: Context, event: Stripe.Event): string | null {
  const { object: about, previous_attributes: before } = v.parse(Said, event.data)
  if (about.object === 'customer') return about.id
  return idOf(about.customer) ?? idOf(before.customer) ?? ownerOf(ctx, about.id, idOf(about.invoice))
}

function ownerOf(ctx: Context, refundId: string | null, invoiceId: string | null): string | null {
  const row = ctx.sqlite
    .prepare<{ refundId: string | null; invoiceId: string | null }, { stripeCustomerId: string }>(
      `select stripeCustomerId from customers where id = coalesce(
         (select customerId from provider_refunds where id = @refundId),
         (select customerId from provider_invoices where id = @invoiceId))`,
    )
    .get({ refundId, invoiceId })
  return row?.stripeCustomerId ?? null
}
