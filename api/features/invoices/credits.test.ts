import { afterEach, beforeEach, expect, test } from 'vitest'
import { listCredits } from '#api/features/subscriptions/credit-queries.ts'
import { paidThisPeriod } from '#api/features/subscriptions/paid-upgrade-queries.ts'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { creditTools, whole } from '#api/testing/credits.ts'
import { billingOf, onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedInvoices, issuedNotes, refundNewest } from '#api/testing/paying.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Invoice } from '#shared/contract/billing.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const { stripe, byHand, renew, paidInvoice, grosses, commission } = creditTools(() => world)

test('INV-1 goodwill put on the balance is a discount: an invoice for the rest, none where it paid all', async () => {
  await becomeMember(world)
  await byHand(-40_000)
  await renew()
  expect([grosses(), commission()]).toEqual([[whole], [2_500]])
  await renew()
  expect(grosses()).toEqual([whole, { net: 16_667, vat: 3_333, gross: 20_000, fromCredit: 0 }])
  expect(commission()).toEqual([2_500, 1_667])
})

test('INV-1 an owner says that credit put there by hand was money: its invoice is issued again for the whole', async () => {
  await becomeMember(world)
  await byHand(-10_000)
  await renew()
  const owner = world.signIn(world.addOwner())
  const [credit] = await (await owner('/api/admin/credits')).json()
  expect(credit).toMatchObject({ type: 'adjustment', amount: 10_000, counts: 'goodwill', answer: null })
  const answer = (said: string) => owner(`/api/admin/credits/${credit.id}/answer`, { body: { answer: said } })
  const answered = await (await answer('money')).json()
  expect(answered).toMatchObject({ counts: 'money', documents: ['A-000003'] })
  expect(grosses().at(-1)).toEqual({ ...whole, fromCredit: 10_000 })
  expect(issuedNotes(world).map(({ gross }) => gross)).toEqual([20_000])
  expect(commission()).toEqual([2_500, 1_667, 833])
  expect(await (await answer('money')).json()).toMatchObject({ documents: [] })
  await answer('goodwill')
  expect(grosses().at(-1)).toEqual({ net: 16_667, vat: 3_333, gross: 20_000, fromCredit: 0 })
  expect(commission()).toEqual([2_500, 1_667, 833, -833])
})

test('INV-1 credit moved in from another system is listed, and counts as money until an owner says it was a discount', async () => {
  await becomeMember(world)
  await world.control('balance', { customer: onlyCustomer(world), amount: -10_000, type: 'migration' })
  await renew()
  expect([grosses(), commission()]).toEqual([
    [whole, { ...whole, fromCredit: 10_000 }],
    [2_500, 2_500],
  ])
  const owner = world.signIn(world.addOwner())
  const [credit] = await (await owner('/api/admin/credits')).json()
  expect(credit).toMatchObject({ type: 'migration', amount: 10_000, counts: 'money', answer: null })
  const path = `/api/admin/credits/${credit.id}/answer`
  expect(await (await owner(path, { body: { answer: 'goodwill' } })).json()).toMatchObject({ documents: ['A-000003'] })
  expect(grosses().at(-1)).toEqual({ net: 16_667, vat: 3_333, gross: 20_000, fromCredit: 0 })
  expect(commission()).toEqual([2_500, 2_500, -833])
})

test('INV-1 a credit note on a paid invoice gets ours once, and its money pays for a whole supply', async () => {
  const call = await becomeMember(world)
  const paid = await paidInvoice()
  await stripe().creditNotes.create({ invoice: paid?.id ?? '', amount: 10_000, credit_amount: 10_000 })
  await renew()
  expect(issuedNotes(world).map(({ gross, reason }) => [gross, reason.slice(0, 20)])).toEqual([
    [10_000, 'Added to your credit'],
  ])
  expect(grosses()).toEqual([whole, { ...whole, fromCredit: 10_000 }])
  expect((await paidInvoice())?.amount_paid).toBe(20_000)
  expect(commission()).toEqual([2_500, -833, 2_500])
  const page = await (await call(`/api/billing/invoices/${issuedInvoices(world)[1]?.id}`)).text()
  expect(page).toContain('£100.00 from your credit, £200.00 by card')
})

