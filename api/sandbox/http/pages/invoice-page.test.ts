import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  createCatalogue,
  createWorld,
  invoiceOf,
  subscribe,
  subscribeAndPay,
  typesOf,
  type World,
} from '#api/sandbox/testing/world.ts'

/** An open invoice of £540.00 for a renewal that failed. */
async function openInvoice(world: World): Promise<Stripe.Invoice> {
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world), 'pm_card_chargeCustomerFail')
  await world.advanceDays(28)
  const [invoice] = (await world.stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data
  if (invoice === undefined) throw new Error('no open invoice')
  return invoice
}

function pay(invoice: Stripe.Invoice, number: string, expiry = '12 / 34'): Promise<Response> {
  const body = new URLSearchParams({ number, expiry, cvc: '123' })
  return fetch(invoice.hosted_invoice_url ?? '', { method: 'POST', body, redirect: 'manual' })
}

async function see(invoice: Stripe.Invoice): Promise<string> {
  const response = await fetch(invoice.hosted_invoice_url ?? '')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  return response.text()
}

test('the page of an open invoice shows what is due and takes a card without a script', async () => {
  const world = await createWorld()
  const invoice = await openInvoice(world)
  const page = await see(invoice)
  for (const words of [
    '1 × XL (at £450.00 / month)',
    '£450.00',
    '£90.00',
    '£540.00',
    'To be paid',
    'autocomplete="cc-number"',
  ]) {
    expect(page).toContain(words)
  }
  expect(page).not.toContain('<script')
  const declined = await pay(invoice, '4000000000000002')
  expect(await declined.text()).toContain('<p role="alert">Your card was declined.</p>')
  expect(await (await pay(invoice, '4242424242424241')).text()).toContain('Your card number is incorrect.')
  expect(await (await pay(invoice, '4242424242424242', '13/34')).text()).toContain('expiration month is invalid')
  expect(await (await pay(invoice, '4242424242424242', 'soon')).text()).toContain('expiration month is invalid')
  const paid = await pay(invoice, '4242 4242 4242 4242')
  expect([paid.status, paid.headers.get('location')]).toEqual([303, invoice.hosted_invoice_url])
  const after = await see(invoice)
  expect(after).toContain('Paid on 28 February 2027')
  expect(after).not.toContain('<form')
  expect((await world.stripe.invoices.retrieve(invoice.id)).status).toBe('paid')
  const subscription = invoice.parent?.subscription_details?.subscription
  expect((await world.stripe.subscriptions.retrieve(String(subscription))).status).toBe('active')
  await pay(invoice, '4242424242424242')
  const charges = await world.stripe.charges.list({ customer: String(invoice.customer) })
  expect(charges.data.filter(({ status }) => status === 'succeeded')).toHaveLength(2)
})

test('3-D Secure redirects away and back to the invoice', async () => {
  const world = await createWorld()
  const invoice = await openInvoice(world)
  const away = await pay(invoice, '4000 0027 6000 3184')
  expect(away.status).toBe(303)
  const address = away.headers.get('location') ?? ''
  const failed = await fetch(`${address}/fail`, { method: 'POST', redirect: 'manual' })
  expect(failed.headers.get('location')).toContain(`${invoice.hosted_invoice_url}?payment_intent=`)
  expect(await see(invoice)).toContain('role="alert"')
  await pay(invoice, '4000 0027 6000 3184')
  await fetch(`${address}/complete`, { method: 'POST', redirect: 'manual' })
  expect(await see(invoice)).toContain('Paid on')
  await world.sandbox.settle()
  expect(typesOf(world.events).filter((type) => type === 'invoice.payment_action_required')).toHaveLength(2)
})

test('drafts and unknown invoices have no page, and voided ones no form', async () => {
  const world = await createWorld()
  const customer = await world.stripe.customers.create()
  const draft = await world.stripe.invoices.create({ customer: customer.id })
  for (const id of [draft.id, 'in_none']) {
    expect((await fetch(`${world.sandbox.url}/invoice/${id}`)).status).toBe(404)
    expect((await fetch(`${world.sandbox.url}/invoice/${id}/pdf`)).status).toBe(404)
  }
  expect((await fetch(`${world.sandbox.url}/nowhere`, { method: 'POST', body: 'a=b' })).status).toBe(404)
  const { subscription } = await subscribe(world, await createCatalogue(world))
  const voided = await world.stripe.invoices.voidInvoice(invoiceOf(subscription).id)
  expect(await see(voided)).toContain('Void')
  expect(await see(voided)).not.toContain('<form')
})

test("the invoice's PDF is a valid PDF", async () => {
  const world = await createWorld()
  const invoice = await openInvoice(world)
  const response = await fetch(invoice.invoice_pdf ?? '')
  expect(response.headers.get('content-type')).toBe('application/pdf')
  const text = new TextDecoder('latin1').decode(await response.arrayBuffer())
  expect(text).toMatch(/^%PDF-1\.4\n/)
  expect(text).toContain('(£540.00)')
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  expect(text.slice(start, start + 4)).toBe('xref')
  const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n /gm)].map(([, offset]) => Number(offset))
  expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual([1, 2, 3, 4, 5].map((id) => `${id} 0 obj`))
  const note = await world.stripe.creditNotes.create({ invoice: invoice.id, amount: 12_000 })
  expect((await fetch(note.pdf)).headers.get('content-type')).toBe('application/pdf')
})
