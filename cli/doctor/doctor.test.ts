import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

/** What few sites meet: the full run tries it. */
const rarely = { tags: ['full'] }

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

const ago = (minutes: number) => new Date(startOfTime.getTime() - minutes * 60_000).toISOString()
const run = (sql: string, ...values: unknown[]) => folder.world.ctx.sqlite.prepare(sql).run(...values)

async function findCheck(name: string) {
  const { code, out } = await folder.local('doctor --json')
  const { checks } = JSON.parse(out)
  return { code, ...checks.find((check: { name: string }) => check.name === name) }
}

test('a healthy data folder has no problems', async () => {
  const { code, out } = await folder.local('doctor')
  expect(code).toBe(0)
  expect(out).toMatch(/No problems found\..*\n$/)
  expect(out.split('\n').filter((line) => line.length > 160)).toEqual([])
  expect(out.match(/^ok /gm)).toHaveLength(45)
})

test('a long message is cut to one line of 160 characters, and whole with --verbose', rarely, async () => {
  const unknown = ['a', 'b', 'c'].map((letter) => `cus_${letter.repeat(30)}`)
  for (const customer of unknown)
    run(
      `insert into audit_entries (id, actor, action, targetId, detail, at) values (?, 'system', 'customer.unknown', ?, '{}', ?)`,
      ...[customer, customer, ago(60)],
    )
  const lines = async (command: string) => (await folder.local(command)).out.split('\n')
  const [short, whole] = [await lines('doctor'), await lines('doctor --verbose')]
  expect(short.filter((line) => line.length > 160)).toEqual([])
  expect(short.find((line) => line.startsWith('warning'))).toMatch(
    /customers +3 customers pay for a tier.*… See: alliance subscriptions link cus_a{30} EMAIL$/,
  )
  expect(short.at(-2)).toContain('In full: alliance doctor --verbose')
  for (const customer of unknown) expect(whole.join()).toContain(customer)
  expect(whole.at(-2)).not.toContain('In full')
})

test('a failure with a long path is one line too, and names where it’s whole', rarely, async () => {
  const dataDir = `/nowhere/${'far/'.repeat(60)}`
  const env = { DATA_DIR: dataDir }
  const { out } = await folder.local('doctor', { env })
  expect(out.split('\n').filter((line) => line.length > 160)).toEqual([])
  expect(out).toContain('In full: alliance doctor --verbose')
  const whole = `No database at ${dataDir}alliance.sqlite. Start the server once, or set DATA_DIR.\n`
  expect((await folder.local('doctor --verbose', { env })).out).toContain(whole)
})

test('a key of another account or mode is reported', async () => {
  run(`insert into settings (key, value, updatedAt) values ('provider_account', '{"mode":"live","id":"acct_1"}', '')`)
  expect(await findCheck('payment account')).toMatchObject({
    code: 1,
    state: 'failed',
    message: 'The database belongs to live mode, the key in the settings to sandbox.',
  })
})

test('migrations that are missing or too new are reported', rarely, async () => {
  run('insert into __drizzle_migrations (hash, created_at) values (?, ?)', 'later', 9_999_999_999_999)
  expect(await findCheck('migrations')).toMatchObject({
    code: 1,
    fix: null,
    message: expect.stringContaining('newer'),
  })
  run('delete from __drizzle_migrations')
  expect(await findCheck('migrations')).toMatchObject({
    code: 1,
    fix: 'migrate',
    message: expect.stringContaining('not applied'),
  })
})

test('two live subscriptions of one member are reported', async () => {
  const member = folder.world.addMember()
  run('drop index subscriptions_one_live')
  run(
    `insert into subscriptions (id, customerId, status, tierSlug, yearlyNet, created, updatedAt)
     select 'sub_second', id, 'past_due', 'xl', 45000, '', '' from customers where userId = ?`,
    member.id,
  )
  expect(await findCheck('subscriptions')).toMatchObject({
    code: 1,
    message: expect.stringContaining('1 member has two'),
  })
})

test('a duplicate subscription that the sync cancelled is reported for a month', rarely, async () => {
  const entry = `insert into audit_entries (id, actor, action, targetId, detail, at)
    values (?, 'system', 'subscription.double', ?, '{}', ?)`
  run(entry, 'one', 'long ago', ago(31 * 24 * 60))
  expect(await findCheck('subscriptions')).toMatchObject({ state: 'ok' })
  run(entry, 'two', 'sub_second', ago(60))
  expect(await findCheck('subscriptions')).toMatchObject({
    code: 0,
    state: 'warning',
    message: expect.stringContaining('sub_second'),
  })
})

