import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { becomeMember, personCalled } from '#api/testing/billing.ts'
import { creditTools, whole } from '#api/testing/credits.ts'
import { onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedNotes } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const { stripe, byHand, renew, paidInvoice, grosses, commission } = creditTools(() => world)

const answering = async () => {
  const owner = world.signIn(world.addOwner())
  const [credit] = await (await owner('/api/admin/credits')).json()
  const answer = (said: string) => owner(`/api/admin/credits/${credit.id}/answer`, { body: { answer: said } })
  const documents = async (said: string) => (await (await answer(said)).json()).documents
  const planned = async (said: string) => {
    const body = { answer: said, dryRun: true }
    const { documents, missing } = await (await owner(`/api/admin/credits/${credit.id}/answer`, { body })).json()
    return { documents, missing }
  }
  const linted = async () => (await (await owner('/api/admin/invoice-lint')).json()).problems
  return { answer, documents, planned, linted }
}
const amountsWrong = expect.objectContaining({ problem: 'Stripe’s amounts are different.' })
const notesOf = () => issuedNotes(world).map(({ gross, reason }) => [gross, reason])

test('INV-1 an answer whose second reading fails is put right by repeating it', async () => {
  await becomeMember(world)
  await byHand(-10_000)
  await renew()
  const { answer, documents } = await answering()
  const { customers } = stripe()
  const list = customers.listBalanceTransactions
  let readings = 0
  customers.listBalanceTransactions = (...asked: Parameters<typeof list>) => {
    readings += 1
    if (readings === 2) throw new Stripe.errors.StripeConnectionError({ type: 'api_error', message: 'reset' })
    return list.apply(customers, asked)
  }
  expect((await answer('money')).status).toBe(502)
  expect(await documents('money')).toEqual(['A-000003'])
  expect(grosses().at(-1)).toEqual({ ...whole, fromCredit: 10_000 })
  expect(commission()).toEqual([2_500, 1_667, 833])
  expect(await documents('money')).toEqual([])
})

test('INV-1 a whole month’s credit is money, goodwill, and money again: documents, commission and lint follow', async () => {
  await becomeMember(world)
  await byHand(-30_000)
  await renew()
  const { documents, planned, linted } = await answering()
  expect(await planned('money')).toEqual({ documents: [], missing: 1 })
  expect(grosses()).toEqual([whole])
  expect(await documents('money')).toEqual(['A-000002'])
  expect(await planned('money')).toEqual({ documents: [], missing: 0 })
  expect(await planned('goodwill')).toEqual({ documents: ['A-000002'], missing: 0 })
  expect([grosses(), notesOf()]).toEqual([[whole, { ...whole, fromCredit: 30_000 }], []])
  expect(await documents('goodwill')).toEqual([])
  expect(notesOf()).toEqual([[30_000, 'Credit that paid for it was a discount']])
  expect(commission()).toEqual([2_500, 2_500, -2_500])
  expect(await linted()).not.toContainEqual(expect.objectContaining({ document: 'A-000002' }))
  expect(await documents('money')).toEqual(['A-000003'])
  expect(notesOf()).toHaveLength(1)
  expect(commission()).toEqual([2_500, 2_500, -2_500, 2_500])
  expect(await linted()).not.toContainEqual(amountsWrong)
  const named = world.ctx.sqlite
    .prepare(`select detail ->> 'answer' from audit_entries where action = 'invoice.credit_named' order by rowid`)
    .pluck()
    .all()
  expect(named).toEqual(['money', 'goodwill', 'money'])
})

test('INV-1 goodwill for less than was given back is credited whole, commission too', async () => {
  await becomeMember(world)
  await byHand(-10_000)
  await renew()
  const { documents } = await answering()
  await documents('money')
  const paid = await paidInvoice()
  await stripe().creditNotes.create({ invoice: paid?.id ?? '', amount: 25_000, credit_amount: 25_000 })
  await world.sandbox.settle()
  expect(await documents('goodwill')).toEqual(['A-000004'])
  expect(grosses().at(-1)).toEqual({ net: 16_667, vat: 3_333, gross: 20_000, fromCredit: 0 })
  expect(notesOf().map(([gross]) => gross)).toEqual([20_000, 25_000, 5_000, 20_000])
  expect(commission()).toEqual([2_500, 1_667, 833, -2_083, -417])
  expect(await documents('money')).toEqual(['A-000005'])
  expect(notesOf().map(([gross]) => gross)).toEqual([20_000, 25_000, 5_000, 20_000, 25_000])
  expect(commission()).toEqual([2_500, 1_667, 833, -2_083, -417, 417])
})

