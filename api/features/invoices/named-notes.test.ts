import { afterEach, beforeEach, expect, test } from 'vitest'
import { recountSums } from '#api/features/earnings/revenue/sums-service.ts'
import { becomeMember, personCalled } from '#api/testing/billing.ts'
import { creditTools, whole } from '#api/testing/credits.ts'
import { dashboard } from '#api/testing/dashboard.ts'
import { download } from '#api/testing/downloads.ts'
import { onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedInvoices, issuedNotes, millLane, refundNewest } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const { stripe, byHand, renew, paidInvoice, grosses, commission } = creditTools(() => world)
const { rateOf, priceOfTier, addOnPrice, sellToSam } = dashboard(() => world)

/** Credits lines of the newest invoice, found by a word of theirs, in pence without VAT. */
async function credit(lines: Record<string, number>, how: (total: number) => object) {
  const invoice = await paidInvoice()
  const found = Object.entries(lines).map(([word, amount]) => ({
    type: 'invoice_line_item' as const,
    invoice_line_item: invoice?.lines.data.find(({ description }) => description?.includes(word))?.id ?? '',
    amount,
  }))
  const rates = new Map(invoice?.lines.data.map((line) => [line.id, (line.taxes?.[0]?.amount ?? 0) / line.amount]))
  const total = found.reduce((sum, { invoice_line_item: id, amount }) => sum + amount * (1 + (rates.get(id) ?? 0)), 0)
  await stripe().creditNotes.create({ invoice: invoice?.id ?? '', lines: found, ...how(Math.round(total)) })
  await world.sandbox.settle()
}

const amounts = () => issuedNotes(world).map(({ net, vat, gross }) => ({ net, vat, gross }))

test.each([
  { how: 'to the card', give: (total: number) => ({ refund_amount: total }) },
  { how: 'to the balance', give: (total: number) => ({ credit_amount: total }) },
  { how: 'outside Stripe', give: (total: number) => ({ out_of_band_amount: total }) },
])('INV-1 a credit note on an add-on’s line, $how, is at its rate and claws nothing back', async ({ give }) => {
  const books = await addOnPrice(4_000)
  await sellToSam({ items: [{ price: books, tax_rates: [await rateOf(0)] }, { price: await priceOfTier() }] })
  await credit({ 'Text messages': 3_000 }, give)
  expect(amounts()).toEqual([{ net: 3_000, vat: 0, gross: 3_000 }])
  expect(commission()).toEqual([2_500, 0])
  const owner = world.signIn(world.addOwner())
  const page = await (await owner(`/api/billing/credit-notes/${issuedNotes(world)[0]?.id}`)).text()
  expect([page.includes('Text messages'), page.includes('Alliance membership')]).toEqual([true, false])
  const csv = await (await download(owner, 'invoices.csv')).text()
  expect(csv.split('\r\n').filter((row) => row.startsWith('Credit note'))).toEqual([
    expect.stringMatching(/Text messages[^;]*,-30,0,-30,A-000001,/),
  ])
  // What’s left, refunded without a note: the rest of the books, and the month with all its VAT.
  const charge = (await stripe().charges.list({ customer: onlyCustomer(world), limit: 1 })).data[0]
  await stripe().refunds.create({ charge: charge?.id ?? '', amount: 31_000 })
  await world.sandbox.settle()
  expect(amounts().at(-1)).toEqual({ net: 26_000, vat: 5_000, gross: 31_000 })
  expect(commission()).toEqual([2_500, 0, -2_500])
})

test('INV-1 a credit note on two lines claws back the tier’s part alone', async () => {
  const addOn = await addOnPrice(4_000)
  await sellToSam({ items: [{ price: addOn }, { price: await priceOfTier() }] })
  await credit({ 'Text messages': 4_000, Alliance: 5_000 }, (total) => ({ refund_amount: total }))
  expect(amounts()).toEqual([{ net: 9_000, vat: 1_800, gross: 10_800 }])
  expect(commission()).toEqual([2_500, -500])
  await refundNewest(world, 12_000)
  expect(commission()).toEqual([2_500, -500, -1_000])
})