test('a live subscription whose tier was guessed is reported until it ends', rarely, async () => {
  folder.world.addMember()
  expect(await findCheck('tiers')).toMatchObject({ state: 'ok' })
  run('update subscriptions set isUnrecognised = 1')
  expect(await findCheck('tiers')).toMatchObject({
    code: 0,
    state: 'warning',
    message: expect.stringContaining('sub_'),
  })
  run(`update subscriptions set status = 'canceled'`)
  expect(await findCheck('tiers')).toMatchObject({ state: 'ok' })
})

const addRenewal = (status: string, daysAgo: number, nextAttempt: string | null) =>
  run(
    `insert into provider_invoices
       (id, customerId, subscriptionId, status, billingReason, attempts, net, vat, total, amountPaid, created, nextAttemptAt)
     select 'in_renewal', customerId, id, ?, 'subscription_cycle', 1, 25000, 5000, 30000, 0, ?, ? from subscriptions`,
    ...[status, ago(daysAgo * 24 * 60), nextAttempt],
  )

test(
  'what to set at the provider for failed renewals is said, and what it was seen to do instead',
  rarely,
  async () => {
    const whatToSet = expect.stringMatching(/Billing > Revenue recovery: 3 retries.*unpaid/)
    expect(await findCheck('failed payments')).toMatchObject({ state: 'ok', message: whatToSet })
    folder.world.addMember()
    run(`update subscriptions set status = 'past_due'`)
    addRenewal('open', 5, ago(-60))
    expect(await findCheck('failed payments')).toMatchObject({ state: 'ok' })
    run('update provider_invoices set nextAttemptAt = null')
    expect(await findCheck('failed payments')).toMatchObject({
      code: 0,
      state: 'warning',
      message: expect.stringMatching(/in_renewal has no retry before day 14.*Revenue recovery/),
    })
    run('update provider_invoices set created = ?', ago(15 * 24 * 60))
    expect(await findCheck('failed payments')).toMatchObject({ state: 'ok' })
  },
)

test.each([
  [7, 'warning'],
  [14, 'ok'],
])('a subscription that the provider cancelled %s days after a failed renewal: %s', rarely, async (days, state) => {
  folder.world.addMember()
  addRenewal('open', 20, null)
  run(
    `update subscriptions set status = 'canceled', cancellationReason = 'payment_failed', endedAt = ?`,
    ago((20 - days) * 24 * 60),
  )
  const found = await findCheck('failed payments')
  expect(found).toMatchObject({ code: 0, state })
  if (state === 'warning') expect(found.message).toMatch(/sub_\S+ was cancelled before day 14/)
})

test('revenue without a recorded change is reported', rarely, async () => {
  expect(await findCheck('revenue')).toMatchObject({ code: 0, state: 'ok' })
  folder.world.addMember({ tier: 'lite' })
  expect(await findCheck('revenue')).toMatchObject({
    code: 0,
    state: 'warning',
    message: 'The recorded changes add up to £0.00 a month, but MRR is £125.00.',
  })
})

test('kept sums that differ from their rows are named with what adds them up again', rarely, async () => {
  expect(await findCheck('sums')).toMatchObject({ code: 0, state: 'ok' })
  folder.world.addMember({ tier: 'lite' })
  folder.world.ctx.sqlite.exec(`update subscription_sums set yearlyNet = 0;
    insert into month_sums (month, tierSlug, commission) values ('2026-05', '', 100)`)
  expect(await findCheck('sums')).toMatchObject({
    code: 1,
    state: 'failed',
    message:
      'Kept sums differ from their rows: 2026-05, MRR. Add them up again with: alliance jobs run month-end --all',
  })
  await folder.local('jobs run month-end --all')
  expect(await findCheck('sums')).toMatchObject({ code: 0, state: 'ok' })
})

