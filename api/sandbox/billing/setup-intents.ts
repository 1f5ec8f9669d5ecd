import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newClientSecret, newId } from '#api/sandbox/store/ids.ts'
import type {
  AcceptedMethodTypes,
  CardFailure,
  PaymentMethod,
  SetupIntent,
} from '#api/sandbox/store/payment-objects.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import {
  authorize,
  consentUrl,
  declineAfterAuthentication,
  setupAuthenticationFailed,
  withMethod,
} from './authorization.ts'
import { attachUnchecked, recordConsent } from './payment-methods.ts'

export type NewSetupIntent = AcceptedMethodTypes & {
  customer: string | null
  description: string | null
  metadata: Record<string, string>
  payment_method: string | null
  usage: string
  hidden: SetupIntent['hidden']
}

export function createSetupIntent(ctx: Context, fields: NewSetupIntent): SetupIntent {
  const id = newId('seti')
  const setup = insertObject(ctx.store, {
    id,
    object: 'setup_intent',
    application: null,
    cancellation_reason: null,
    client_secret: newClientSecret(id),
    created: ctx.now,
    customer_account: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    next_action: null,
    on_behalf_of: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    single_use_mandate: null,
    status: fields.payment_method === null ? 'requires_payment_method' : 'requires_confirmation',
    ...fields,
  })
  emitEvent(ctx, 'setup_intent.created', setup)
  return setup
}

function markSucceeded(ctx: Context, setup: SetupIntent, method: PaymentMethod): SetupIntent {
  if (setup.customer !== null) attachUnchecked(ctx, method, setup.customer)
  const done = saveObject(ctx.store, {
    ...setup,
    last_setup_error: null,
    next_action: null,
    payment_method: method.id,
    status: 'succeeded' as const,
  })
  emitEvent(ctx, 'setup_intent.succeeded', done)
  return done
}

function markFailed(ctx: Context, setup: SetupIntent, failure: CardFailure): SetupIntent {
  const failed = saveObject(ctx.store, {
    ...setup,
    last_setup_error: failure,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method' as const,
  })
  emitEvent(ctx, 'setup_intent.setup_failed', failed)
  return failed
}

/** Attempts to set up the payment method. The returned intent's status is the outcome. */
export function confirmSetupIntent(ctx: Context, setup: SetupIntent, method: PaymentMethod): SetupIntent {
  const verdict = authorize(method, { offSession: false, renewal: false })
  if (verdict === 'approved') return markSucceeded(ctx, setup, method)
  if (verdict !== 'needs_authentication') return markFailed(ctx, setup, withMethod(verdict, method))
  const waiting = saveObject(ctx.store, {
    ...setup,
    last_setup_error: null,
    next_action: {
      type: 'redirect_to_url' as const,
      redirect_to_url: { return_url: setup.hidden.returnUrl, url: consentUrl(ctx, method, setup.id) },
    },
    payment_method: method.id,
    status: 'requires_action' as const,
  })
  emitEvent(ctx, 'setup_intent.requires_action', waiting)
  return waiting
}

export function finishSetupAuthentication(ctx: Context, setup: SetupIntent, passed: boolean): SetupIntent {
  const method = getObject(ctx, 'payment_method', setup.payment_method ?? '')
  if (!passed) return markFailed(ctx, setup, withMethod(setupAuthenticationFailed, method))
  const refusal = declineAfterAuthentication(method)
  if (refusal !== null) return markFailed(ctx, setup, withMethod(refusal, method))
  return markSucceeded(ctx, setup, recordConsent(ctx, method, true))
}

export function cancelSetupIntent(ctx: Context, setup: SetupIntent, reason: string | null): SetupIntent {
  const canceled = saveObject(ctx.store, {
    ...setup,
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled' as const,
  })
  emitEvent(ctx, 'setup_intent.canceled', canceled)
  return canceled
}
