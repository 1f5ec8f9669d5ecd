import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Context, openContext } from '#api/context.ts'
import { ensureOwners } from '#api/features/accounts/owners/service.ts'
import { monthlyRevenue } from '#api/features/earnings/revenue/mrr-service.ts'
import { ensureTiers } from '#api/features/tiers/service.ts'
import { startServer } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { runCommand } from '#cli/testing/run-command.ts'
import { londonMonth, monthBefore } from '#shared/rules/london.ts'
import { seedSandbox } from './seed-service.ts'

function newFolder(): Record<string, string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-year-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const [PORT = '', SANDBOX_PORT = ''] = freePorts(2)
  return { DATA_DIR: dataDir, XDG_CONFIG_HOME: dataDir, HOST: '127.0.0.1', PORT, SANDBOX_PORT }
}

/** How many rows each of the named accounts has. */
const ofNamed = (table: string, on: string) =>
  `select replace(users.email, '@alliance.test', ' ') || count(*) from users join customers on customers.userId = users.id join ${table} on ${on}
    where users.email like '%@alliance.test' group by users.email order by users.email`

const paying = (ctx: Context) => monthlyRevenue(ctx, { limit: 1, cursor: undefined }).mrr.activeSubscriptions

test('a new sandbox shows a year of 120 people', async () => {
  const ctx = openContext(readSettings(newFolder()))
  onTestFinished(() => void ctx.sqlite.close())
  ensureTiers(ctx)
  ensureOwners(ctx)
  await seedSandbox(ctx)
  const rows = (sql: string) => ctx.sqlite.prepare(sql).pluck().all()
  expect(rows('select count(*) from users where not isAdmin')).toEqual([120])
  expect(paying(ctx)).toBe(64)
  expect(rows(ofNamed('invoices', 'invoices.customerId = customers.id'))).toEqual([
    ...['lapsed 8', 'lite 12', 'pastdue 11', 'standard 12', 'xl 12'],
  ])
  expect(rows(ofNamed('coaching_bookings', `coaching_bookings.userId = users.id and agreed <> ''`))).toEqual([
    ...['lapsed 1', 'lite 1', 'pastdue 1', 'standard 3', 'xl 2'],
  ])
  expect(rows(ofNamed('video_progress', 'video_progress.userId = users.id and completed'))).toEqual([
    ...['delayed 1', 'lapsed 11', 'lite 7', 'pastdue 9', 'standard 14', 'xl 23'],
  ])
  const agreed = `select count(*) > 3 from mail_agreements join customers using (userId)
    join subscriptions on customerId = customers.id and status = 'active' where tierSlug = ? and purpose = 'news'`
  for (const tier of ['lite', 'standard', 'xl'])
    expect(ctx.sqlite.prepare(agreed).pluck().all(tier), `emails to ${tier}`).toEqual([1])
  const named = `select status from subscriptions join customers on customers.id = customerId join users on users.id = userId
    where email like '%@alliance.test' order by email`
  expect(rows(named)).toEqual(['trialing', 'canceled', 'active', 'past_due', 'active', 'active'])
  const [thisMonth] = rows('select max(month) from revenue_changes')
  expect(rows(`select distinct kind from revenue_changes where month < '${thisMonth}' order by kind`)).toEqual([
    ...['churn_failed_payment', 'churn_voluntary', 'contraction', 'expansion', 'new', 'reactivation'],
  ])
})

test('its payment sandbox agrees with the year: nothing to report, and nothing new at another reading', {
  tags: ['full'],
}, async () => {
  const env = newFolder()
  const server = await startServer(readSettings(env))
  onTestFinished(() => server.stop())
  const rows = (sql: string) => server.ctx.sqlite.prepare(sql).pluck().all()
  const alliance = async (line: string) => JSON.parse((await runCommand([...line.split(' '), '--json'], { env })).out)
  expect((await alliance('doctor')).checks.filter(({ state }: { state: string }) => state !== 'ok')).toEqual([])
  expect((await alliance('invoices lint')).problems).toEqual([])
  // A second reading of everyone at the provider finds nothing new.
  const written = 'select count(*) from revenue_changes union all select count(*) from commission_ledger'
  // A call that's tomorrow is reminded of meanwhile, and on a Monday owners hear what's due.
  const sent = `select count(*) from mail_outbox where purpose is not 'call-reminder' and cause not like 'commitment-week:%'`
  const [before, mails] = [rows(written), rows(sent)]
  // The server runs it too, soon after its start, and then this one is refused.
  const reconcile = () => runCommand(['jobs', 'run', 'reconcile', '--all'], { env })
  await vi.waitFor(async () => expect(await reconcile()).toMatchObject({ code: 0 }), 60_000)
  await runCommand(['jobs', 'run', 'month-end'], { env })
  expect([rows(written), rows(sent)]).toEqual([before, mails])
  expect(rows("select count(*) from audit_entries where action = 'customer.mended'")).toEqual([0])
})

