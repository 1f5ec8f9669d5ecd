import type * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { assertNotRevoked, ownCustomer } from '#api/features/billing/own-subscription-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { beginCardChange, hasOpenChange, settleCardChanges } from '#api/features/subscriptions/card-changes-service.ts'
import { findPaymentMethod } from '#api/features/subscriptions/queries.ts'
import type { Member } from '#api/identity/person.ts'
import { toAppError } from '#api/stripe/errors.ts'
import { lookingAgain } from '#api/stripe/look-again.ts'
import type { CardSetup, PaymentMethodResponse } from '#shared/contract/billing.ts'

export function paymentMethodOf(ctx: Context, person: Member): v.InferOutput<typeof PaymentMethodResponse> {
  return { paymentMethod: findPaymentMethod(ctx, person.id) ?? null }
}

/** Lets the browser set up another card. It becomes the default once a sync finds the setup confirmed. */
export async function changeCard(ctx: Context, person: Member): Promise<CardSetup> {
  assertNotRevoked(person)
  const customer = ownCustomer(ctx, person)
  try {
    return { clientSecret: await lookingAgain(() => beginCardChange(ctx, customer)) }
  } catch (error) {
    throw toAppError(ctx, error, 'change')
  }
}

/** The webhook's sync may be taking the card at the same time, so the last sync here starts after either has finished. */
export async function settleCard(ctx: Context, person: Member): Promise<v.InferOutput<typeof PaymentMethodResponse>> {
  const customer = ownCustomer(ctx, person)
  try {
    const isWaiting = hasOpenChange(ctx, customer.id)
    await lookingAgain(async () => {
      await syncCustomer(ctx, customer.stripeCustomerId)
      if (!isWaiting) return
      await settleCardChanges(ctx, customer)
      await syncCustomer(ctx, customer.stripeCustomerId)
    })
  } catch (error) {
    throw toAppError(ctx, error, 'confirmed')
  }
  return paymentMethodOf(ctx, person)
}
