import type * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { noMembership, ownCustomer, refuseRevoked } from '#api/features/billing/own-subscription-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import type { Person } from '#api/http/session.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { CardSetup, PaymentMethod, PaymentMethodResponse } from '#shared/contract/billing.ts'
import { beginCardChange } from './changes-service.ts'

/** How the person pays, as of the last reading. */
export function paymentMethodOf(ctx: Context, person: Person): v.InferOutput<typeof PaymentMethodResponse> {
  const row = ctx.sqlite
    .prepare<[string], PaymentMethod>(
      `select type, brand, last4, expMonth, expYear, stripePaymentMethodId as id from payment_methods
       join customers on customers.id = payment_methods.customerId where customers.userId = ?`,
    )
    .get(person.id)
  return { paymentMethod: row ?? null }
}

/** Lets the browser set another card up. It is charged from the day on which the set-up is heard to have succeeded. */
export async function changeCard(ctx: Context, person: Person): Promise<CardSetup> {
  refuseRevoked(person)
  const customer = ownCustomer(ctx, person)
  if (customer === null) throw noMembership()
  try {
    const clientSecret = await beginCardChange(ctx, customer)
    audit(ctx, `user:${person.id}`, 'card.change', { targetId: person.id })
    return { clientSecret }
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

/** The browser came back from setting a card up: the provider is asked what became of it. */
export async function settleCard(ctx: Context, person: Person): Promise<v.InferOutput<typeof PaymentMethodResponse>> {
  const customer = ownCustomer(ctx, person)
  if (customer === null) throw noMembership()
  try {
    await syncCustomer(ctx, customer.stripeCustomerId)
  } catch (error) {
    throw toAppError(ctx, error)
  }
  return paymentMethodOf(ctx, person)
}
