import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import { programFile } from '#api/project.ts'

let sdk: typeof Stripe | undefined

/** Stripe's SDK. It takes 30 ms to load, which neither a start nor most commands of the terminal need to wait for. */
export function loadStripe(): typeof Stripe {
  const loaded: typeof Stripe = sdk ?? createRequire(import.meta.url)(programFile('api/stripe/sdk')).default
  sdk = loaded
  return loaded
}