test('INV-1 credit that came from money and pays for a whole month counts as taken', async () => {
  await becomeMember(world)
  const paid = await paidInvoice()
  await stripe().creditNotes.create({ invoice: paid?.id ?? '', amount: 30_000, credit_amount: 30_000 })
  await renew()
  expect((await paidInvoice())?.amount_paid).toBe(0)
  expect(grosses()).toEqual([whole, { ...whole, fromCredit: 30_000 }])
  expect(commission()).toEqual([2_500, -2_500, 2_500])
})

test('INV-1 a credit note before payment lowers the price, and one outside Stripe gets ours', async () => {
  await becomeMember(world)
  await world.control('settings', { draftMinutes: 60 })
  const customer = onlyCustomer(world)
  const draft = await stripe().invoices.create({ customer, auto_advance: false })
  const rate = (await stripe().taxRates.list()).data[0]?.id ?? ''
  await stripe().invoiceItems.create({ customer, invoice: draft.id, amount: 25_000, tax_rates: [rate] })
  const { id } = await stripe().invoices.finalizeInvoice(draft.id)
  await stripe().creditNotes.create({ invoice: id, amount: 12_000 })
  const [card] = (await stripe().paymentMethods.list({ customer })).data
  await stripe().invoices.pay(id, { payment_method: card?.id ?? '' })
  await world.sandbox.settle()
  expect(grosses()).toEqual([whole, { net: 15_000, vat: 3_000, gross: 18_000, fromCredit: 0 }])
  await stripe().creditNotes.create({ invoice: id, amount: 6_000, out_of_band_amount: 6_000 })
  await world.sandbox.settle()
  await renew()
  expect(issuedNotes(world).map(({ gross }) => gross)).toEqual([6_000])
})

const found = async () => {
  const owner = world.signIn(world.addOwner())
  // Today's findings are kept until something was done.
  await owner(`/api/admin/members/${personCalled(world, sam.email).id}/sync`, { method: 'POST' })
  const { findings } = await (await owner('/api/admin/today')).json()
  const { credits } = await (await owner(`/api/admin/members/${personCalled(world, sam.email).id}/record`)).json()
  const said = findings.filter(({ check }: { check: string }) => check === 'credit on balances')
  return { said, credits }
}

test('credit put there by hand is named to owners before an invoice meets it, unless they took it back', async () => {
  await becomeMember(world)
  const { id } = personCalled(world, sam.email)
  await byHand(-10_000)
  await world.sandbox.settle()
  const { said, credits } = await found()
  expect(said).toMatchObject([{ message: expect.stringContaining('£100.00'), member: { id, name: 'Sam Field' } }])
  expect(credits).toMatchObject([{ amount: 10_000, counts: 'goodwill', answer: null, takenAt: null }])
  await byHand(10_000)
  await world.sandbox.settle()
  expect(await found()).toEqual({ said: [], credits: [] })
})

test('a debit taken with a month is on no invoice of ours, and owners read of it for a month', async () => {
  const call = await becomeMember(world)
  await byHand(2_000)
  await world.sandbox.settle()
  expect(await found()).toEqual({ said: [], credits: [] })
  await renew()
  expect((await paidInvoice())?.amount_paid).toBe(32_000)
  expect(grosses()).toEqual([whole, whole])
  const receipts = world.ctx.sqlite.prepare(`select subject, text from mail_outbox where cause like 'receipt:%'`).all()
  expect(receipts).toMatchObject([
    {
      subject: expect.stringMatching(/^Receipt for £300\.00, /),
      text: expect.stringContaining('You’ve paid £300.00. '),
    },
    {
      subject: expect.stringMatching(/^Receipt for £320\.00, /),
      text: expect.stringContaining(
        'You’ve paid £320.00: £300.00 for this invoice and £20.00 you owed from before. Your VAT invoice is attached.',
      ),
    },
  ])
  const listed: Invoice[] = await (await call('/api/billing/invoices')).json()
  expect(listed.map(({ total, fromBefore }) => [total, fromBefore])).toEqual([
    [30_000, 2_000],
    [30_000, undefined],
  ])
  const { said, credits } = await found()
  expect(said).toMatchObject([
    { message: expect.stringContaining('They paid a debit of £20.00 at Stripe with a month’s payment') },
  ])
  expect(credits).toMatchObject([{ amount: 2_000, counts: 'debit', takenAt: expect.any(String) }])
  await renew()
  await renew()
  expect((await found()).said).toEqual([])
  const owner = world.signIn(world.addOwner())
  expect(await (await owner('/api/admin/credits')).json()).toMatchObject([{ counts: 'debit' }])
  const answered = await owner(`/api/admin/credits/${credits[0].id}/answer`, { body: { answer: 'money' } })
  expect(answered.status).toBe(409)
})