test('accounts that search doesn’t know as they are now are named with what mends it', rarely, async () => {
  const { world } = folder
  const [changed, added, noted] = ['Ada', 'Bea', 'Cy'].map((firstName) =>
    world.addUser({ firstName, email: `${firstName}@example.com`.toLowerCase() }),
  )
  expect(await findCheck('search')).toMatchObject({ code: 0, state: 'ok' })
  // As a program that can't fold leaves it.
  run('update person_texts set isOld = 1 where userId = ?', added?.id)
  run(`update person_texts set text = 'eve' where userId = ?`, changed?.id)
  run(`insert into person_texts (userId, text, digits) values (?, 'cy', '')`, noted?.id)
  expect(await findCheck('search')).toMatchObject({
    code: 1,
    state: 'failed',
    message:
      '3 accounts aren’t found by what they say: ada@example.com, bea@example.com, cy@example.com. Mend it with: alliance jobs run clean-up --all',
  })
  await folder.local('jobs run clean-up --all')
  expect(await findCheck('search')).toMatchObject({ code: 0, state: 'ok' })
})

test('what contradicts the clock fails with both causes; far bookings are named', rarely, async () => {
  const { world } = folder
  const running = world.ctx.now().toISOString().slice(0, 7)
  expect(await findCheck('clock')).toMatchObject({ code: 0, state: 'ok' })
  world.addMember({ tier: 'lite' })
  const change = `insert into revenue_changes
    (id, customerId, subscriptionId, kind, tierSlug, beforeYearly, afterYearly, at, month, createdAt)
    select ?, customerId, id, 'new', 'lite', 0, 150000, ?, ?, ? from subscriptions`
  run(change, 'now', ago(5), running, ago(5))
  expect(await findCheck('clock')).toMatchObject({ code: 0, state: 'ok' })
  run(change, 'ahead', '2036-07-01T00:00:00.000Z', '2036-07', '2036-07-02T00:00:00.000Z')
  expect(await findCheck('clock')).toMatchObject({
    code: 0,
    state: 'warning',
    message: expect.stringMatching(/^1 MRR change, 0 commission lines and 0 invoices .+ behind.+ ahead/),
  })
  const entry = `insert into audit_entries (id, actor, action, detail, "at") values ('later', 'system', 'job.run', '{}', ?)`
  run(entry, '2036-07-02T00:00:00.000Z')
  expect(await findCheck('clock')).toMatchObject({
    code: 1,
    state: 'failed',
    message: expect.stringMatching(
      /^The newest entry is of 2 July 2036, 01:00, after now, .+ correct the clock\. .+ ahead/,
    ),
  })
  run(`insert into revenue_months (month, figures, frozenAt) values (?, '{}', '2036-07-02T00:00:00.000Z')`, running)
  expect(await findCheck('clock')).toMatchObject({
    code: 1,
    state: 'failed',
    fix: 'mrr reopen --dry-run',
    message: expect.stringMatching(
      /^1 month is closed at a time after now, .+ correct the clock\. .+ alliance mrr reopen\.$/,
    ),
  })
  expect((await folder.local('mrr reopen --dry-run')).out).toContain(running)
  expect((await folder.local('mrr reopen')).code).toBe(2)
  expect(await folder.local('mrr reopen --yes')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^1 month is reopened\. The clock counts as right from now on\./),
  })
  expect(await folder.local('mrr reopen')).toMatchObject({
    err: 'The clock looks right. No months need reopening.\n',
  })
  expect(await findCheck('clock')).toMatchObject({ code: 0, state: 'warning' })
  expect(world.ctx.sqlite.prepare(`select count(*) from revenue_months`).pluck().get()).toBe(0)
})

test('a clock that is far from the payment provider’s is to be set right, for which no command of ours helps', async () => {
  const heard = JSON.stringify({ aheadMs: 100 * 24 * 3_600_000, at: ago(0) })
  run(`insert into settings (key, value, updatedAt) values ('provider_clock', ?, ?)`, heard, ago(0))
  expect(await findCheck('clock')).toMatchObject({
    code: 1,
    state: 'failed',
    fix: null,
    message: expect.stringContaining('ahead of Stripe’s. Correct it.'),
  })
})

