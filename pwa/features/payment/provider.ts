import type { Stripe } from '@stripe/stripe-js'
import { queryOptions } from '@tanstack/react-query'
import { api, ask } from '#pwa/lib/api.ts'
import { PaymentConfig } from '#shared/contract/billing.ts'

export type Provider = { stripe: Stripe; isSandbox: boolean }

/** The payment provider's library, loaded at the first payment step and not before. */
export const providerQuery = queryOptions({
  queryKey: ['payment-provider'],
  queryFn: async (): Promise<Provider> => {
    const { publishableKey, isSandbox } = await ask(PaymentConfig, api.api['payment-config'].get())
    return { stripe: await (isSandbox ? loadSandbox : loadReal)(publishableKey), isSandbox }
  },
  structuralSharing: false,
  networkMode: 'always',
  refetchOnReconnect: true,
})

async function loadReal(publishableKey: string): Promise<Stripe> {
  const { loadStripe } = await import('@stripe/stripe-js/pure')
  const stripe = await loadStripe(publishableKey)
  if (!stripe) throw new Error('The payment provider’s library did not load')
  return stripe
}

async function loadSandbox(publishableKey: string): Promise<Stripe> {
  const { createSandboxStripe } = await import('./sandbox-stripe.ts')
  const sandbox: unknown = createSandboxStripe(publishableKey)
  // The one place that believes it: the sandbox has the part of Stripe.js that this site calls.
  return sandbox as Stripe
}
