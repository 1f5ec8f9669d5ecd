import type Stripe from 'stripe'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { syncCustomer } from './sync.ts'

/** How far the signature's time may be from ours, in seconds; the SDK refuses only what is too old. */
const tolerance = 300

/**
 * Takes in one event: the signature is checked on the raw body, the event stored by its id, and its customer read afresh.
 * What the event says is a hint, never a fact. Anything that fails throws, so that the provider sends it again.
 */
export async function receiveEvent(ctx: Context, rawBody: string, signature: string | null): Promise<void> {
  const event = await verify(ctx, rawBody, signature)
  const stripeCustomerId = customerOf(event)
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

function customerOf(event: Stripe.Event): string | null {
  const subject: unknown = event.data.object
  if (typeof subject !== 'object' || subject === null) return null
  if ('object' in subject && subject.object === 'customer' && 'id' in subject) return String(subject.id)
  return 'customer' in subject && typeof subject.customer === 'string' ? subject.customer : null
}