test(
  'a month that was noted as closed too early is reported until an owner opens it or leaves it closed',
  rarely,
  async () => {
    const [month, closedAt, seenAt] = ['2019-11', '2019-12-01T00:10:00.000Z', '2019-11-28T14:00:00.000Z']
    run(`insert into revenue_months (month, figures, frozenAt) values (?, '{}', ?)`, month, closedAt)
    run(
      `insert into settings (key, value, updatedAt) values ('months_frozen_early', ?, ?)`,
      ...[JSON.stringify({ [month]: { frozenAt: closedAt, seenAt } }), seenAt],
    )
    expect(await findCheck('clock')).toMatchObject({
      code: 1,
      state: 'failed',
      fix: 'mrr reopen --dry-run',
      message: expect.stringMatching(/^1 month was closed too early .+: 2019-11\. .+alliance mrr reopen --keep\.$/),
    })
    expect((await folder.local('mrr reopen --dry-run')).out).toMatch(/Would be reopened +2019-11/)
    expect((await folder.local('mrr reopen --keep --dry-run')).out).toMatch(/Would stay closed +2019-11/)
    expect(await folder.local('mrr reopen --keep --yes')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^1 month stays closed\./),
    })
    expect(await findCheck('clock')).toMatchObject({ code: 0, state: 'ok' })
    expect(folder.world.ctx.sqlite.prepare('select month from revenue_months').pluck().all()).toEqual([month])
  },
)

test('an interrupted sync is reported once it is late', rarely, async () => {
  const member = folder.world.addMember()
  run('update customers set ticketTaken = 3, ticketWritten = 2, syncedAt = ? where userId = ?', ago(5), member.id)
  expect(await findCheck('syncs')).toMatchObject({ code: 0, state: 'ok' })
  run('update customers set syncedAt = ? where userId = ?', ago(11), member.id)
  expect(await findCheck('syncs')).toMatchObject({
    code: 0,
    state: 'warning',
    message: expect.stringContaining('1 customer'),
  })
})

test('provider events that wait too long are reported', async () => {
  run(`insert into provider_events (id, type, receivedAt) values ('evt_1', 'x', ?)`, ago(11))
  expect(await findCheck('provider events')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('1 event'),
  })
})

test('mail that is refused, failed or late is reported', async () => {
  for (const [cause, status, minutes] of [
    ['a', 'refused', 1],
    ['b', 'failed', 1],
    ['c', 'waiting', 61],
    ['d', 'sent', 999],
  ]) {
    run(
      `insert into mail_outbox (id, cause, "to", subject, text, html, messageId, status, nextAttemptAt, createdAt)
       values (?, ?, '', '', '', '', '', ?, '', ?)`,
      ...[cause, cause, status, ago(Number(minutes))],
    )
  }
  expect(await findCheck('mail')).toMatchObject({
    state: 'warning',
    fix: 'mail list --status refused',
    message:
      '1 email refused, 1 email failed, 1 email not sent for more than an hour. See: alliance mail list --status refused',
  })
})

test('mail that can no longer be resent, or whose link was replaced, is not reported', async () => {
  const days = (count: number) => ago(count * 24 * 60)
  const add = ([cause, to, status, createdAt, resentAt]: [string, string, string, string, string?]) =>
    run(
      `insert into mail_outbox
         (id, cause, "to", subject, text, html, messageId, isRepeatable, status, nextAttemptAt, createdAt, resentAt)
       values (?, ?, ?, '', ?, '', '', ?, ?, '', ?, ?)`,
      ...[cause, cause, to, cause.startsWith('receipt') ? 'Paid' : '', cause.startsWith('reset') ? 0 : 1],
      ...[status, createdAt, resentAt ?? null],
    )
  add(['reset:1', 'old@example.com', 'refused', days(31)])
  add(['reset:2', 'sam@example.com', 'refused', days(3)])
  add(['reset:3', 'sam@example.com', 'sent', days(2)])
  // A reminder of a call that has begun has lost its text.
  add(['call:1:reminder:0', 'sam@example.com', 'failed', days(1)])
  expect(await findCheck('mail')).toMatchObject({ state: 'ok' })
  add(['reset:4', 'sam@example.com', 'refused', days(1)])
  add(['receipt:1', 'kim@example.com', 'refused', days(3)])
  add(['receipt:3', 'kim@example.com', 'sent', days(2)])
  add(['receipt:2', 'lee@example.com', 'failed', days(40), days(29)])
  expect(await findCheck('mail')).toMatchObject({
    message: expect.stringMatching(/^2 emails refused, 1 email failed\. /),
  })
})

