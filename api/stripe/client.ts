import Stripe from 'stripe'
import type { Settings } from '#api/settings.ts'
import { isPastDeadline, type MayRequest, type OnRequest, providerFetch } from './deadline.ts'

/** `isTier` says whether we have a tier with this slug: another program may use the same metadata. */
export type HasStripe = { stripe: Stripe; isTier(slug: string): boolean }

const sandboxRestrictedKey = 'rk_test_sandbox'

/**
 * A client with a restricted key, for a rehearsal: a call that would change anything never leaves this machine, and fails the run.
 * The key may be another account's, such as the live one's beside a sandbox.
 */
export function createReadingStripe({ stripe }: Pick<HasStripe, 'stripe'>, key: string): Stripe {
  const isSandboxes = key === sandboxRestrictedKey
  const place = {
    host: stripe.getApiField('host'),
    port: stripe.getApiField('port'),
    protocol: stripe.getApiField('protocol'),
  }
  const ask = providerFetch(
    () => () => {},
    () => undefined,
  )
  const onlyReads = async (...[input, init]: Parameters<typeof fetch>) =>
    init?.method === undefined || init.method === 'GET'
      ? ask(input, init)
      : Response.json(refusedWrite, { status: 403 })
  return new Stripe(key, {
    ...(isSandboxes ? place : {}),
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(Object.assign(onlyReads, { preconnect: fetch.preconnect })),
  })
}

const refusedWrite = { error: { type: 'invalid_request_error', message: 'A rehearsal only reads.' } }

type Options = {
  sandboxPort?: number | undefined
  onRequest?: OnRequest
  mayRequest?: MayRequest
  /** The sandbox in this process. Asking it over the network takes twice as long. */
  answer?: (request: Request) => Promise<Response>
}

const askingHere = (answer: NonNullable<Options['answer']>): typeof fetch =>
  Object.assign((...[input, init]: Parameters<typeof fetch>) => answer(new Request(input, init)), {
    preconnect: fetch.preconnect,
  })

/** We use the real SDK in every mode. Only the address differs. */
export function createStripe(
  settings: Settings,
  {
    sandboxPort = settings.sandboxPort,
    onRequest = () => () => {},
    mayRequest = () => undefined,
    answer,
  }: Options = {},
): Stripe {
  const sandbox = { host: '127.0.0.1', port: String(sandboxPort), protocol: 'http' } as const
  const stripe = new Stripe(settings.stripe.secretKey, {
    ...(settings.isSandbox ? sandbox : {}),
    // With none, the SDK sends no keys of its own either, which the sandbox would keep with each answer.
    maxNetworkRetries: answer === undefined ? 2 : 0,
    timeout: 20_000,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(
      answer === undefined ? providerFetch(onRequest, mayRequest) : askingHere(answer),
    ),
  })
  const repeats = stripe.getMaxNetworkRetries()
  stripe.getMaxNetworkRetries = () => (isPastDeadline() ? 0 : repeats)
  // The local sandbox has no other clients, so failed requests are retried straight away.
  if (settings.isSandbox) stripe.getInitialNetworkRetryDelay = () => 0.02
  return stripe
}
