import type Stripe from 'stripe'
import { programFile, requireLater } from '#api/project.ts'
import type { Settings } from '#api/settings.ts'
import { isPastDeadline, type MayRequest, type OnRequest, providerFetch } from './deadline.ts'

let sdk: typeof Stripe | undefined

/** Stripe's SDK. It takes 30 ms to load, so starts and most terminal commands don't wait for it. */
export function loadStripe(): typeof Stripe {
  const loaded: typeof Stripe = sdk ?? requireLater(programFile('api/stripe/sdk')).default
  sdk = loaded
  return loaded
}

export type HasStripe = { stripe: Stripe }

type Options = { sandboxPort?: number | undefined; onRequest?: OnRequest; mayRequest?: MayRequest }

/** We use the real SDK in every mode. Only the address differs. */
export function createStripe(
  settings: Settings,
  { sandboxPort = settings.sandboxPort, onRequest = () => () => {}, mayRequest = () => undefined }: Options = {},
): Stripe {
  const Sdk = loadStripe()
  const sandbox = { host: '127.0.0.1', port: String(sandboxPort), protocol: 'http' } as const
  const stripe = new Sdk(settings.stripe.secretKey, {
    ...(settings.isSandbox ? sandbox : {}),
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
    httpClient: Sdk.createFetchHttpClient(providerFetch(onRequest, mayRequest)),
  })
  const repeats = stripe.getMaxNetworkRetries()
  stripe.getMaxNetworkRetries = () => (isPastDeadline() ? 0 : repeats)
  // The local sandbox has no other clients, so failed requests are retried straight away.
  if (settings.isSandbox) stripe.getInitialNetworkRetryDelay = () => 0.02
  return stripe
}