test.each([
  ['mail', ago(-120), ago(1), '{}', 'mail is locked until', 'jobs list'],
  ['mail', ago(1), ago(1), '{"failed":"no server"}', 'mail failed at its last run', 'jobs run mail'],
  ['clean-up', ago(60 * 5), ago(60 * 5), '{}', 'clean-up hasn’t run since', 'jobs run clean-up'],
  ['clean-up', ago(60 * 2), ago(60 * 2), '{}', 'All ran on time.', null],
])(
  'a job %s with lease until %s, last run %s and report %s: %s, fix %s',
  async (name, expiresAt, lastRunAt, report, message, fix) => {
    run(
      'insert into job_leases (name, holder, expiresAt, lastRunAt, lastReport) values (?, ?, ?, ?, ?)',
      ...[name, 'h', expiresAt, lastRunAt, report],
    )
    expect(await findCheck('jobs')).toMatchObject({ fix, message: expect.stringContaining(message) })
  },
)

test('a payment without an invoice and an invoice without commission are reported', async () => {
  folder.world.addMember()
  run(
    `insert into provider_invoices (id, customerId, status, net, vat, total, amountPaid, created)
     select 'in_paid', id, 'paid', 25000, 5000, 30000, 30000, '' from customers`,
  )
  expect(await findCheck('VAT invoices')).toMatchObject({
    state: 'warning',
    fix: 'invoices fix',
    message: expect.stringContaining('in_paid'),
  })
  const issue = `insert into invoices (id, sequence, number, customerId, providerInvoiceId, isMissingAddress, taxPoint, issuedOn,
      seller, customer, lines, tierSlug, net, vat, gross, createdAt)
    select 'one', ?, 'A-000001', id, 'in_paid', 1, '', '', '{}', '{}', '[]', 'standard', 25000, 5000, 30000, '' from customers`
  run(issue, 1)
  expect(await findCheck('invoice addresses')).toMatchObject({
    fix: 'invoices lint',
    message: 'Without the customer’s address: A-000001.',
  })
  run(`update customers set removedAt = 'then'`)
  expect(await findCheck('invoice addresses')).toMatchObject({ state: 'ok' })
  run(`update customers set removedAt = null`)
  expect(await findCheck('commission')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('A-000001'),
  })
  expect(await findCheck('document numbers')).toMatchObject({ state: 'ok' })
})

test('a plan of what doctor would run holds the plans that those commands have', rarely, async () => {
  run('delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)')
  const { facts } = JSON.parse((await folder.local('doctor --fix --dry-run --json')).out)
  expect(facts.fixes).toMatchObject([{ command: 'migrate', plan: { command: 'migrate', facts: { waiting: 1 } } }])
})

test('rows that refer to missing rows are reported', rarely, async () => {
  folder.world.ctx.sqlite.pragma('foreign_keys = off')
  run(`insert into addresses (userId, line1, town, postcode, updatedAt) values ('nobody', '', '', '', '')`)
  expect(await findCheck('foreign keys')).toMatchObject({ code: 1, message: expect.stringContaining('addresses') })
})

test('a folder that other users can access is reported', rarely, async () => {
  chmodSync(folder.dataDir, 0o755)
  expect(await findCheck('folder')).toMatchObject({
    code: 0,
    state: 'warning',
    message: expect.stringContaining('chmod 700'),
  })
})

test('unsafe settings, a missing database and a broken one are one line each', async () => {
  const unsafe = await folder.local('doctor', { env: { NODE_ENV: 'production' } })
  expect(unsafe).toMatchObject({ code: 1, err: '', out: expect.stringContaining('doesn’t run in production') })
  const nothing = await folder.local('doctor', { env: { DATA_DIR: '/nowhere' } })
  expect(nothing).toMatchObject({ code: 1, err: '', out: expect.stringContaining('No database at /nowhere/') })
  const broken = await openBroken(`${folder.dataDir}/broken`)
  expect(broken).toMatchObject({ code: 1, err: '', out: expect.stringMatching(/failed +integrity +.*not a database/) })
  mkdirSync(databaseFile(`${folder.dataDir}/odd`), { recursive: true })
  const odd = await folder.local('doctor', { env: { DATA_DIR: `${folder.dataDir}/odd` } })
  expect(odd).toMatchObject({ code: 1, err: '', out: expect.stringMatching(/failed +database +.*is a folder/) })
})

async function openBroken(dataDir: string) {
  mkdirSync(dataDir)
  writeFileSync(databaseFile(dataDir), 'this is no database at all, but text '.repeat(200))
  return folder.local('doctor', { env: { DATA_DIR: dataDir } })
}
