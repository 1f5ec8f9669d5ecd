import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { act, acted, becomeMember, sellAtProvider, timesCharged } from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer } from '#api/testing/joining.ts'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import { cards, consent, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import type { Call } from '#api/testing/world.ts'
import { type RunOptions, runCommand } from '#cli/testing/run-command.ts'
import { ownerEmail } from '#cli/testing/server.ts'

let folder = ''
let world: PaymentWorld
let call: Call
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-upgrade-'))
  // February has 28 days, so half a month is 14.
  world = await startPaymentWorld({ file: databaseFile(folder), startsAt: new Date('2027-02-01T10:00:00.000Z') })
  call = await becomeMember(world)
  await world.advance(14)
})
afterEach(async () => {
  world.wholeApp().server?.stop(true)
  await world.stop()
  world.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})

const run = (argv: string, options: RunOptions = {}) =>
  runCommand(argv.split(' '), {
    now: world.ctx.now,
    ...options,
    env: {
      DATA_DIR: folder,
      XDG_CONFIG_HOME: folder,
      PORT: '0',
      NO_COLOR: '1',
      SANDBOX_PORT: String(world.sandbox.port),
    },
  })

async function listen(): Promise<string> {
  addWithPassword(world, { email: ownerEmail, isAdmin: true })
  world.wholeApp().listen({ port: 0, hostname: '127.0.0.1' })
  const api = ` --api http://127.0.0.1:${world.wholeApp().server?.port}`
  await run(`login --email ${ownerEmail} --password-stdin${api}`, { input: `${password}\n` })
  return api
}

test('an upgrade from the terminal shows what it costs, asks, and takes that, by both transports alike', {
  tags: ['full'],
}, async () => {
  const api = await listen()
  const dry = 'subscriptions upgrade sam@example.com xl --dry-run'
  const local = await run(dry)
  expect(local).toMatchObject({ code: 0, err: 'Dry run: nothing was changed.\n' })
  expect(local.out).toMatch(/Until \d+ \w+ \d{4} +£270\.00 \(£225\.00 \+ £45\.00 VAT\)/)
  expect(local.out).toMatch(/From +Visa ending \d{4}/)
  expect(local.out).toMatch(/Less unused days +−£150\.00 \(−£125\.00 \+ −£25\.00 VAT\)/)
  expect(local.out).toMatch(/To be charged +£120\.00 \(£100\.00 \+ £20\.00 VAT\)/)
  expect(local.out).toMatch(/Next payment +We’ll take £540\.00 \(£450\.00 \+ £90\.00 VAT\) on 1 March 2027\./)
  for (const format of ['', ' --csv']) expect(await run(dry + format + api)).toEqual(await run(dry + format))
  expect(await timesCharged(world)).toBe(1)

  const asked = await run('subscriptions upgrade sam@example.com xl')
  expect(asked.code).toBe(2)
  expect(asked.err).toMatch(/take £120\.00 including VAT from their card\? Use --yes to confirm\./)
  const plan = (await run(`${dry} --json`)).out
  expect(JSON.parse(plan)).toMatchObject({
    command: 'subscriptions upgrade',
    facts: { email: 'sam@example.com', preview: { from: { slug: 'standard' }, to: { slug: 'xl' }, total: 12_000 } },
  })
  // The server holds the amount that was shown.
  const done = await run('apply - --yes', { input: plan })
  expect(done.out).toMatch(/Charged +£120\.00/)
  expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl' } })
  expect(await timesCharged(world)).toBe(2)
  const again = await run('subscriptions upgrade sam@example.com xl --yes')
  expect(again.err).toMatch(/It can’t start today\. The member would read: “You’re already on .+\.”/)
})

test('what the member owes or has in credit is named, and the sum is what is charged', { tags: ['full'] }, async () => {
  const { stripe } = world.ctx
  const put = (amount: number) =>
    stripe.customers.createBalanceTransaction(onlyCustomer(world), { amount, currency: 'gbp' })
  const upgrade = 'subscriptions upgrade sam@example.com xl'
  await put(-40_000)
  const free = await run(upgrade)
  expect(free.err).toMatch(/paid from their credit\? Use --yes/)
  await put(45_000)
  const done = await run(`${upgrade} --yes`)
  expect(done.out).toMatch(/Total +£120\.00 .*\n.*Owed from before +£50\.00\n.*Charged +£170\.00\n/)
  expect((await stripe.charges.list({ customer: onlyCustomer(world), limit: 1 })).data[0]?.amount).toBe(17_000)
})

test('where the member’s bank wants to ask them, the owner is told so, and nothing has changed', {
  tags: ['full'],
}, async () => {
  const { clientSecret } = await acted(call, '/api/billing/card')
  await consent(await world.pay(clientSecret, cards.asks3ds), 'complete')
  await act(call, '/api/billing/card/settle')
  const told = await run('subscriptions upgrade sam@example.com xl --yes')
  expect(told).toMatchObject({ code: 1, out: '' })
  expect(told.err.replaceAll(/\s+/g, ' ')).toContain(
    'The bank wants the member to confirm this payment. Only they can, in Billing. Nothing has changed.',
  )
  expect(await billingOf(call)).toMatchObject({ plan: { slug: 'standard' }, openInvoice: null })
  expect(countRows(world, 'tier_upgrades', `outcome = 'refused'`)).toBe(1)
})

