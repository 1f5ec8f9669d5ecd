import { finishAuthentication } from '#api/stripe/sandbox/billing/charging.ts'
import { afterAttempt } from '#api/stripe/sandbox/billing/collection.ts'
import { afterSetup } from '#api/stripe/sandbox/billing/setup-done.ts'
import { finishSetupAuthentication } from '#api/stripe/sandbox/billing/setups.ts'
import type { Invoice } from '#api/stripe/sandbox/store/billing-objects.ts'
import type { PaymentIntent, SetupIntent } from '#api/stripe/sandbox/store/payment-objects.ts'
import { findObject, transact } from '#api/stripe/sandbox/store/store.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'

type Intent = PaymentIntent | SetupIntent

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function page(title: string, body: string, status = 200): Response {
  const html = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><meta name="color-scheme" content="light dark"></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; base-uri 'none'",
      'Referrer-Policy': 'no-referrer',
    },
  })
}

function money(pence: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() }).format(pence / 100)
}

function findIntent(work: Work, id: string): Intent | null {
  return findObject(work.store, 'payment_intent', id) ?? findObject(work.store, 'setup_intent', id)
}

/** Where the cardholder goes afterwards, told how it ended as Stripe tells it. */
function returnAddress(intent: Intent): string | null {
  if (intent.hidden.returnUrl === null) return null
  const url = new URL(intent.hidden.returnUrl)
  url.searchParams.set(intent.object, intent.id)
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret)
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  return url.href
}

function leave(intent: Intent): Response {
  const location = returnAddress(intent)
  if (location === null) {
    const ended = intent.status === 'succeeded' ? 'confirmed' : 'refused'
    return page('Thank you', `<p>The request was ${ended}. You can close this page.</p>`)
  }
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } })
}

function finish(work: Work, intent: Intent, passed: boolean): Intent {
  if (intent.object === 'payment_intent') {
    const done = finishAuthentication(work, intent, passed)
    afterAttempt(work, done)
    return done
  }
  const done = finishSetupAuthentication(work, intent, passed)
  afterSetup(work, done)
  return done
}

/** `/3ds/{intent}` or `/paypal/{intent}` asks, `…/complete` and `/fail` decide. Links are relative: a proxy may stand before it. */
function authenticationPage(work: Work, method: string, [id = '', decision]: string[]): Response {
  const intent = findIntent(work, id)
  if (intent === null) return page('Not found', '<p>There is no such payment.</p>', 404)
  if (intent.status !== 'requires_action') return leave(intent)
  if (method === 'POST' && (decision === 'complete' || decision === 'fail')) {
    return leave(transact(work.store, () => finish(work, intent, decision === 'complete')))
  }
  const asked = findObject(work.store, 'payment_method', intent.payment_method ?? '')
  const { title, asks, thing } =
    asked?.type === 'paypal'
      ? { title: 'PayPal', asks: 'PayPal', thing: 'later payments' }
      : { title: '3-D Secure', asks: 'bank', thing: 'your card' }
  const what = intent.object === 'payment_intent' ? `a payment of ${money(intent.amount, intent.currency)}` : thing
  const button = (name: string, label: string) =>
    `<form method="post" action="${intent.id}/${name}"><button>${label}</button></form>`
  return page(
    title,
    `<p>This is the sandbox's ${asks}. It asks you to confirm ${escapeHtml(what)}.</p>${button('complete', 'Complete')}${button('fail', 'Fail')}`,
  )
}

function invoicePage(invoice: Invoice | null): Response {
  if (invoice === null) return page('Not found', '<p>There is no such invoice.</p>', 404)
  const lines = invoice.lines.data.map(
    (line) => `<li>${escapeHtml(line.description ?? '')}: ${money(line.amount, line.currency)}</li>`,
  )
  const sums = `<p>Total ${money(invoice.total, invoice.currency)}, ${escapeHtml(invoice.status)}.</p>`
  return page(`Payment record ${invoice.number ?? ''}`, `<ul>${lines.join('')}</ul>${sums}`)
}

/** The sandbox's own pages for people; null when the path is none of them. */
export function answerPage(work: Work, method: string, path: string): Response | null {
  const [kind, ...rest] = path.split('/').slice(1)
  if (kind === '3ds' || kind === 'paypal') return authenticationPage(work, method, rest)
  if (kind === 'invoice') return invoicePage(findObject(work.store, 'invoice', rest[0] ?? ''))
  return null
}
