import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { customers } from '#api/db/schema/customers.ts'
import { personCalled } from '#api/testing/billing.ts'
import { beginJoin, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedInvoices, issuedNotes, joinAndPay, millLane, refundNewest } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import { AdminInvoiceList, DeleteInvoicesResponse, FixInvoicesResponse } from '#shared/contract/invoices.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const fix = async (body?: object) =>
  v.parse(FixInvoicesResponse, await (await owner('/api/admin/fix-member-invoices', { method: 'POST', body })).json())
const remove = async (body: object = { memberId: sam.email }) =>
  v.parse(DeleteInvoicesResponse, await (await owner('/api/admin/delete-member-invoices', { body })).json())
const numbers = () => issuedInvoices(world).map(({ number }) => number)

/** Pays while webhooks are blocked: the provider knows about it, our rows don't. */
async function payUnheard(body: object = { ...sam, billingAddress: millLane }) {
  await world.control('settings', { webhooks: { hold: true } })
  const joined = await beginJoin(world.call, body)
  await world.pay(joined.response.clientSecret)
  return joined
}

test('CALLS-27 ENT-21 a payment without an invoice gets one, marked retroactive; a second run, and two at once, change nothing', async () => {
  await payUnheard()
  await beginJoin(world.call, { email: 'never@example.com', name: 'Nev Ver' })
  const member = { name: 'Sam Field', email: sam.email, status: 'vat_invoice_created' }
  expect(await fix()).toMatchObject({ results: [{ ...member, created: 1 }], createdCount: 1, problemCount: 0 })
  expect(issuedInvoices(world)).toMatchObject([{ number: 'A-000001', isRetroactive: true, gross: 30_000 }])
  const [one, other] = await Promise.all([fix(), fix({})])
  expect(one).toMatchObject({ results: [{ ...member, created: 0 }], createdCount: 0 })
  expect(other).toEqual(one)
  expect(numbers()).toEqual(['A-000001'])
})

test('CALLS-27 a dry run lists what would be issued, and issues nothing', async () => {
  await payUnheard()
  const { stripe } = world.ctx
  const { id: forNothing = '' } = await stripe.invoices.create({ customer: onlyCustomer(world) })
  expect(await stripe.invoices.finalizeInvoice(forNothing)).toMatchObject({ status: 'paid', amount_paid: 0 })
  const before = countRows(world, 'audit_entries')
  const dry = await fix({ dryRun: true })
  expect(dry).toMatchObject({ dryRun: true, createdCount: 1, results: [{ email: sam.email, created: 1 }] })
  expect([numbers(), countRows(world, 'audit_entries')]).toEqual([[], before])
  expect((await fix()).results).toEqual(dry.results)
})

test('CALLS-27 ENT-21 a customer that the provider does not know, has deleted, or fails for does not stop the others', async () => {
  await payUnheard()
  const [missing, gone] = [world.addMember({ firstName: 'Mo' }), world.addUser({ firstName: 'Di' })]
  const deleted = await world.ctx.stripe.customers.create({ email: gone.email })
  await world.ctx.stripe.customers.del(deleted.id)
  const { ctx } = world
  const at = ctx.now().toISOString()
  ctx.db
    .insert(customers)
    .values({ id: ctx.newId(), userId: gone.id, stripeCustomerId: deleted.id, createdAt: at })
    .run()
  const { results, problemCount } = await fix()
  const byEmail = new Map(results.map(({ email, status, message }) => [email, [status, message]]))
  expect(byEmail.get(sam.email)).toEqual(['vat_invoice_created', undefined])
  expect(byEmail.get(missing.email)).toEqual(['customer_not_found', 'Stripe doesn’t have this customer.'])
  expect(byEmail.get(gone.email)).toEqual(['customer_deleted', 'This customer was deleted in Stripe.'])
  expect(problemCount).toBe(2)
})

test('CALLS-27 ENT-21 a member whose payments cannot be read is an error, with nothing written', async () => {
  await payUnheard()
  await world.control('faults', { kind: 'error', path: '/v1/subscriptions', times: 20 })
  const { results } = await fix()
  expect(results).toMatchObject([{ email: sam.email, status: 'error', created: 0 }])
  expect(results[0]?.message).toBe(
    'We can’t reach the payment sandbox (it runs with the server, on SANDBOX_PORT). Try again in a few minutes.',
  )
  expect(numbers()).toEqual([])
  await world.control('faults', { kind: 'error', path: '/v1/invoices', times: 3 })
  expect(await remove()).toMatchObject({ deletedCount: 0, errorCount: 1 })
})

