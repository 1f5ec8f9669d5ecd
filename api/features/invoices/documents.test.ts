import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { documentStyle } from '#api/documents/invoice-page.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedInvoices, issuedNotes, joinAndPay, millLane, refundNewest } from '#api/testing/paying.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { InvoiceList } from '#shared/contract/billing.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { shippedColours } from '#shared/values/brand-colours.ts'

const shippedPage = { font: '', colours: shippedColours }

let world: PaymentWorld
let call: Call
let page: string
const today = () => londonDay(world.ctx.billingNow())

beforeAll(async () => {
  world = await startPaymentWorld({
    env: {
      SELLER_NAME: 'Alliance Ltd',
      SELLER_ADDRESS: '7 Dock Road, Hull, HU1 1AA',
      SELLER_VAT_NUMBER: 'GB 123 4567 89',
    },
  })
  const address = { ...millLane, line2: 'Flat <b>2</b>' }
  call = (
    await joinAndPay(world, { email: sam.email, name: 'Łukasz O’Brien', tierSlug: 'xl', billingAddress: address })
  ).call
  page = await (await call(pathTo('invoices', issuedInvoices(world)[0]?.id))).text()
})
afterAll(() => world.stop())

const pathTo = (what: 'invoices' | 'credit-notes', id = '') => `/api/billing/${what}/${id}`
const list = async (by: Call = call) => v.parse(InvoiceList, await (await by('/api/billing/invoices')).json())

