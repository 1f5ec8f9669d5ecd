import { chmodSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/open.ts'
import { startOfTime } from '#api/testing/world.ts'
import { type Folder, openFolder } from './testing/place.ts'

let place: Folder
beforeEach(() => {
  place = openFolder()
})
afterEach(() => place.close())

const ago = (minutes: number) => new Date(startOfTime.getTime() - minutes * 60_000).toISOString()
const run = (sql: string, ...values: unknown[]) => place.world.ctx.sqlite.prepare(sql).run(...values)

async function finding(name: string) {
  const { code, out } = await place.local('doctor --json')
  const { checks } = JSON.parse(out)
  return { code, ...checks.find((check: { name: string }) => check.name === name) }
}

test('a sound data folder is well', async () => {
  const { code, out } = await place.local('doctor')
  expect(code).toBe(0)
  expect(out).toMatch(/All well\.\n$/)
  expect(out.match(/^ok /gm)).toHaveLength(19)
})

test('a key of another account or mode is seen', async () => {
  run(`insert into settings (key, value, updatedAt) values ('provider_account', '{"mode":"live","id":"acct_1"}', '')`)
  expect(await finding('payment account')).toMatchObject({
    code: 1,
    state: 'failed',
    says: 'The database belongs to live, the key in the settings to sandbox.',
  })
})

test('migrations that are missing or too new are seen', async () => {
  run('insert into __drizzle_migrations (hash, created_at) values (?, ?)', 'later', 9_999_999_999_999)
  expect(await finding('migrations')).toMatchObject({ code: 1, says: expect.stringContaining('newer') })
  run('delete from __drizzle_migrations')
  expect(await finding('migrations')).toMatchObject({ code: 1, says: expect.stringContaining('not applied') })
})

test('two live subscriptions at one person are seen', async () => {
  const person = place.world.addMember()
  run('drop index subscriptions_one_live')
  run(
    `insert into subscriptions (id, customerId, status, tierSlug, monthlyNet, created, updatedAt)
     select 'sub_second', id, 'past_due', 'xl', 45000, '', '' from customers where userId = ?`,
    person.id,
  )
  expect(await finding('subscriptions')).toMatchObject({ code: 1, says: expect.stringContaining('1 person has two') })
})

test('a second subscription that the sync ended is told for a month', async () => {
  const entry = `insert into audit_entries (id, actor, action, targetId, detail, at)
    values (?, 'system', 'subscription.double', ?, '{}', ?)`
  run(entry, 'one', 'long ago', ago(31 * 24 * 60))
  expect(await finding('subscriptions')).toMatchObject({ state: 'ok' })
  run(entry, 'two', 'sub_second', ago(60))
  expect(await finding('subscriptions')).toMatchObject({
    code: 0,
    state: 'warning',
    says: expect.stringContaining('sub_second'),
  })
})

test('a live subscription whose tier was guessed at is told until it ends or its price is another', async () => {
  place.world.addMember()
  const entry = `insert into audit_entries (id, actor, action, targetId, detail, at)
    select 'one', 'system', 'subscription.unrecognised', customerId, json_object('subscription', id, 'price', 'price_by_hand'), ?
    from subscriptions`
  run(entry, ago(60))
  expect(await finding('tiers')).toMatchObject({ state: 'ok' })
  run(`update subscriptions set stripePriceId = 'price_by_hand'`)
  expect(await finding('tiers')).toMatchObject({
    ...{ code: 0, state: 'warning' },
    says: expect.stringContaining('sub_'),
  })
  run(`update subscriptions set status = 'canceled'`)
  expect(await finding('tiers')).toMatchObject({ state: 'ok' })
})

test('revenue that no recorded change led to is seen', async () => {
  expect(await finding('revenue')).toMatchObject({ code: 0, state: 'ok' })
  place.world.addMember({ tier: 'lite' })
  expect(await finding('revenue')).toMatchObject({
    ...{ code: 0, state: 'warning' },
    says: 'The recorded changes lead to £0.00 a month, £125.00 count now.',
  })
})

test('a sync that broke off is seen once it is late', async () => {
  const person = place.world.addMember()
  run('update customers set ticketTaken = 3, ticketWritten = 2, syncedAt = ? where userId = ?', ago(5), person.id)
  expect(await finding('syncs')).toMatchObject({ code: 0, state: 'ok' })
  run('update customers set syncedAt = ? where userId = ?', ago(11), person.id)
  expect(await finding('syncs')).toMatchObject({
    code: 0,
    state: 'warning',
    says: expect.stringContaining('1 customer'),
  })
})

test('events of the provider that wait too long are seen', async () => {
  run(`insert into provider_events (id, type, receivedAt) values ('evt_1', 'x', ?)`, ago(11))
  expect(await finding('provider events')).toMatchObject({ state: 'warning', says: expect.stringContaining('1 event') })
})

test('mail that is refused, failed or late is seen', async () => {
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
  expect(await finding('mail')).toMatchObject({
    state: 'warning',
    says: '1 mail refused, 1 mail failed, 1 mail waiting for more than an hour. `mail list --status refused` names them.',
  })
})

test('mail that nobody can send again any more, or that was sent in another way since, is no finding', async () => {
  const days = (count: number) => ago(count * 24 * 60)
  const add = ([cause, to, status, createdAt, resentAt]: [string, string, string, string, string?]) =>
    run(
      `insert into mail_outbox
         (id, cause, "to", subject, text, html, messageId, isRepeatable, status, nextAttemptAt, createdAt, resentAt)
       values (?, ?, ?, '', '', '', '', ?, ?, '', ?, ?)`,
      ...[cause, cause, to, cause.startsWith('reset') ? 0 : 1, status, createdAt, resentAt ?? null],
    )
  add(['reset:1', 'old@example.com', 'refused', days(31)])
  add(['reset:2', 'sam@example.com', 'refused', days(3)])
  add(['reset:3', 'sam@example.com', 'sent', days(2)])
  expect(await finding('mail')).toMatchObject({ state: 'ok' })
  add(['reset:4', 'sam@example.com', 'refused', days(1)])
  add(['receipt:1', 'kim@example.com', 'refused', days(3)])
  add(['receipt:3', 'kim@example.com', 'sent', days(2)])
  add(['receipt:2', 'lee@example.com', 'failed', days(40), days(29)])
  expect(await finding('mail')).toMatchObject({ says: expect.stringMatching(/^2 mails refused, 1 mail failed\. /) })
})

test.each([
  ['mail', ago(-120), ago(1), '{}', 'mail is held until'],
  ['mail', ago(1), ago(1), '{"failed":"no server"}', 'mail failed at its last run'],
  ['tidy', ago(60 * 5), ago(60 * 5), '{}', 'tidy has not run since'],
  ['tidy', ago(60 * 2), ago(60 * 2), '{}', 'All have run in time.'],
])('a job %s with lease until %s, last run %s and report %s: %s', async (name, expiresAt, lastRunAt, report, says) => {
  run(
    'insert into job_leases (name, holder, expiresAt, lastRunAt, lastReport) values (?, ?, ?, ?, ?)',
    ...[name, 'h', expiresAt, lastRunAt, report],
  )
  expect((await finding('jobs')).says).toContain(says)
})

test('a payment without its invoice, an invoice without its commission and a gap in the numbers are seen', async () => {
  place.world.addMember()
  run(
    `insert into provider_invoices (id, customerId, status, net, vat, total, amountPaid, created)
     select 'in_paid', id, 'paid', 25000, 5000, 30000, 30000, '' from customers`,
  )
  expect(await finding('VAT invoices')).toMatchObject({ state: 'warning', says: expect.stringContaining('in_paid') })
  const issue = `insert into invoices (id, sequence, number, customerId, providerInvoiceId, isMissingAddress, taxPoint, issuedOn,
      seller, customer, lines, tierSlug, net, vat, gross, createdAt)
    select 'one', ?, 'A-000001', id, 'in_paid', 1, '', '', '{}', '{}', '[]', 'standard', 25000, 5000, 30000, '' from customers`
  run(issue, 1)
  expect(await finding('VAT invoices')).toMatchObject({ says: 'Without the customer’s address: A-000001.' })
  run(`update customers set removedAt = 'then'`)
  expect(await finding('VAT invoices')).toMatchObject({ state: 'ok' })
  run(`update customers set removedAt = null`)
  expect(await finding('commission')).toMatchObject({ state: 'warning', says: expect.stringContaining('A-000001') })
  expect(await finding('document numbers')).toMatchObject({ state: 'ok' })
})

test('rows without what they belong to are seen', async () => {
  place.world.ctx.sqlite.pragma('foreign_keys = off')
  run(`insert into addresses (userId, line1, town, postcode, updatedAt) values ('nobody', '', '', '', '')`)
  expect(await finding('foreign keys')).toMatchObject({ code: 1, says: expect.stringContaining('addresses') })
})

test('a folder that others can look into is seen', async () => {
  chmodSync(place.dataDir, 0o755)
  expect(await finding('folder')).toMatchObject({
    code: 0,
    state: 'warning',
    says: expect.stringContaining('chmod 700'),
  })
})

test('settings that are not fit, no database, and a file that is none are each one line', async () => {
  const unfit = await place.local('doctor', { env: { NODE_ENV: 'production' } })
  expect(unfit).toMatchObject({ code: 1, err: '', out: expect.stringContaining('SESSION_SECRET') })
  const nothing = await place.local('doctor', { env: { DATA_DIR: '/nowhere' } })
  expect(nothing).toMatchObject({ code: 1, err: '', out: expect.stringContaining('There is none at /nowhere/') })
  const folder = `${place.dataDir}/broken`
  const broken = await openBroken(folder)
  expect(broken).toMatchObject({ code: 1, err: '', out: expect.stringMatching(/failed +integrity +.*not a database/) })
})

async function openBroken(folder: string) {
  await Bun.$`mkdir ${folder}`
  writeFileSync(databaseFile(folder), 'this is no database at all, but text '.repeat(200))
  return place.local('doctor', { env: { DATA_DIR: folder } })
}
