import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { sellYear } from '#api/testing/adopting.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { runCommand } from '#cli/testing/run-command.ts'

let folder = ''
let world: PaymentWorld
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-payments-'))
  world = await startPaymentWorld({ file: databaseFile(folder), startsAt: new Date('2027-02-01T10:00:00.000Z') })
  await becomeMember(world)
})
afterEach(async () => {
  await world.stop()
  world.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})

const run = (argv: string) =>
  runCommand(argv.split(' '), {
    now: world.ctx.now,
    env: { DATA_DIR: folder, XDG_CONFIG_HOME: folder, PORT: '0', SANDBOX_PORT: String(world.sandbox.port) },
  })
const json = async (argv: string) => JSON.parse((await run(`${argv} --json`)).out)

test('payments are listed with their invoices, by what became of them, member and month', {
  tags: ['full'],
}, async () => {
  await world.advance(31)
  const all = await json('payments list')
  expect(all).toMatchObject([
    { status: 'paid', total: 30_000, paid: 30_000, refunded: 0, email: 'sam@example.com', number: 'A-000002' },
    { number: 'A-000001', about: expect.stringContaining('Alliance'), attempts: expect.any(Number) },
  ])
  expect((await run('payments list')).out).toMatch(/1 February 2027 +Sam Field +sam@example\.com +.*Paid +£300\.00 +– /)
  expect(await json('payments list --month 2027-02')).toMatchObject([{ number: 'A-000001' }])
  expect(await json('payments list --show unpaid')).toEqual([])
  expect(await json('payments list --member nobody@example.com')).toEqual([])
  expect(await json('payments list --search A-000002 --sort total')).toHaveLength(1)
  expect((await run('payments list --show lost')).code).toBe(2)
  expect((await run('payments list --limit 1 --csv')).out.split('\r\n')).toHaveLength(3)
  const { id } = all[0]
  world.ctx.sqlite.prepare(`update provider_invoices set amountRefunded = 10000 where id = ?`).run(id)
  expect(await json('payments list --show refunded')).toMatchObject([{ id, refunded: 10_000 }])
  expect((await run('payments list --show refunded')).out).toContain('Part refunded')
})

test('a payout is what its payments and refunds add up to, less the fees', async () => {
  expect(await json('payouts list')).toEqual([])
  await world.advance(4)
  const [payout] = await json('payouts list')
  expect(payout).toMatchObject({ status: 'paid', amount: 29_530, arrivesOn: '2027-02-04', failure: null })
  const { entries, ...shown } = await json(`payouts show ${payout.id}`)
  expect(shown).toEqual(payout)
  expect(entries).toMatchObject([{ kind: 'charge', name: 'Sam Field', amount: 30_000, fee: 470, net: 29_530 }])
  const { out } = await run(`payouts show ${payout.id}`)
  expect(out).toMatch(/To the bank +£295\.30/)
  expect(out).toMatch(/charge +Sam Field +£300\.00 +£4\.70 +£295\.30/)
  expect((await run('payouts show po_none')).code).toBe(3)
  expect((await run('payouts show nonsense')).code).toBe(2)
})

test('what is left of a period is the browser’s figure, with the balance that proves it', {
  tags: ['full'],
}, async () => {
  expect((await run('earned')).out).toMatch(/2027-02 +£300\.00 +£0\.00 +£50\.00 +not known +£25\.00 +not known/)
  expect((await run('jobs run reconcile')).code).toBe(0)
  expect(await json('earned 2027-02')).toMatchObject({
    lines: [{ left: 22_030, fees: 470, bridge: { after: 29_530 } }],
  })
  const { out } = await run('earned 2026/27')
  expect(out).toMatch(/2026\/27 +£300\.00 .+ £220\.30/)
  expect(out).toMatch(/Closing balance +£295\.30/)
  expect(out).toContain('Stripe says £295.30 too.')
  expect((await run('earned --by quarter --csv')).out).toContain('2027-Q1,30000,0,5000,470,2500,22030')
  expect((await run('earned Q1')).code).toBe(2)
})