test('an open invoice that credit pays a part of asks for the rest, everywhere, and says how it was paid', async () => {
  const call = await becomeMember(world, cards.failsLater)
  const paid = await paidInvoice()
  await stripe().creditNotes.create({ invoice: paid?.id ?? '', amount: 10_000, credit_amount: 10_000 })
  await renew()
  const billing = await billingOf(call)
  expect(billing).toMatchObject({
    status: 'past_due',
    openInvoice: { total: 30_000, due: 20_000, fromCredit: 10_000 },
  })
  expect(stateLine(billing)).toContain('£200.00')
  const today = await (await world.signIn(world.addOwner())('/api/admin/today')).json()
  expect(today.failures).toMatchObject({ due: 20_000, rows: [{ due: 20_000 }] })
  const mails = world.ctx.sqlite
    .prepare(`select text from mail_outbox where cause like 'payment-failed:%'`)
    .pluck()
    .all()
  expect(mails).toEqual([expect.stringMatching(/couldn’t take £200\.00 for your/)])
  const asked = await acted(call, '/api/billing/pay')
  expect(asked).toMatchObject({ total: 30_000, due: 20_000, fromCredit: 10_000 })
  const open = await paidInvoice()
  await stripe().invoices.pay(open?.id ?? '', { paid_out_of_band: true })
  await world.sandbox.settle()
  const page = async () => (await call(`/api/billing/invoices/${issuedInvoices(world).at(-1)?.id}`)).text()
  expect(await page()).toContain('£100.00 from your credit, £200.00 paid.')
})

test('INV-1 what a pause credits is money, and nobody is asked: our credit note gives it back', async () => {
  const call = await becomeMember(world)
  await world.advance(15)
  const { data } = await stripe().subscriptions.list({ customer: onlyCustomer(world) })
  await stripe().subscriptions.pause(data[0]?.id ?? '', { invoicing_behavior: 'invoice' })
  await world.sandbox.settle()
  expect(issuedNotes(world).map(({ gross }) => gross)).toEqual([15_000])
  expect(await found()).toEqual({ said: [], credits: [] })
  await world.advance(40)
  await acted(call, '/api/billing/resume')
  const { clientSecret } = await acted(call, '/api/billing/pay')
  await world.pay(clientSecret)
  await world.sandbox.settle()
  expect(grosses()).toEqual([whole, { ...whole, fromCredit: 15_000 }])
})

test('INV-1 a credit note partly before and partly after payment lowers the price, and gives back the rest once', async () => {
  await becomeMember(world, cards.failsLater)
  const paid = await paidInvoice()
  await stripe().creditNotes.create({ invoice: paid?.id ?? '', amount: 10_000, credit_amount: 10_000 })
  await renew()
  const open = await paidInvoice()
  const note = await stripe().creditNotes.create({ invoice: open?.id ?? '', amount: 25_000, credit_amount: 5_000 })
  expect(note).toMatchObject({ pre_payment_amount: 20_000, post_payment_amount: 5_000, type: 'mixed' })
  await world.sandbox.settle()
  expect(grosses()).toEqual([whole, { net: 8_333, vat: 1_667, gross: 10_000, fromCredit: 10_000 }])
  expect(issuedNotes(world).map(({ gross }) => gross)).toEqual([10_000, 5_000])
})

/** An invoice below nought that an owner makes in the dashboard, for what a subscription charged. */
async function creditInvoice(amount: number): Promise<void> {
  const customer = onlyCustomer(world)
  const { data } = await stripe().subscriptions.list({ customer })
  const subscription = data[0]?.id ?? ''
  await stripe().invoiceItems.create({ customer, amount, currency: 'gbp' })
  const draft = await stripe().invoices.create({ customer, subscription, pending_invoice_items_behavior: 'include' })
  await stripe().invoices.finalizeInvoice(draft.id)
  await world.sandbox.settle()
}

