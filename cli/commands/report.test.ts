import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPaidMonth } from '#api/testing/commission.ts'
import { startOfTime } from '#api/testing/world.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const hour = 3_600_000
const silent = { code: 0, out: '', err: '' }

function addPayment(day = '2026-06-11') {
  const una = server.world.addMember({
    tier: 'standard',
    email: 'una@alliance.test',
    firstName: 'Una',
    lastName: 'Keel',
  })
  addPaidMonth(server.world, una, day)
  server.world.addUser({ email: 'x@alliance.test' })
}

const mails = () => server.world.ctx.sqlite.prepare(`select "to", subject, text from mail_outbox`).all()

test('nothing happened: nothing is printed, and the exit code is 0; --always prints all the same', {
  tags: ['full'],
}, async () => {
  for (const kind of ['daily', 'weekly', 'monthly']) expect(await server.local(`report ${kind}`)).toEqual(silent)
  const { out } = await server.local('report daily --always')
  expect(out).toMatch(/^Report of 11 June 2026\n\nMRR now +£0\.00 from 0\n$/)
  expect((await server.local('report weekly --always')).out).toContain('week to 7 June 2026')
  expect((await server.remote('report monthly --always')).out).toMatch(/^Report of May 2026\n/)
})

test('a day is reported once, by whichever transport asks first', { tags: ['full'] }, async () => {
  addPayment()
  const first = await server.remote('report daily')
  expect(first.out).toMatch(/Payments that day +1, £300\.00 including VAT/)
  expect(await server.local('report daily')).toEqual(silent)
  expect(JSON.parse((await server.local('report daily --always --json')).out)).toMatchObject({
    kind: 'daily',
    from: '2026-06-11',
    hasNews: true,
    payments: { count: 1, gross: 30_000 },
  })
  server.world.forward(24 * hour)
  const tomorrow = { now: () => new Date(startOfTime.getTime() + 24 * hour) }
  expect(await server.local('report daily', tomorrow)).toEqual(silent)
})

test('five that start at once print one report', { tags: ['full'] }, async () => {
  addPayment()
  const runs = await Promise.all(
    ['local', 'remote', 'local', 'remote', 'local'].map((how) => server[how as 'local']('report daily')),
  )
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
  expect(runs.filter(({ out }) => out !== '')).toHaveLength(1)
})

test('one that was killed before it printed is made up for by the next', { tags: ['full'] }, async () => {
  addPayment()
  // What's left by a process that dies between its two calls.
  const asOwner = server.world.signIn(server.world.addOwner())
  expect((await asOwner('/api/admin/reports/daily', { body: {} })).status).toBe(200)
  expect(await server.local('report daily')).toEqual(silent)
  const later = { now: () => new Date(startOfTime.getTime() + 61_000) }
  expect((await server.local('report daily', later)).out).toContain('Payments')
  expect(await server.local('report daily', later)).toEqual(silent)
})

test('--mail goes to each owner once for a day, however often it runs', { tags: ['full'] }, async () => {
  addPayment()
  for (let run = 0; run < 3; run += 1) expect(await server.remote('report daily --mail')).toEqual(silent)
  expect(mails()).toEqual(
    ['owner@alliance.test', 'owner2@alliance.test'].map((to) => ({
      to,
      subject: 'Report of 11 June 2026',
      text: expect.stringContaining('Payments that day: 1, £300.00 including VAT'),
    })),
  )
})

test('a watched report that stays away is missing on /health, and its file says when it last came', {
  tags: ['full'],
}, async () => {
  const reports = async () => (await (await server.world.call('/api/health')).json()).services.reports
  expect(await reports()).toBeUndefined()
  await server.local('report daily --watch --heartbeat beat', { cwd: server.dataDir })
  expect(readFileSync(join(server.dataDir, 'beat'), 'utf8')).toBe(`${startOfTime.toISOString()}\n`)
  const nowhere = await server.local('report daily --heartbeat /nonexist/x')
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringMatching(/^There’s no folder \/nonexist for .*\n$/) })
  const blocked = await server.local(`report daily --heartbeat ${server.dataDir}`)
  expect(blocked).toMatchObject({
    code: 1,
    err: expect.stringMatching(/can’t be used: it’s a folder, not a file\. /),
  })
  expect(await reports()).toBe('alive')
  server.world.forward(26 * hour)
  expect(await reports()).toBe('alive')
  server.world.forward(2 * hour)
  expect(await reports()).toBe('missing')
  await server.local('report daily --no-watch')
  expect(await reports()).toBeUndefined()
})