test('a month of everyone says on the tour how far it is, day by day, and then what happened', {
  tags: ['full'],
}, async () => {
  const env = newFolder()
  const server = await startServer(readSettings(env))
  onTestFinished(() => server.stop())
  const tour = `http://127.0.0.1:${env.PORT}/sandbox`
  const body = new URLSearchParams({ do: 'month', clock: '0' })
  const pressed = await fetch(`${tour}/do`, { method: 'POST', body, redirect: 'manual' })
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/sandbox#clock'])
  const seen = new Set<number>()
  const look = async () => {
    const html = await (await fetch(tour)).text()
    const days = /<progress [^>]*max="31" value="(\d+)"/.exec(html)?.[1]
    if (days !== undefined) seen.add(Number(days))
    // The page loads itself again for as long as the clock moves, and no longer.
    expect(html.includes('http-equiv="refresh"')).toBe(days !== undefined)
    expect(html.includes('Go on a month')).toBe(days === undefined)
    expect(html).toMatch(/It’s now .* emails on the way/s)
  }
  await vi.waitFor(look, { timeout: 120_000, interval: 300 })
  expect([...seen]).toEqual([...seen].toSorted((one, other) => one - other))
  expect(seen.size).toBeGreaterThan(5)
})

test.each([
  ...['2026-11-28T11:00:00Z', '2028-02-29T23:30:00Z', '2028-03-01T00:10:00Z', '2027-12-31T12:00:00Z'],
  // Within five days of a payment of those who've cancelled.
  ...['2026-11-12T09:00:00Z', '2026-11-14T11:00:00Z', '2026-11-21T22:00:00Z', '2026-11-23T11:00:00Z'],
  // The named accounts' payments fall on days that not every month has.
  ...['2027-08-03T10:00:00Z', '2027-04-02T10:00:00Z', '2027-08-20T10:00:00Z', '2028-01-03T00:30:00Z'],
])('the twelve months end with the last one, on %s too', { tags: ['full'] }, async (today) => {
  const ctx = openContext(readSettings(newFolder()), { now: () => new Date(today) })
  onTestFinished(() => void ctx.sqlite.close())
  ensureTiers(ctx)
  ensureOwners(ctx)
  await seedSandbox(ctx)
  const months = ctx.sqlite.prepare('select month from revenue_months order by month').pluck().all()
  expect([months.length, months.at(-1)]).toEqual([12, monthBefore(londonMonth(new Date(today)))])
  expect(paying(ctx)).toBe(64)
  const states = 'select status from subscriptions order by created desc limit 1'
  expect(ctx.sqlite.prepare(states).pluck().get(), 'who joined last').toBe('trialing')
  const due = ctx.sqlite.prepare(`select count(*) from subscriptions where status = 'past_due'`).pluck().get()
  expect(due).toBe(1)
  const late = ctx.sqlite.prepare('select count(*) from invoices where isRetroactive').pluck().get()
  const outOfOrder = ctx.sqlite
    .prepare(
      'select count(*) from invoices a join invoices b on b.sequence = a.sequence + 1 where b.taxPoint < a.taxPoint',
    )
    .pluck()
    .get()
  expect([late, outOfOrder]).toEqual([0, 0])
})

test('a year that was cut short is written again, and no row is left of before', { tags: ['full'] }, async () => {
  const ctx = openContext(readSettings(newFolder()), { now: () => new Date('2026-11-28T11:00:00Z') })
  onTestFinished(() => void ctx.sqlite.close())
  ensureTiers(ctx)
  ensureOwners(ctx)
  const rowsByTable = () => {
    const tables = ctx.sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    return tables.map((name) => `${name} ${ctx.sqlite.prepare(`select count(*) from "${name}"`).pluck().get()}`)
  }
  await seedSandbox(ctx)
  const once = rowsByTable()
  ctx.sqlite.exec("delete from settings where key = 'sandbox_seeded'")
  await seedSandbox(ctx)
  expect(rowsByTable()).toEqual(once)
})