test('a phone that has the list is told so by its tag, until a document is added', async () => {
  const paid = await startPaymentWorld()
  onTestFinished(paid.stop)
  const { call: by } = await joinAndPay(paid, sam)
  const first = await by('/api/billing/invoices')
  const again = () => by('/api/billing/invoices', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  expect([(await first.json()).length, (await again()).status]).toEqual([1, 304])
  await refundNewest(paid, 12_000)
  expect([(await again()).status, await list(by)]).toMatchObject([200, [{ credit_notes: [{ total: 12_000 }] }]])
})

describe('an invoice says what regulation 14(1) of the VAT Regulations 1995 asks for', () => {
  const fact = (label: string, value: string) => `<dt>${label}</dt><dd>${value}</dd>`
  const cell = (label: string, value: string) => `data-l="${label}">${value}</td>`

  test('(a) a number that identifies it', () => expect(page).toContain(fact('Invoice number', 'A-000001')))

  test('(b) the time of supply: the London day of the payment', () =>
    expect(page).toContain(fact('Time of supply (tax point)', formatLongDate(today()))))

  test('(c) the date of issue', () => expect(page).toContain(fact('Date of issue', formatLongDate(today()))))

  test('(d) the supplier’s name, address and registration number', () => {
    for (const part of ['Alliance Ltd', '7 Dock Road, Hull, HU1 1AA', 'VAT registration number GB 123 4567 89']) {
      expect(page).toContain(part)
    }
  })

  test('(e) the customer’s name and address, as text', () => {
    expect(page).toContain('Łukasz O’Brien')
    expect(page).toContain('1 Mill Lane\nFlat &lt;b&gt;2&lt;/b&gt;\nLeeds\nLS1 1AA')
  })

  test('(g) what was supplied', () => {
    const nextMonth = /Alliance XL membership, (.+?) to (.+?)</.exec(page)
    expect(nextMonth?.[1]).toBe(formatLongDate(today()))
    expect(Date.parse(nextMonth?.[2] ?? '')).toBeGreaterThan(Date.parse(addDays(today(), 25)))
  })

  test('(h) of each: quantity, rate of VAT, and what is payable without VAT', () => {
    for (const [label, value] of [
      ['Quantity', '1 month'],
      ['VAT rate', '20%'],
      ['Net', '£450.00'],
    ] as const) {
      expect(page).toContain(cell(label, value))
    }
  })

  test('(i) the total without VAT', () => expect(page).toContain(fact('Total excluding VAT', '£450.00')))

  test('(l) the total of VAT, in sterling, and by rate', () => {
    expect(page).toContain(fact('Total VAT', '£90.00'))
    expect(page).toContain(fact('VAT at 20% on £450.00', '£90.00'))
  })

  test('(m) the unit price', () => expect(page).toContain(cell('Unit price', '£450.00')))

  test('the total with VAT', () => expect(page).toContain(fact('Total including VAT', '£540.00')))
})

test('INV-4 a discount is shown with its rate, (j), and the net after it, all in pounds and pence', async () => {
  const { ctx } = world
  const [issued] = issuedInvoices(world)
  const line = { description: 'Set-up', quantity: 3, unitPrice: 1_001, net: 2_703, rate: 20, vat: 541 }
  ctx.sqlite
    .prepare(
      `insert into provider_invoices (id, customerId, status, lines, net, vat, total, amountPaid, created, paidAt)
       values ('in_discount', ?, 'paid', ?, 2703, 541, 3244, 3244, ?, ?)`,
    )
    .run(issued?.customerId, JSON.stringify([line]), ...Array(2).fill(ctx.billingNow().toISOString()))
  await syncCustomer(ctx, onlyCustomer(world))
  const discounted = issuedInvoices(world).find(({ providerInvoiceId }) => providerInvoiceId === 'in_discount')
  const shown = await (await call(pathTo('invoices', discounted?.id))).text()
  expect(shown).toContain('Set-up<small>Discount 9.99%: £3.00 off</small>')
  for (const words of ['data-l="Quantity">3<', '£10.01', '£27.03', '£5.41', '£32.44']) expect(shown).toContain(words)
})

test('API-07 DATA-19 INV-4 the list is in pence, and names our number, our page and our PDF; a refund shows with its credit note', async () => {
  await refundNewest(world, 10_000)
  const paid = (await list()).find(({ number }) => number === 'A-000001')
  const [invoice] = issuedInvoices(world)
  const [note] = issuedNotes(world)
  const url = `http://localhost:3000/api/billing/invoices/${invoice?.id}`
  const noteUrl = `http://localhost:3000/api/billing/credit-notes/${note?.id}`
  expect(paid).toMatchObject({
    id: invoice?.id,
    status: 'paid',
    total: 54_000,
    refunded: 10_000,
    hosted_invoice_url: url,
    invoice_pdf: `${url}/pdf`,
    credit_notes: [
      { number: 'C-000001', kind: 'refund', invoice: 'A-000001', total: 10_000, url: noteUrl, pdf: `${noteUrl}/pdf` },
    ],
  })
  expect(Number.isInteger(paid?.created)).toBe(true)
  expect(Math.abs((paid?.created ?? 0) * 1000 - world.ctx.billingNow().getTime())).toBeLessThan(600_000)
})

test('a credit note names the invoice, the reason, and what it takes back; each page links the other', async () => {
  const [invoice] = issuedInvoices(world)
  const [note] = issuedNotes(world)
  const shown = await (await call(pathTo('credit-notes', note?.id))).text()
  for (const words of [
    ...[
      'VAT credit note',
      'C-000001',
      `A-000001 of ${formatLongDate(today())}`,
      `Refund of ${formatLongDate(today())}`,
    ],
    ...['£83.33', '£16.67', '£100.00', 'Credits £100.00 of the £540.00 of invoice A-000001.'],
    `href="/api/billing/invoices/${invoice?.id}"`,
  ]) {
    expect(shown).toContain(words)
  }
  const first = await (await call(pathTo('invoices', invoice?.id))).text()
  expect(first).toContain(`href="/api/billing/credit-notes/${note?.id}"`)
  const pdf = await call(`${pathTo('credit-notes', note?.id)}/pdf`)
  expect(pdf.headers.get('content-disposition')).toContain('credit-note-C-000001.pdf')
  // Only one that took another's number after a restore says so.
  for (const page of [first, shown]) expect(page).not.toContain('no longer in our books')
})

test('API-07 an unpaid one has no number and no PDF, and the provider’s page', async () => {
  const other = await startPaymentWorld()
  const renewing = await becomeMember(other, cards.failsLater)
  await other.advance(32)
  const open = await list(renewing)
  expect(open).toMatchObject([{ number: null, invoice_pdf: null, status: 'open', total: 30_000 }, { status: 'paid' }])
  expect(open[0]?.hosted_invoice_url).toMatch(/^http/)
  await other.stop()
})

test('V8.2.2 API-07 a document is there for its member and the owners, and for nobody else', async () => {
  const paths = [pathTo('invoices', issuedInvoices(world)[0]?.id), pathTo('credit-notes', issuedNotes(world)[0]?.id)]
  const [stranger, owner] = [world.signIn(world.addMember()), world.signIn(world.addOwner())]
  for (const path of paths.flatMap((one) => [one, `${one}/pdf`])) {
    const asked = [call, owner, stranger, world.call].map(async (by) => (await by(path)).status)
    expect([path, await Promise.all(asked)]).toEqual([path, [200, 200, 404, 401]])
  }
  expect(await list(stranger)).toEqual([])
})

test('API-07 a browser that opens a document logged out is led to the login, and from there back to it', async () => {
  const page = pathTo('invoices', issuedInvoices(world)[0]?.id)
  for (const path of [page, `${page}/pdf`, pathTo('credit-notes', issuedNotes(world)[0]?.id)]) {
    const response = await world.call(path, { headers: { accept: 'text/html,application/xhtml+xml' } })
    const login = `/login?redirect=${encodeURIComponent(path)}`
    expect([response.status, response.headers.get('location')]).toEqual([303, login])
    expect(await response.text()).toBe('')
    for (const accept of ['application/json', 'application/pdf', '*/*'])
      expect((await world.call(path, { headers: { accept } })).status).toBe(401)
  }
  const list = await world.call('/api/billing/invoices', { headers: { accept: 'text/html' } })
  expect(list.status).toBe(401)
})

test('the PDF is one, has its fonts in it, and is the same bytes each time', async () => {
  const read = async () => {
    const response = await call(`${pathTo('invoices', issuedInvoices(world)[0]?.id)}/pdf`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="invoice-A-000001.pdf"',
      'cache-control': 'private, no-store',
    })
    return Buffer.from(await response.arrayBuffer())
  }
  const [once, again] = [await read(), await read()]
  expect(once.equals(again)).toBe(true)
  const text = once.toString('latin1')
  expect([text.slice(0, 5), text.trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF'])
  expect(text).toMatch(/\/FontName \/\w{6}\+Archivo-Bold/)
  expect(text).toMatch(/\/FontName \/\w{6}\+Archivo-Regular/)
})

test('the page obeys a policy that lets nothing run, and is kept by no cache', async () => {
  const response = await call(pathTo('invoices', issuedInvoices(world)[0]?.id))
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toBe(documentStyle(shippedPage).policy)
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const shown = await response.text()
  expect(shown).not.toMatch(/<script|style=|onclick|<img|<link/i)
  expect(shown).toContain(`<style>${documentStyle(shippedPage).css}</style>`)
})

test('the page’s colours are the tokens of the site', () => {
  const [root = ''] = readFileSync('pwa/ui/styles/tokens.css', 'utf8').split('@supports')
  const tokens = new Map([...root.matchAll(/^ {2}(--[\w-]+): ([^;]+);/gm)].map(([, name, value]) => [name, value]))
  const used = [...documentStyle(shippedPage).css.matchAll(/^ {2}(--[\w-]+): ([^;]+);$/gm)].map(([, name, value]) => [
    name,
    value,
  ])
  expect(used.length).toBeGreaterThan(8)
  for (const [name, value] of used) expect([name, value]).toEqual([name, tokens.get(name)])
})

test('INV-3 an invoice that replaces another says so, and by what that one was taken back; they lead to each other', async () => {
  const other = await startPaymentWorld()
  const { call: by } = await joinAndPay(other, sam)
  await by('/api/billing/address', { method: 'PUT', body: millLane })
  const [first, anew] = issuedInvoices(other)
  const read = async (id = '') => (await by(pathTo('invoices', id))).text()
  const [before, after] = [await read(first?.id), await read(anew?.id)]
  expect(after).toContain('Replaces invoice A-000001, which was cancelled by C-000001.')
  expect(after).toContain(`<a href="${pathTo('invoices', first?.id)}">Replaces invoice A-000001</a>`)
  expect(before).toContain(`<a href="${pathTo('invoices', anew?.id)}">Replaced by invoice A-000002</a>`)
  const note = await (await by(pathTo('credit-notes', issuedNotes(other)[0]?.id))).text()
  for (const [id, label] of [
    [first?.id, 'Invoice A-000001'],
    [anew?.id, 'Replaced by invoice A-000002'],
  ]) {
    expect(note).toContain(`<a href="${pathTo('invoices', id)}">${label}</a>`)
  }
  expect(await list(by)).toMatchObject([
    { number: 'A-000002', replaces: 'A-000001', credit_notes: [{ number: 'C-000001', invoice: 'A-000001' }] },
  ])
  expect(before).toContain('Once it is added under Billing, a full invoice replaces this one.')
  await other.stop()
})