test('CALLS-27 an address that came by another way mends what was issued without one', { tags: ['full'] }, async () => {
  await joinAndPay(world, sam)
  const message = 'There’s no address for A-000001. Add it on the member’s page, or ask them to, under Billing.'
  for (const dryRun of [true, false]) {
    expect(await fix({ dryRun, memberId: sam.email })).toMatchObject({ createdCount: 0, results: [{ message }] })
  }
  world.ctx.sqlite.exec(
    `insert into addresses (userId, line1, town, postcode, updatedAt) select userId, '1 Mill Lane', 'Leeds', 'LS1 1AA', createdAt from customers`,
  )
  expect(await fix({ dryRun: true, memberId: sam.email })).toMatchObject({ createdCount: 1 })
  const { results } = await fix({ memberId: sam.email })
  expect([results[0]?.created, results[0]?.message]).toEqual([1, undefined])
  expect(issuedInvoices(world).map(({ isMissingAddress }) => isMissingAddress)).toEqual([true, false])
  expect(await fix()).toMatchObject({ createdCount: 0 })
})

test('CALLS-28 INV-3 a retroactive one is taken back by a credit note and counts as deleted; its number stays; the tool issues it anew, once', async () => {
  await payUnheard()
  await fix()
  expect(await remove({ memberId: sam.email, dryRun: true })).toMatchObject({ deletedCount: 1, finalizedCount: 0 })
  expect(issuedNotes(world)).toEqual([])
  const [one, other] = await Promise.all([remove(), remove()])
  expect([one.deletedCount, other.deletedCount].sort()).toEqual([0, 1])
  expect([one.errorCount, other.errorCount]).toEqual([0, 0])
  const [first] = issuedInvoices(world)
  expect(issuedNotes(world)).toMatchObject([{ kind: 'removal', invoiceId: first?.id, gross: 30_000 }])
  const wouldIssue = 'Would issue these removed invoices again: A-000001.'
  expect(await fix({ dryRun: true })).toMatchObject({ createdCount: 1, results: [{ created: 1, message: wouldIssue }] })
  const runs = await Promise.all([fix(), fix({ memberId: sam.email })])
  const status = 'vat_invoice_created'
  const message = 'Issued again after removal: A-000002 for A-000001.'
  // Whichever came first says so.
  const said = expect.objectContaining({ status, created: 1, message })
  expect(runs.flatMap(({ results }) => results)).toContainEqual(said)
  const [again] = (await fix()).results
  expect([again?.status, again?.created, again?.message]).toEqual([status, 0, undefined])
  await world.control('webhooks/release')
  await world.sandbox.settle()
  // The member has a receipt already, and nothing about the payment has changed.
  expect(countRows(world, 'mail_outbox', `cause like 'receipt:%'`)).toBe(1)
  expect(countRows(world, 'mail_outbox', `text like '%orrected%'`)).toBe(0)
  expect(issuedInvoices(world)).toMatchObject([{ id: first?.id }, { number: 'A-000002', replacesId: first?.id }])
})

test('INV-3 what was refunded under a removed invoice is taken off the one that replaces it', async () => {
  await payUnheard()
  await fix()
  await refundNewest(world, 12_000)
  await world.control('webhooks/release')
  await world.sandbox.settle()
  await fix()
  await remove()
  await refundNewest(world)
  await fix()
  const [first, anew] = issuedInvoices(world)
  const on = (id: string | undefined) =>
    issuedNotes(world).flatMap(({ invoiceId, kind, gross }) => (invoiceId === id ? [[kind, gross]] : []))
  expect(on(first?.id)).toEqual([
    ['refund', 12_000],
    ['removal', 18_000],
  ])
  expect(on(anew?.id)).toEqual([
    ['correction', 12_000],
    ['refund', 18_000],
  ])
})

test('CALLS-28 INV-3 a finalized invoice cannot be deleted', async () => {
  await joinAndPay(world)
  expect(await remove()).toMatchObject({
    deletedCount: 0,
    errorCount: 0,
    finalizedCount: 1,
    message: 'Finalized invoices cannot be deleted',
  })
  expect([numbers(), issuedNotes(world)]).toEqual([['A-000001'], []])
})

async function twoDrafts() {
  const { stripe } = world.ctx
  const customer = onlyCustomer(world)
  const subscription = (await stripe.subscriptions.list({ customer })).data[0]?.id ?? ''
  const oneOff = await stripe.invoices.create({ customer })
  const renewal = await stripe.invoices.create({ customer, subscription })
  await stripe.invoiceItems.create({ customer, invoice: renewal.id, amount: 5_000, currency: 'gbp' })
  return { subscription, oneOff, renewal }
}

