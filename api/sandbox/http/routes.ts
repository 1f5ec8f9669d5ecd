import type { Route } from '#api/sandbox/http/route.ts'
import { accountAndEventRoutes } from '#api/sandbox/resources/account-events.ts'
import { chargeRoutes } from '#api/sandbox/resources/charges.ts'
import { couponRoutes } from '#api/sandbox/resources/coupons.ts'
import { creditNoteRoutes } from '#api/sandbox/resources/credit-notes.ts'
import { customerRoutes } from '#api/sandbox/resources/customers.ts'
import { invoiceItemRoutes } from '#api/sandbox/resources/invoice-items.ts'
import { invoicePaymentRoutes } from '#api/sandbox/resources/invoice-payments.ts'
import { invoiceRoutes } from '#api/sandbox/resources/invoices.ts'
import { paymentIntentRoutes } from '#api/sandbox/resources/payment-intents.ts'
import { paymentMethodRoutes } from '#api/sandbox/resources/payment-methods.ts'
import { priceRoutes } from '#api/sandbox/resources/prices.ts'
import { productRoutes } from '#api/sandbox/resources/products.ts'
import { setupIntentRoutes } from '#api/sandbox/resources/setup-intents.ts'
import { subscriptionItemRoutes } from '#api/sandbox/resources/subscription-items.ts'
import { scheduleRoutes } from '#api/sandbox/resources/subscription-schedules.ts'
import { subscriptionRoutes } from '#api/sandbox/resources/subscriptions.ts'
import { taxRateRoutes } from '#api/sandbox/resources/tax-rates.ts'
import { testClockRoutes } from '#api/sandbox/resources/test-clocks.ts'
import { webhookEndpointRoutes } from '#api/sandbox/resources/webhook-endpoints.ts'

/** Everything the sandbox answers. A path that two routes could take belongs to the first. */
export const routes: readonly Route[] = [
  ...accountAndEventRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...productRoutes,
  ...priceRoutes,
  ...taxRateRoutes,
  ...couponRoutes,
  ...subscriptionRoutes,
  ...subscriptionItemRoutes,
  ...scheduleRoutes,
  ...invoiceRoutes,
  ...invoicePaymentRoutes,
  ...invoiceItemRoutes,
  ...creditNoteRoutes,
  ...webhookEndpointRoutes,
  ...testClockRoutes,
]

export type Match = { route: Route; ids: string[] }

/** Parts of paths that Stripe has and the sandbox has not; none of them is an id. */
const reservedSegments = ['search', 'preview', 'create_preview', 'upcoming']

function idsOf(route: Route, segments: string[]): string[] | null {
  if (route.path.length !== segments.length) return null
  const ids: string[] = []
  for (const [place, name] of route.path.entries()) {
    const segment = segments[place] ?? ''
    if (name.startsWith(':') && segment !== '' && !reservedSegments.includes(segment)) ids.push(segment)
    else if (name !== segment) return null
  }
  return ids
}

export function findRoute(method: string, path: string): Match | null {
  const segments = path.split('/').slice(1)
  for (const route of routes) {
    const ids = route.method === method ? idsOf(route, segments) : null
    if (ids !== null) return { route, ids }
  }
  return null
}
