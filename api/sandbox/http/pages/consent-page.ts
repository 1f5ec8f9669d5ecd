import { onPaymentAttempted } from '#api/sandbox/billing/invoice-collection.ts'
import { formatMoney } from '#api/sandbox/billing/invoice-lines.ts'
import { finishAuthentication } from '#api/sandbox/billing/payment-intents.ts'
import { finishSetupAuthentication } from '#api/sandbox/billing/setup-intents.ts'
import { onSetupAttempted } from '#api/sandbox/billing/subscription-state.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import type { PaymentIntent, SetupIntent } from '#api/sandbox/store/payment-objects.ts'
import { findObject, transact } from '#api/sandbox/store/store.ts'
import { escapeHtml, type Page, seeOther } from './layout.ts'

type Intent = PaymentIntent | SetupIntent

function findIntent(ctx: Context, id: string): Intent | null {
  return findObject(ctx.store, 'payment_intent', id) ?? findObject(ctx.store, 'setup_intent', id)
}

function returnAddress(intent: Intent): string | null {
  if (intent.hidden.returnUrl === null) return null
  const url = new URL(intent.hidden.returnUrl)
  url.searchParams.set(intent.object, intent.id)
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret)
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  return url.href
}

function returnToMerchant(intent: Intent): Page | Response {
  const location = returnAddress(intent)
  if (location !== null) return seeOther(location)
  const ended = intent.status === 'succeeded' ? 'confirmed' : 'refused'
  return { title: 'Thank you', body: `<p>The request was ${ended}. You can close this page.</p>` }
}

function finishIntent(ctx: Context, intent: Intent, passed: boolean): Intent {
  if (intent.object === 'payment_intent') {
    const done = finishAuthentication(ctx, intent, passed)
    onPaymentAttempted(ctx, done)
    return done
  }
  const done = finishSetupAuthentication(ctx, intent, passed)
  onSetupAttempted(ctx, done)
  return done
}

/** `/3ds/{intent}` and `/paypal/{intent}` ask for consent; `…/complete` and `…/fail` take the decision. */
export function consentPage(ctx: Context, method: string, [id = '', decision]: string[]): Page | Response {
  const intent = findIntent(ctx, id)
  if (intent === null) return { title: 'Not found', body: '<p>There is no such payment.</p>', status: 404 }
  if (intent.status !== 'requires_action') return returnToMerchant(intent)
  if (method === 'POST' && (decision === 'complete' || decision === 'fail')) {
    return returnToMerchant(transact(ctx.store, () => finishIntent(ctx, intent, decision === 'complete')))
  }
  const paymentMethod = findObject(ctx.store, 'payment_method', intent.payment_method ?? '')
  const { title, asks, thing } =
    paymentMethod?.type === 'paypal'
      ? { title: 'PayPal', asks: 'PayPal', thing: 'later payments' }
      : { title: '3-D Secure', asks: 'bank', thing: 'your card' }
  const what =
    intent.object === 'payment_intent' ? `a payment of ${formatMoney(intent.amount, intent.currency)}` : thing
  const button = (name: string, label: string) =>
    `<form method="post" action="${intent.id}/${name}"><button>${label}</button></form>`
  const question = `<p>This is the sandbox's ${asks}. It asks you to confirm ${escapeHtml(what)}.</p>`
  return { title, body: `${question}${button('complete', 'Complete')}${button('fail', 'Fail')}` }
}
