import { accountRoutes } from './account.ts'
import { balanceTransactionRoutes } from './balance-transactions.ts'
import { chargeRoutes, refundRoutes } from './charges.ts'
import { couponRoutes } from './coupons.ts'
import { creditNoteRoutes } from './credit-notes.ts'
import { customerRoutes } from './customers.ts'
import { invoiceItemRoutes } from './invoice-items.ts'
import { invoicePaymentRoutes } from './invoice-payments.ts'
import { invoicePreviewRoutes } from './invoice-preview.ts'
import { invoiceRoutes } from './invoices.ts'
import { paymentIntentRoutes } from './payment-intents.ts'
import { paymentMethodRoutes } from './payment-methods.ts'
import { payoutRoutes } from './payouts.ts'
import { priceRoutes } from './prices.ts'
import { productRoutes } from './products.ts'
import type { Route } from './route.ts'
import { setupIntentRoutes } from './setup-intents.ts'
import { scheduleRoutes } from './subscription-schedules.ts'
import { subscriptionItemRoutes, subscriptionRoutes } from './subscriptions.ts'
import { taxRateRoutes } from './tax-rates.ts'
import { testClockRoutes } from './test-clocks.ts'
import { eventRoutes, webhookEndpointRoutes } from './webhook-endpoints.ts'

/** All routes of the API. If two match, the first wins. */
const routes: readonly Route[] = [
  ...accountRoutes,
  ...eventRoutes,
  ...customerRoutes,
  ...balanceTransactionRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...refundRoutes,
  ...payoutRoutes,
  ...productRoutes,
  ...priceRoutes,
  ...taxRateRoutes,
  ...couponRoutes,
  ...subscriptionRoutes,
  ...subscriptionItemRoutes,
  ...scheduleRoutes,
  ...invoicePreviewRoutes,
  ...invoiceRoutes,
  ...invoicePaymentRoutes,
  ...invoiceItemRoutes,
  ...creditNoteRoutes,
  ...webhookEndpointRoutes,
  ...testClockRoutes,
]

export type Match = { route: Route; ids: string[] }

/** Segments of Stripe's paths we don't support, so they aren't taken for ids. */
const reservedSegments = ['search', 'preview', 'create_preview', 'upcoming']

function idsOf(route: Route, segments: string[]): string[] | null {
  if (route.path.length !== segments.length) return null
  const ids: string[] = []
  for (const [index, name] of route.path.entries()) {
    const segment = segments[index] ?? ''
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
