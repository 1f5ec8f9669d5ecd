import type Stripe from 'stripe'
import { AppError } from '#api/errors.ts'
import type { HasStripe } from './client.ts'

/** How far the signature's time may be from ours, in seconds; the SDK itself refuses only what is too old. */
const toleranceSeconds = 300

type Signed = { rawBody: string; signature: string | null; secret: string }

/** The event of a webhook, once the signature on its raw body is proven. */
export async function verifyWebhook(
  { stripe, now }: HasStripe & { now(): Date },
  { rawBody, signature, secret }: Signed,
): Promise<Stripe.Event> {
  const at = now().getTime()
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature ?? '')?.[1] ?? Number.NaN)
  const invalid = new AppError('malformed', 'The signature of this event does not hold.')
  if (signature === null || !(signedAt * 1000 < at + toleranceSeconds * 1000)) throw invalid
  try {
    return await stripe.webhooks.constructEventAsync(rawBody, signature, secret, toleranceSeconds, undefined, at)
  } catch {
    throw invalid
  }
}
