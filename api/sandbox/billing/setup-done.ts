import { changeSubscription } from '#api/sandbox/billing/subscription-state.ts'
import type { SetupIntent } from '#api/sandbox/store/payment-objects.ts'
import { findObject } from '#api/sandbox/store/store.ts'
import type { Work } from '#api/sandbox/store/work.ts'

/** A subscription's own SetupIntent is no longer pending once it succeeded; its card is kept as the settings say. */
export function afterSetup(work: Work, setup: SetupIntent): void {
  const subscription = findObject(work.store, 'subscription', setup.hidden.subscription ?? '')
  if (subscription?.pending_setup_intent !== setup.id || setup.status !== 'succeeded') return
  const keeps = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  changeSubscription(work, subscription, {
    pending_setup_intent: null,
    ...(keeps ? { default_payment_method: setup.payment_method } : {}),
  })
}