test('a plan of the guarantee says what it does: what goes back, that all is back already, or why nothing would be done', {
  tags: ['full'],
}, async () => {
  const refund = 'members refund sam@example.com'
  const plan = async () => (await run(`${refund} --dry-run`)).out
  expect(await plan()).toMatch(/Then +£300\.00 including VAT is refunded, and the membership ends\n/)
  await world.advance(3)
  const [charge] = (await world.ctx.stripe.charges.list({})).data
  await world.ctx.stripe.refunds.create({ charge: charge?.id ?? '' })
  await world.sandbox.settle()
  expect(await plan()).toMatch(/Then +everything’s been refunded already, and the membership ends\n/)
  expect((await run(`${refund} --yes`)).code).toBe(0)
  expect(await run(`${refund} --dry-run`)).toEqual({
    code: 1,
    out: '',
    err: 'You’ve already refunded this payment. See: alliance members show sam@example.com\n',
  })
})

test('a refund of nothing is refused in the plan, as an amount and where nothing is left', {
  tags: ['full'],
}, async () => {
  const refund = 'members refund sam@example.com --invoice A-000001 --reason Late'
  for (const amount of ['0', '0.00'])
    expect(await run(`${refund} --amount ${amount} --dry-run`)).toEqual({
      code: 2,
      out: '',
      err: '--amount must be more than £0.00.\n',
    })
  const [charge] = (await world.ctx.stripe.charges.list({})).data
  await world.ctx.stripe.refunds.create({ charge: charge?.id ?? '' })
  await world.sandbox.settle()
  expect(await run(`${refund} --dry-run`)).toEqual({
    code: 1,
    out: '',
    err: 'There’s nothing left to refund on A-000001.\n',
  })
})

test('after 14 days the plan of a refund is refused with the day, and with what gives a payment back', {
  tags: ['full'],
}, async () => {
  await world.advance(20)
  const refused = {
    code: 1,
    out: '',
    err:
      'The 14-day guarantee ended on 15 February 2027. ' +
      'To refund a payment: alliance members refund sam@example.com --invoice A-000001 --reason <text>\n',
  }
  expect(await run('members refund sam@example.com --dry-run')).toEqual(refused)
  expect(await run('members refund sam@example.com --yes')).toEqual(refused)
})

test('an invoice without an address is mended where the check says, and the run that issues says the same', {
  tags: ['full'],
}, async () => {
  const { sqlite } = world.ctx
  const known = 'The customer’s address is missing.'
  const [problem] = (await json('invoices lint')).problems
  expect(problem).toEqual({
    document: 'A-000001',
    fix: 'alliance members open sam@example.com',
    problem: `${known} Add it on the member’s page, or ask them to, under Billing.`,
  })
  for (const line of ['invoices fix --dry-run --csv', 'invoices fix --csv'])
    expect((await run(line)).out).toContain('There’s no address for A-000001. Add it on the member’s page')
  sqlite.exec(`insert into addresses (userId, line1, town, postcode, country, updatedAt)
    select id, '1 Mill Lane', 'York', 'YO1 1AA', 'GB', createdAt from users where email = 'sam@example.com'`)
  expect((await json('invoices lint')).problems).toEqual([
    { document: 'A-000001', problem: known, fix: 'alliance invoices fix' },
  ])
  expect((await run('invoices fix')).code).toBe(0)
  expect((await json('invoices lint')).problems).toEqual([])
})

test('the plan of a year’s refund says what of it is for the months still to come', async () => {
  await sellYear(world, { email: 'kim@example.com', tier: 'lite', amount: 100_000 })
  await world.advance(40)
  const { out } = await run('members refund kim@example.com --invoice A-000002 --reason Late --dry-run')
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    '£1,200.00 including VAT of A-000002 (£1,000.00 is for the 10 of 12 months still to come) is refunded',
  )
})
