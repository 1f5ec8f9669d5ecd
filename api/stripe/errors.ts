import Stripe from 'stripe'
import { AppError } from '#api/errors.ts'
import type { Log } from '#api/log.ts'
import type { Settings } from '#api/settings.ts'
import { isOutcomeUnknown } from './outcome.ts'

const { errors } = Stripe

/**
 * Stripe understood the request and rejected it, so a retry would fail too. The SDK only makes these errors from 400, 402 and
 * 404. A key or object that's in use (409, 429) isn't included.
 */
export const isRejectedByStripe = (error: unknown) =>
  error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError

/** Stripe answered with a server error. Unlike a lost response, this is stored under the idempotency key. */
export const isServerFailure = (error: unknown) =>
  error instanceof errors.StripeError && error.statusCode !== undefined && error.statusCode >= 500

/** No response came: Stripe is down, or we can't reach it. */
export const isUnreachable = (error: unknown) => error instanceof errors.StripeConnectionError

export const errorCodeOf = (error: unknown) => (error instanceof errors.StripeError ? error.code : undefined)

export const refusedParam = (error: unknown) =>
  error instanceof errors.StripeInvalidRequestError ? error.param : undefined

/** Runs a command two syncs or tabs may send at once. Stripe rejects the second, as the first has already done it. */
export async function ignoreIfRefused(command: () => Promise<unknown>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!isRejectedByStripe(error)) throw error
  }
}

/** Stripe can't answer at present: no response, or one that says to retry later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof errors.StripeRateLimitError ||
  (error instanceof errors.StripeError &&
    (error.statusCode === undefined || error.statusCode >= 500 || error.statusCode === 409))

const notCharged = 'We can’t take payments right now. You haven’t been charged. Try again in a few minutes.'
const paymentUnknown =
  'We don’t know yet whether your payment went through. Don’t pay again. We’re checking, and you’ll see it here in a few minutes.'

/**
 * What the request was for. `offer`: the payer still has to confirm it, so nothing's charged whatever became of it. `charge`: Stripe
 * charges the saved card. `confirmed`: the payer has confirmed it at Stripe, and we ask what came of it. `change`: no payment.
 */
export type Asked = 'offer' | 'charge' | 'confirmed' | 'change'

const payersSentences: Record<Asked, { down: string; unknown: string | null }> = {
  offer: { down: notCharged, unknown: null },
  charge: { down: notCharged, unknown: paymentUnknown },
  confirmed: { down: paymentUnknown, unknown: paymentUnknown },
  change: {
    down: 'We can’t reach our payment company, so nothing has changed. Try again in a few minutes.',
    unknown: 'We don’t know yet whether that went through. We’re checking, and you’ll see it here in a few minutes.',
  },
}

/** Turns a Stripe error into one the payer may read, and logs the technical message without personal data. */
export function toAppError(ctx: { log: Log }, error: unknown, asked: Asked = 'offer'): unknown {
  return translate(ctx, error, {
    ...payersSentences[asked],
    refused: () => 'Our payment company refused this. If it happens again, contact us.',
  })
}

/** The same for an owner, who knows Stripe and can look there. */
export function toOwnerError(owners: Owners, error: unknown): unknown {
  const provider = providerName(owners)
  return translate(owners, error, {
    down: `We can’t reach ${provider}. Try again in a few minutes.`,
    unknown: `We don’t know yet whether this went through at ${provider}. Check in a few minutes, before you try again.`,
    refused: (code) =>
      missingPermission(error) ??
      refusalReasons[code ?? ''] ??
      'Stripe refused this. If it happens again, look for it in Stripe’s dashboard.',
  })
}

/**
 * What a restricted key lacks, as Stripe's own message names it: “Having the 'rak_plan_read' permission would allow…”, or since 2026
 * “Enabling "Prices Read" ('plan_read') permissions…”. The rest of the message has the account's id.
 */
function missingPermission(error: unknown): string | null {
  if (!(error instanceof errors.StripePermissionError)) return null
  const named = [...error.message.matchAll(/"([^"]+)" \('|'((?:rak_)?\w+_(?:read|write))'/g)]
  const names = named.map(([, words, name]) => words ?? name).join(', ')
  return `Your Stripe key isn’t allowed to do this. ${names === '' ? 'Check its permissions' : `Give it ${names}`} in Stripe, under Developers, API keys.`
}

/** Without `unknown`, `down` is true whatever became of the request. */
type Sentences = { down: string; unknown: string | null; refused: (code: string | undefined) => string }

function translate({ log }: { log: Log }, error: unknown, { down, unknown, refused }: Sentences): unknown {
  if (!(error instanceof errors.StripeError)) return error
  const { type, code, param, requestId, statusCode } = error
  log.warn('payment provider failed', { type, code, param, requestId, statusCode })
  if (error instanceof errors.StripeCardError) return new AppError('payment_declined', error.message)
  if (unknown !== null && isOutage(error) && (isOutcomeUnknown(error) || unknown === down))
    return new AppError('unanswered', unknown)
  if (isOutage(error)) return new AppError('payment_provider_unavailable', down)
  return new AppError('payment_provider_refused', refused(code))
}

const refusalReasons: Partial<Record<string, string>> = {
  charge_disputed:
    'The payer has disputed this payment, so Stripe won’t refund it. Answer the dispute in Stripe’s dashboard.',
  charge_already_refunded: 'Stripe has already refunded this payment in full.',
  balance_insufficient:
    'Your Stripe balance is too low for this refund. Try again after your next payments, or top it up.',
}

export type Owners = { log: Log; settings: Pick<Settings, 'isSandbox'> }

const providerName = ({ settings }: Owners) =>
  settings.isSandbox ? 'the payment sandbox (it runs with the server, on SANDBOX_PORT)' : 'Stripe'

/** Reads from Stripe for an owner, who can do something if Stripe can't be reached. `what` is what failed. */
export async function requestForOwners<Result>(
  owners: Owners,
  what: string,
  request: () => Promise<Result>,
): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    if (!isUnreachable(error)) throw toOwnerError(owners, error)
    throw new AppError('payment_provider_unavailable', `We can’t reach ${providerName(owners)}, so ${what}.`)
  }
}