test('INV-1 a credit note’s own line at another rate is at that rate', async () => {
  const insulation = await addOnPrice(4_000)
  const reduced = await rateOf(5)
  await sellToSam({ items: [{ price: insulation, tax_rates: [reduced] }, { price: await priceOfTier() }] })
  const line = { type: 'custom_line_item' as const, description: 'Too much', unit_amount: 1_000, tax_rates: [reduced] }
  const invoice = await paidInvoice()
  await stripe().creditNotes.create({ invoice: invoice?.id ?? '', lines: [line], refund_amount: 1_050 })
  await world.sandbox.settle()
  expect(amounts()).toEqual([{ net: 1_000, vat: 50, gross: 1_050 }])
  expect(commission()).toEqual([2_500, 0])
})

test('INV-1 an invoice issued again carries over what a credit note named', async () => {
  const books = await addOnPrice(4_000)
  await sellToSam({ items: [{ price: books, tax_rates: [await rateOf(0)] }, { price: await priceOfTier() }] })
  await credit({ 'Text messages': 4_000 }, (total) => ({ refund_amount: total }))
  const call = world.signIn(personCalled(world, sam.email))
  await call('/api/billing/address', { method: 'PUT', body: millLane })
  const [books4, rest] = [
    { net: 4_000, vat: 0, gross: 4_000 },
    { net: 25_000, vat: 5_000, gross: 30_000 },
  ]
  expect(amounts()).toEqual([books4, rest, books4])
})

const linted = async (call: Call) => {
  const { problems } = await (await call('/api/admin/invoice-lint')).json()
  return problems.filter(({ fix }: { fix: string | null }) => fix?.includes('invoices credit'))
}

test('INV-1 an old credit note that took a share of every line is listed, and crediting its invoice mends it', async () => {
  const books = await addOnPrice(4_000)
  await sellToSam({ items: [{ price: books, tax_rates: [await rateOf(0)] }, { price: await priceOfTier() }] })
  const { creditNotes } = stripe()
  const { list } = creditNotes
  // An earlier version didn't ask for them, and saw a refund that named nothing.
  creditNotes.list = () => ({ autoPagingToArray: async () => [] }) as never
  await credit({ 'Text messages': 3_000 }, (total) => ({ refund_amount: total }))
  creditNotes.list = list
  const owner = world.signIn(world.addOwner())
  expect([amounts(), await linted(owner)]).toEqual([[{ net: 2_559, vat: 441, gross: 3_000 }], []])
  await owner(`/api/admin/members/${personCalled(world, sam.email).id}/sync`, { method: 'POST' })
  const reason = 'Credit note C-000001 was for the wrong lines'
  expect(await linted(owner)).toEqual([
    {
      document: 'C-000001',
      problem: expect.stringMatching(
        /^It’s for a share of every line, but Stripe’s credit note is for 1 × Text messages[^,]*\.$/,
      ),
      fix: `alliance invoices credit A-000001 --reason "${reason}"`,
    },
  ])
  await owner('/api/admin/invoice/A-000001/credit', { body: { reason } })
  expect(amounts().slice(1)).toEqual([
    { net: 26_441, vat: 4_559, gross: 31_000 },
    { net: 3_000, vat: 0, gross: 3_000 },
  ])
  expect(await linted(owner)).toEqual([])
})

