import type { Context } from '#api/context.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { rateLimits, recordHitIfAllowed } from '#api/http/rate-limits.ts'
import type { Person } from '#api/http/session.ts'
import { errorName } from '#api/log.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { findCustomer } from './queries.ts'
import { billingView, currentBilling } from './view-service.ts'

/**
 * The billing view. While a first payment is under way the provider is read each time, so that a page that polls needs no
 * webhook; when the provider cannot be reached, or was read very often, the view comes from our rows.
 */
export async function billingSubscription(ctx: Context, person: Person): Promise<BillingSubscription> {
  if (person.access.status !== 'incomplete') return billingView(ctx, person)
  const customer = findCustomer(ctx, person.id)
  if (customer === undefined || !recordHitIfAllowed(ctx, rateLimits.providerPolls(person.id))) {
    return billingView(ctx, person)
  }
  try {
    await syncCustomer(ctx, customer.stripeCustomerId)
  } catch (error) {
    ctx.log.warn('provider not reached while polling', { name: errorName(error) })
  }
  return currentBilling(ctx, person)
}