test('CALLS-28 drafts of an ended subscription and one-offs go: deleted, or finalised and voided, never charged', async () => {
  await joinAndPay(world)
  const { stripe } = world.ctx
  const { subscription, oneOff, renewal } = await twoDrafts()
  await stripe.subscriptions.cancel(subscription)
  expect(await remove({ memberId: sam.email, dryRun: true })).toMatchObject({ deletedCount: 2 })
  const response = await remove()
  expect(response).toMatchObject({ deletedCount: 2, errorCount: 0 })
  expect(response.deleted.sort()).toEqual([oneOff.id, renewal.id].sort())
  await expect(stripe.invoices.retrieve(oneOff.id)).rejects.toMatchObject({ code: 'resource_missing' })
  expect(await stripe.invoices.retrieve(renewal.id)).toMatchObject({ status: 'void', amount_paid: 0 })
})

test('CALLS-28 the draft of a running subscription is left to be paid, and reported', { tags: ['full'] }, async () => {
  await joinAndPay(world)
  const { oneOff, renewal } = await twoDrafts()
  const left = {
    deletedCount: 1,
    errorCount: 1,
    deleted: [oneOff.id],
    message: 'Finalized invoices cannot be deleted. You can’t delete drafts of a running subscription',
  }
  expect(await remove({ memberId: sam.email, dryRun: true })).toMatchObject(left)
  expect(await remove()).toMatchObject(left)
  expect(await world.ctx.stripe.invoices.retrieve(renewal.id)).toMatchObject({ status: 'draft' })
})

test('CALLS-27 CALLS-28 both are recorded: who, for whom, what; a member who is not there is not found', async () => {
  await payUnheard()
  await fix({ memberId: sam.email })
  await remove()
  const entries = world.ctx.sqlite
    .prepare<[], { action: string; actor: string; targetId: string; detail: string }>(
      `select action, actor, targetId, detail from audit_entries where action like 'invoices.%' order by id`,
    )
    .all()
  const { id } = personCalled(world, sam.email)
  expect(entries.map(({ targetId }) => targetId)).toEqual([id, id])
  expect(entries.map(({ action }) => action)).toEqual(['invoices.fixed', 'invoices.deleted'])
  for (const { actor } of entries) expect(actor).toMatch(/^user:/)
  expect(entries.map(({ detail }) => detail).join()).toContain('A-000001')
  for (const path of ['/api/admin/fix-member-invoices', '/api/admin/delete-member-invoices']) {
    expect(await readError(await owner(path, { body: { memberId: 'nobody@example.com' } }))).toMatchObject({
      status: 404,
    })
  }
})

test('owners read every invoice page by page, the newest first', async () => {
  await joinAndPay(world)
  await world.advance(31)
  const first = await owner('/api/admin/invoices?limit=1')
  expect(await first.json()).toMatchObject([{ number: 'A-000002', name: 'Sam Field', gross: 30_000, credited: 0 }])
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await owner(next)
  expect(await second.json()).toMatchObject([{ number: 'A-000001', isMissingAddress: false, creditNotes: [] }])
  expect(second.headers.get('link')).toBeNull()
  const found = async (query: string) => {
    const response = await owner(`/api/admin/invoices?${query}`)
    const rows = v.parse(AdminInvoiceList, await response.json())
    return [rows.map(({ number }) => number), response.headers.get('x-total-count')]
  }
  expect(await found('q=000001')).toEqual([['A-000001'], '1'])
  expect(await found('q=sam+%C2%A3300.00&sort=issued')).toEqual([['A-000001', 'A-000002'], '2'])
  expect(await found('q=%C2%A3300.01')).toEqual([[], '0'])
})

test('CALLS-27 the tool in two processes at once, the terminal’s and the server’s, makes each document once', {
  tags: ['full'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-invoices-'))
  const file = join(folder, 'alliance.sqlite')
  const server = await startPaymentWorld({ file })
  await server.control('settings', { webhooks: { hold: true } })
  for (const name of ['Sam Field', 'Kim Joist', 'Lee Tenon']) {
    const email = `${name.slice(0, 3)}@example.com`.toLowerCase()
    const { response } = await beginJoin(server.call, { name, email, billingAddress: millLane })
    await server.pay(response.clientSecret)
  }
  const terminal = startWorld({ file, sandboxPort: server.sandbox.port, localActor: 'local:olive' })
  const run = async ({ call }: Pick<PaymentWorld, 'call'>) =>
    v.parse(FixInvoicesResponse, await (await call('/api/admin/fix-member-invoices', { method: 'POST' })).json())
  const runs = await Promise.all([run({ call: server.signIn(server.addOwner()) }), run(terminal)])
  for (const { results } of runs)
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill('vat_invoice_created'))
  expect(issuedInvoices(server).map(({ number }) => number)).toEqual(['A-000001', 'A-000002', 'A-000003'])
  terminal.ctx.sqlite.close()
  await server.stop()
  server.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})
