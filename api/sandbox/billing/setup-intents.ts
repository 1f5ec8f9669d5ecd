import { get, type Work } from '#api/sandbox/store/context.ts'
import { newClientSecret, newId } from '#api/sandbox/store/ids.ts'
import type { Acceptance, CardFailure, PaymentMethod, SetupIntent } from '#api/sandbox/store/payment-objects.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emit } from '#api/sandbox/webhooks/events.ts'
import { consentPage, judge, refusalInVain, setupAuthenticationFailed, withMethod } from './authorization.ts'
import { keepForCustomer, withConsent } from './payment-methods.ts'

export type NewSetup = Acceptance & {
  customer: string | null
  description: string | null
  metadata: Record<string, string>
  payment_method: string | null
  usage: string
  hidden: SetupIntent['hidden']
}

export function createSetup(work: Work, fields: NewSetup): SetupIntent {
  const id = newId('seti')
  const setup = insertObject(work.store, {
    id,
    object: 'setup_intent',
    application: null,
    cancellation_reason: null,
    client_secret: newClientSecret(id),
    created: work.now,
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
  emit(work, 'setup_intent.created', setup)
  return setup
}

function succeed(work: Work, setup: SetupIntent, method: PaymentMethod): SetupIntent {
  if (setup.customer !== null) keepForCustomer(work, method, setup.customer)
  const done = saveObject(work.store, {
    ...setup,
    last_setup_error: null,
    next_action: null,
    payment_method: method.id,
    status: 'succeeded' as const,
  })
  emit(work, 'setup_intent.succeeded', done)
  return done
}

function fail(work: Work, setup: SetupIntent, failure: CardFailure): SetupIntent {
  const failed = saveObject(work.store, {
    ...setup,
    last_setup_error: failure,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method' as const,
  })
  emit(work, 'setup_intent.setup_failed', failed)
  return failed
}

/** One attempt to set the card up. What came of it stands in the answered intent's status. */
export function confirmSetup(work: Work, setup: SetupIntent, method: PaymentMethod): SetupIntent {
  const verdict = judge(method, { offSession: false, renewal: false })
  if (verdict === 'approved') return succeed(work, setup, method)
  if (verdict !== 'needs_authentication') return fail(work, setup, withMethod(verdict, method))
  const waiting = saveObject(work.store, {
    ...setup,
    last_setup_error: null,
    next_action: {
      type: 'redirect_to_url' as const,
      redirect_to_url: { return_url: setup.hidden.returnUrl, url: consentPage(work, method, setup.id) },
    },
    payment_method: method.id,
    status: 'requires_action' as const,
  })
  emit(work, 'setup_intent.requires_action', waiting)
  return waiting
}

export function finishSetupAuthentication(work: Work, setup: SetupIntent, passed: boolean): SetupIntent {
  const method = get(work, 'payment_method', setup.payment_method ?? '')
  if (!passed) return fail(work, setup, withMethod(setupAuthenticationFailed, method))
  const refusal = refusalInVain(method)
  if (refusal !== null) return fail(work, setup, withMethod(refusal, method))
  return succeed(work, setup, withConsent(work, method, true))
}

export function cancelSetup(work: Work, setup: SetupIntent, reason: string | null): SetupIntent {
  const canceled = saveObject(work.store, {
    ...setup,
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled' as const,
  })
  emit(work, 'setup_intent.canceled', canceled)
  return canceled
}