const refundedInAll = () => world.ctx.sqlite.prepare('select max(amountRefunded) from provider_invoices').pluck().get()

test('INV-1 two invoices below nought in a month give back no more than the month was', async () => {
  await becomeMember(world)
  await creditInvoice(-20_000)
  await creditInvoice(-20_000)
  expect(issuedNotes(world).map(({ gross }) => gross)).toEqual([20_000, 10_000])
  expect(refundedInAll()).toBe(30_000)
  expect(commission()).toEqual([2_500, -1_667, -833])
})

test('INV-1 a pause after an upgrade gives back from the upgrade, then from the month it was in', async () => {
  const call = await becomeMember(world)
  await world.advance(15)
  const { attemptId } = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  await acted(call, '/api/billing/upgrade', { attemptId })
  await world.advance(1)
  const { data } = await stripe().subscriptions.list({ customer: onlyCustomer(world) })
  await stripe().subscriptions.pause(data[0]?.id ?? '', { invoicing_behavior: 'invoice' })
  await world.sandbox.settle()
  const credit = await paidInvoice()
  const upgrade = grosses()[1]?.gross ?? 0
  expect(0 - (credit?.total ?? 0)).toBeGreaterThan(upgrade)
  expect(issuedNotes(world).map(({ gross }) => gross)).toEqual([upgrade, 0 - (credit?.total ?? 0) - upgrade])
  expect(await found()).toEqual({ said: [], credits: [] })
})

test('INV-1 a pause of a month that was refunded in part credits what’s left of it', async () => {
  await becomeMember(world)
  await refundNewest(world, 20_000)
  await world.advance(15)
  const { data } = await stripe().subscriptions.list({ customer: onlyCustomer(world) })
  await stripe().subscriptions.pause(data[0]?.id ?? '', { invoicing_behavior: 'invoice' })
  await world.sandbox.settle()
  expect(issuedNotes(world).map(({ gross }) => gross)).toEqual([20_000, 10_000])
  expect(refundedInAll()).toBe(30_000)
})

test('what owners are asked about credit, and what an upgrade gives back, is found by an index, however many others there are', () => {
  const plan = (text: string) =>
    world.ctx.sqlite
      .prepare<[], { detail: string }>(`explain query plan ${text.replaceAll('?', `'x'`)}`)
      .all()
      .map(({ detail }) => detail)
      .join()
  const read: string[] = []
  const { sqlite } = world.ctx
  const prepare = sqlite.prepare.bind(sqlite)
  sqlite.prepare = ((text: string) => {
    read.push(text)
    return prepare(text)
  }) as typeof sqlite.prepare
  listCredits(world.ctx)
  paidThisPeriod(world.ctx, 'sub_1')
  sqlite.prepare = prepare
  const plans = read.map(plan).join()
  expect(plans).not.toMatch(/SCAN (customer_credits|named|audit_entries)(?! USING INDEX)/)
  expect(plans).toContain('USING INDEX customer_credits_to_name')
  expect(plans).toContain('USING INDEX audit_entries_disputed')
})

test('a member’s page reads their credit and address by an index, however many others there are', async () => {
  await becomeMember(world)
  const read: string[] = []
  const { sqlite } = world.ctx
  const owner = world.signIn(world.addOwner())
  const prepare = sqlite.prepare.bind(sqlite)
  sqlite.prepare = ((text: string) => {
    read.push(text)
    return prepare(text)
  }) as typeof sqlite.prepare
  await owner(`/api/admin/members/${personCalled(world, sam.email).id}/record`)
  sqlite.prepare = prepare
  const asked = read.filter((text) => /from "customer_credits"|lower\(trim\("customers"/.test(text))
  const plans = asked.map((text) =>
    prepare<[], { detail: string }>(`explain query plan ${text.replaceAll('?', 'null')}`).all(),
  )
  expect(plans).toHaveLength(3)
  expect(plans.flat().filter(({ detail }) => detail.startsWith('SCAN'))).toEqual([])
})
