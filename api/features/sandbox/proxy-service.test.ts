import { afterAll, expect, test } from 'vitest'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { startWorld } from '#api/testing/world.ts'

const world = await startPaymentWorld()
afterAll(() => world.stop())

const front = startWorld({ sandboxPort: world.sandbox.port })

const proxied = (address: string | null | undefined) => `/sandbox/stripe${new URL(address ?? '').pathname}`

const post = (path: string, fields: Record<string, string> = {}) =>
  front.handle(new Request(`http://localhost${path}`, { method: 'POST', body: new URLSearchParams(fields) }))

const pay = (path: string, number: string) => post(path, { number, expiry: '12/40', cvc: '123' })

test('an invoice is seen, printed and paid through our own address, 3-D Secure too', async () => {
  const { stripe } = world.ctx
  const customer = await stripe.customers.create({ email: 'jo@example.test' })
  const draft = await stripe.invoices.create({ customer: customer.id })
  await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 5_000 })
  const invoice = await stripe.invoices.finalizeInvoice(draft.id)
  const page = proxied(invoice.hosted_invoice_url)
  expect(await (await front.call(page)).text()).toContain('£50.00')
  const pdf = await front.call(proxied(invoice.invoice_pdf))
  expect([pdf.headers.get('content-type'), (await pdf.text()).slice(0, 5)]).toEqual(['application/pdf', '%PDF-'])
  expect((await front.call('/sandbox/stripe/style.css')).headers.get('content-type')).toContain('text/css')
  expect(await (await pay(page, '4000000000000002')).text()).toContain('declined')
  const away = await pay(page, '4000002760003184')
  const bank = proxied(away.headers.get('location'))
  expect(await (await front.call(bank)).text()).toContain('3-D Secure')
  const back = await post(`${bank}/complete`)
  expect(proxied(back.headers.get('location'))).toBe(page)
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('paid')
})

test('no call of the secret key is reachable', async () => {
  for (const path of ['/v1/customers', '/_sandbox/settings', '/v1/payment_intents/pi_x/cancel']) {
    expect((await front.call(`/sandbox/stripe${path}`)).status).toBe(404)
  }
})