test('INV-1 a line credited after a plain refund takes what’s left at its rate, and the old way is listed', async () => {
  const books = await addOnPrice(4_000)
  await sellToSam({ items: [{ price: books, tax_rates: [await rateOf(0)] }, { price: await priceOfTier() }] })
  await refundNewest(world, 17_000)
  await credit({ 'Text messages': 4_000 }, (total) => ({ refund_amount: total }))
  expect(amounts()).toEqual([
    { net: 14_500, vat: 2_500, gross: 17_000 },
    { net: 3_667, vat: 333, gross: 4_000 },
  ])
  const owner = world.signIn(world.addOwner())
  expect(await linted(owner)).toEqual([])
  const { sqlite } = world.ctx
  const triggers = sqlite.prepare<[], string>(
    `select name from sqlite_master where type = 'trigger' and tbl_name = 'credit_notes'`,
  )
  for (const name of triggers.pluck().all()) sqlite.exec(`drop trigger "${name}"`)
  const lines = JSON.stringify([{ description: 'Text messages', rate: 0, net: 4_000, vat: 0 }])
  sqlite.prepare('update credit_notes set net = 4000, vat = 0, lines = ? where sequence = 2').run(lines)
  recountSums(world.ctx)
  expect(await linted(owner)).toEqual([
    {
      document: 'A-000001',
      problem: 'Its credit notes credit more at 0% than it charged.',
      fix: 'alliance invoices credit A-000001 --reason "Credit notes credited too much at 0%"',
    },
  ])
})

/** A month that goodwill paid a part of is credited whole to the balance, which pays for the next. */
async function creditedToBalance(goodwill: number): Promise<void> {
  await becomeMember(world)
  await byHand(0 - goodwill)
  await renew()
  const paid = await paidInvoice()
  await stripe().creditNotes.create({ invoice: paid?.id ?? '', amount: 30_000, credit_amount: 30_000 })
  await renew()
}

test('INV-1 goodwill that a credit note puts back on the balance stays goodwill, beyond what was paid in money', async () => {
  await creditedToBalance(10_000)
  expect(amounts()).toEqual([{ net: 16_667, vat: 3_333, gross: 20_000 }])
  const discounted = { net: 16_667, vat: 3_333, gross: 20_000 }
  expect(grosses()).toEqual([whole, { ...discounted, fromCredit: 0 }, { ...discounted, fromCredit: 20_000 }])
  expect(commission()).toEqual([2_500, 1_667, -1_667, 1_667])
})

test('INV-1 a month that goodwill paid whole gives back no money, by a credit note or a pause', async () => {
  await creditedToBalance(60_000)
  await world.advance(15)
  const { data } = await stripe().subscriptions.list({ customer: onlyCustomer(world) })
  await stripe().subscriptions.pause(data[0]?.id ?? '', { invoicing_behavior: 'invoice' })
  await world.sandbox.settle()
  expect([grosses(), amounts(), commission()]).toEqual([[whole], [], [2_500]])
  const owner = world.signIn(world.addOwner())
  expect(await (await owner('/api/admin/credits')).json()).toMatchObject([{ type: 'adjustment', amount: 60_000 }])
  const back = world.ctx.sqlite.prepare('select sum(amountRefunded) from provider_invoices').pluck().get()
  expect(back).toBe(0)
})

test('INV-1 an owner says that goodwill was money after a credit note: both documents follow', async () => {
  await creditedToBalance(10_000)
  const owner = world.signIn(world.addOwner())
  const [found] = await (await owner('/api/admin/credits')).json()
  const { status } = await owner(`/api/admin/credits/${found.id}/answer`, { body: { answer: 'money' } })
  expect(status).toBe(200)
  const sum = (of: { gross: number }[]) => of.reduce((all, { gross }) => all + gross, 0)
  expect(sum(issuedInvoices(world)) - sum(issuedNotes(world))).toBe(60_000)
  expect(grosses()).toEqual(expect.arrayContaining([{ ...whole, fromCredit: 30_000 }]))
  expect(commission().reduce((all, one) => all + one, 0)).toBe(5_000)
})

test('INV-1 goodwill that a void invoice gives back is goodwill again', async () => {
  await becomeMember(world)
  await world.control('settings', { draftMinutes: 60 })
  await byHand(-10_000)
  const customer = onlyCustomer(world)
  const draft = await stripe().invoices.create({ customer, auto_advance: false })
  await stripe().invoiceItems.create({ customer, invoice: draft.id, amount: 25_000 })
  const { id } = await stripe().invoices.finalizeInvoice(draft.id)
  await stripe().invoices.voidInvoice(id)
  await renew()
  expect(grosses().at(-1)).toEqual({ net: 16_667, vat: 3_333, gross: 20_000, fromCredit: 0 })
})
