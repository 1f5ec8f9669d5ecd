import { AppError } from '#api/errors.ts'
import type { Log } from '#api/log.ts'
import type { Settings } from '#api/settings.ts'
import { loadStripe } from './client.ts'

const stripeErrors = () => loadStripe().errors

/**
 * The provider understood the request and refused it: repeating it would be refused again. The SDK makes these errors of
 * responses 400, 402 and 404 alone, so a key or an object that is still being worked on (409, 429) is not one of them.
 */
export const isRejectedByStripe = (error: unknown) =>
  error instanceof stripeErrors().StripeInvalidRequestError || error instanceof stripeErrors().StripeCardError

/** The provider responded that it failed. Unlike a lost response, this one is stored under its idempotency key. */
export const isServerFailure = (error: unknown) =>
  error instanceof stripeErrors().StripeError && error.statusCode !== undefined && error.statusCode >= 500

/** No response came: the provider is down, or there is no way to it. */
export const isUnreachable = (error: unknown) => error instanceof stripeErrors().StripeConnectionError

/** The provider's code for what went wrong; undefined where it gave none. */
export const errorCodeOf = (error: unknown) => (error instanceof stripeErrors().StripeError ? error.code : undefined)

/** The parameter that the provider refused a request for. */
export const refusedParam = (error: unknown) =>
  error instanceof stripeErrors().StripeInvalidRequestError ? error.param : undefined

/**
 * Runs a command that two readings, or two tabs, may send at the same time. The provider refuses the second one, and what
 * was asked for has then been done by the first.
 */
export async function ignoreIfRefused(command: () => Promise<unknown>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!isRejectedByStripe(error)) throw error
  }
}

/** The provider cannot respond at present: no response came, or one that says to try again later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof stripeErrors().StripeRateLimitError ||
  (error instanceof stripeErrors().StripeError &&
    (error.statusCode === undefined || error.statusCode >= 500 || error.statusCode === 409))

/**
 * An error of the provider as one that people may read. What it says for engineers is logged, without any text that may
 * contain personal data. Other errors are returned as they are.
 */
export function toAppError({ log }: { log: Log }, error: unknown): unknown {
  if (!(error instanceof stripeErrors().StripeError)) return error
  const { type, code, param, requestId, statusCode } = error
  log.warn('payment provider failed', { type, code, param, requestId, statusCode })
  if (error instanceof stripeErrors().StripeCardError) return new AppError('payment_declined', error.message)
  if (isOutage(error)) {
    return new AppError(
      'payment_provider_unavailable',
      'We can’t take payments right now. You haven’t been charged. Try again in a few minutes.',
    )
  }
  const reason = code === undefined ? undefined : refusalReasons[code]
  return new AppError(
    'payment_provider_refused',
    reason ?? 'Our payment company refused this. If it happens again, contact us.',
  )
}

/** Why a refund was refused, for the owners who asked for it: nobody else can. */
const refusalReasons: Partial<Record<string, string>> = {
  charge_disputed:
    'The payer has disputed this payment, so Stripe won’t refund it. Answer the dispute in Stripe’s dashboard.',
  charge_already_refunded: 'Stripe has already refunded this payment in full.',
  balance_insufficient:
    'Your Stripe balance is too low for this refund. Try again after your next payments, or top it up.',
}

type Owners = { log: Log; settings: Pick<Settings, 'isSandbox'> }

/** Reads from the provider for an owner, who can see to it that the provider can be reached; `what` could not be done otherwise. */
export async function requestForOwners<Result>(
  owners: Owners,
  what: string,
  request: () => Promise<Result>,
): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    if (!isUnreachable(error)) throw toAppError(owners, error)
    const provider = owners.settings.isSandbox
      ? 'the payment sandbox (it runs with the server, on SANDBOX_PORT)'
      : 'Stripe'
    throw new AppError('payment_provider_unavailable', `We can’t reach ${provider}, so ${what}.`)
  }
}