test('of who pays by the year their own tier is no change, another is by the year too, and a month is said before it’s booked', async () => {
  for (const [slug, net] of Object.entries({ standard: 250_000, xl: 450_000 })) addYearlyPrice(world, slug, net)
  const dear = await run('subscriptions upgrade sam@example.com standard --every year')
  expect(dear.err.replaceAll(/\s+/g, ' ')).toContain('take £2,850.00 including VAT from their card?')
  expect(await run('subscriptions upgrade sam@example.com standard --every year --yes')).toMatchObject({ code: 0 })
  expect(await billingOf(call)).toMatchObject({ plan: { slug: 'standard', months: 12 } })
  const next = async () => (await billingOf(call)).nextPlan
  expect(await run('members tier sam@example.com standard --yes')).toMatchObject({ code: 0 })
  expect(await next()).toBeNull()
  const month = 'members tier sam@example.com standard --every month'
  expect((await run(month)).err.replaceAll(/\s+/g, ' ')).toContain('Book Alliance, £250 + VAT a month, for Sam Field')
  await run(`${month} --yes`)
  expect(await next()).toMatchObject({ slug: 'standard', total: 30_000 })
  expect(await run('members tier sam@example.com standard --yes')).toMatchObject({ code: 0 })
  expect(await next()).toBeNull()
  const other = await run('members tier sam@example.com xl --dry-run')
  expect(other.out.replaceAll(/\s+/g, ' ')).toContain('Alliance XL, £4,500 + VAT a year, from the next payment')
  expect((await run('members tier sam@example.com lite --dry-run')).out).toContain('£125 + VAT a month')
  const none = await run('members tier sam@example.com lite --every year')
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('Alliance Lite isn’t sold by the year.')])
})

test('somebody who pays and is nobody here is linked as it was planned, by both transports alike', {
  tags: ['full'],
}, async () => {
  world.addUser({ email: 'kim@example.com' })
  const customer = String((await sellAtProvider(world, 'accounts@example.com')).customer)
  const api = await listen()
  expect((await run('subscriptions reconcile')).err).toContain('A paying customer has no account here')
  const line = `subscriptions link ${customer} kim@example.com`
  const local = await run(`${line} --dry-run`)
  expect(local.out).toMatch(/Their address +accounts@example\.com/)
  expect(local.out).toMatch(/Membership +standard, active, £250 \+ VAT\/month/)
  expect(local.out).toMatch(/Invoices to issue +1, for £300\.00/)
  for (const format of ['', ' --csv']) {
    expect(await run(`${line} --dry-run${format}${api}`)).toEqual(await run(`${line} --dry-run${format}`))
  }
  const asked = await run(line)
  expect(asked).toMatchObject({ code: 2, out: '' })
  expect(asked.err).toContain('has the address accounts@example.com. Link it to the account of kim@example.com anyway?')
  const plan = (await run(`${line} --dry-run --json`)).out
  const callsItself = (email: string) => world.ctx.stripe.customers.update(customer, { email })
  await callsItself('office@example.com')
  expect((await run('apply - --yes', { input: plan })).err).toContain('Something has changed since this plan was made')
  expect(countRows(world, 'invoices')).toBe(1)
  await callsItself('accounts@example.com')
  const done = await run('apply - --yes', { input: plan })
  expect(done.out).toMatch(/Access +yes/)
  expect(done.out).toMatch(/Invoices issued +A-000002/)
  expect((await run(line + api)).out).toMatch(/Invoices issued +none/)
  expect(await run(`subscriptions link ${customer} sam@example.com --yes`)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('is already linked to kim@example.com.'),
  })
  expect(countRows(world, 'invoices')).toBe(2)
})

test('a year’s renewal is put off from the terminal, by the day that was shown, by both transports alike', {
  tags: ['full'],
}, async () => {
  const email = 'kim@example.com'
  const { id } = await sellElsewhere(world, { amount: 250_000, price: { recurring: { interval: 'year' } } })
  world.addUser({ email, firstName: 'Kim', lastName: 'Reed' })
  const api = await listen()
  expect((await run(`subscriptions link ${id} ${email} --tier standard --yes`)).code).toBe(0)
  const dry = `members put-off ${email} --dry-run`
  const local = await run(dry)
  expect(local.out).toMatch(/Then +the renewal moves from 15 February 2028 to 15 March 2028/)
  expect(await run(dry + api)).toEqual(local)
  const asked = await run(`members put-off ${email}`)
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('Use --yes to confirm.')])
  const plan = join(folder, 'plan.json')
  writeFileSync(plan, (await run(`${dry} --json`)).out)
  const done = await run(`members put-off ${email} --yes${api}`)
  expect([done.code, done.out + done.err]).toEqual([0, expect.stringContaining('15 March 2028')])
  expect((await run(`apply ${plan} --yes`)).code).not.toBe(0)
  const { trial_end: end } = await world.ctx.stripe.subscriptions.retrieve(id)
  expect(new Date((end ?? 0) * 1000).toISOString().slice(0, 10)).toBe('2028-03-15')
})