test('INV-1 a credit note from before the update waits: no note, mail or claw-back until an owner asks', async () => {
  await becomeMember(world)
  const paid = await paidInvoice()
  const { creditNotes } = stripe()
  const { list } = creditNotes
  // An earlier version didn't ask for them.
  creditNotes.list = () => ({ autoPagingToArray: async () => [] }) as never
  await creditNotes.create({ invoice: paid?.id ?? '', amount: 10_000, credit_amount: 10_000 })
  await renew()
  creditNotes.list = list
  world.ctx.sqlite.exec('update customers set waitsForReading = 1')
  const owner = world.signIn(world.addOwner())
  const read = () => owner(`/api/admin/members/${personCalled(world, sam.email).id}/sync`, { method: 'POST' })
  await read()
  await read()
  const mails = () => world.ctx.sqlite.prepare(`select 1 from mail_outbox where cause like 'refund:%'`).all()
  const booked = commission()
  expect([notesOf(), mails(), booked.filter((amount) => amount < 0)]).toEqual([[], [], []])
  const waiting = { document: 'A-000001', fix: 'alliance invoices fix', problem: expect.stringContaining('£100.00') }
  const linted = async () => (await (await owner('/api/admin/invoice-lint')).json()).problems
  expect(await linted()).toContainEqual(waiting)
  const fixed = async (body: object) => {
    const { results } = await (await owner('/api/admin/fix-member-invoices', { body })).json()
    return results[0].message
  }
  expect(await fixed({ dryRun: true })).toContain('Would issue credit notes that were held up: £100.00 on A-000001.')
  expect(issuedNotes(world)).toEqual([])
  expect(await fixed({})).toContain('Issued credit notes that were held up: £100.00 on A-000001.')
  expect(await fixed({ dryRun: true })).not.toContain('credit note')
  await read()
  expect(issuedNotes(world)).toMatchObject([
    { gross: 10_000, issuedOn: world.ctx.billingNow().toISOString().slice(0, 10) },
  ])
  expect([mails(), commission()]).toEqual([[], [...booked, -833]])
  expect(await linted()).not.toContainEqual(waiting)
})

test('INV-1 an invoice below nought from before the update waits as a credit note does', async () => {
  await becomeMember(world)
  await world.control('settings', { webhooks: { hold: true } })
  await world.advance(15)
  const { data } = await stripe().subscriptions.list({ customer: onlyCustomer(world) })
  await stripe().subscriptions.pause(data[0]?.id ?? '', { invoicing_behavior: 'invoice' })
  world.ctx.sqlite.exec('update customers set waitsForReading = 1')
  const owner = world.signIn(world.addOwner())
  const read = () => owner(`/api/admin/members/${personCalled(world, sam.email).id}/sync`, { method: 'POST' })
  await read()
  await read()
  const mails = () => world.ctx.sqlite.prepare(`select 1 from mail_outbox where cause like 'refund:%'`).all()
  expect([notesOf(), mails(), commission()]).toEqual([[], [], [2_500]])
  const linted = async () => (await (await owner('/api/admin/invoice-lint')).json()).problems
  const waiting = { document: 'A-000001', fix: 'alliance invoices fix', problem: expect.stringContaining('£150.00') }
  expect(await linted()).toContainEqual(waiting)
  await owner('/api/admin/fix-member-invoices', { body: {} })
  await read()
  const issuedOn = world.ctx.billingNow().toISOString().slice(0, 10)
  expect(issuedNotes(world)).toMatchObject([{ gross: 15_000, issuedOn }])
  expect([mails(), commission()]).toEqual([[], [2_500, -1_250]])
  expect(await linted()).not.toContainEqual(waiting)
})
