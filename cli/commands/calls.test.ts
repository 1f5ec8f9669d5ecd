import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCalendar } from '#api/testing/calendar.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  openCalendar(server.world)
})
afterAll(() => server.close())

const calls = async () => JSON.parse((await server.local('calls list --json id,startsAt,status')).out)
const mails = () => server.world.ctx.sqlite.prepare('select count(*) from mail_outbox').pluck().get()

test('a call is moved and cancelled as it was planned, and not once it stands elsewhere', async () => {
  const member = server.world.signIn(server.world.addMember({ tier: 'xl', email: 'kim@alliance.test' }))
  const body = { kind: 'coaching', coach: 'coach-1', startsAt: '2026-06-15T08:00:00.000Z' }
  expect((await member('/api/calendar/calls', { body })).status).toBe(200)
  const [{ id }] = await calls()
  const before = mails()

  const plan = join(server.dataDir, 'cancel.json')
  writeFileSync(plan, (await server.local(`calls cancel ${id} --dry-run --json`)).out)
  expect((await server.remote(`calls cancel ${id} --dry-run`)).out).toMatch(/Call +15 June 2026, 09:00, with/)
  expect((await server.local(`calls cancel ${id}`)).code).toBe(2)
  expect((await server.local(`calls move ${id} 2026-06-16 09:30 --dry-run`)).out).toContain('16 June 2026, 09:30')
  expect([mails(), (await calls())[0].startsAt]).toEqual([before, body.startsAt])

  expect((await server.remote(`calls move ${id} 2026-06-16 09:30`)).err).toContain('Moved to 16 June 2026, 09:30')
  expect(await server.local(`apply ${plan} --yes`)).toMatchObject({
    code: 1,
    err: 'Something has changed since this plan was made. Make a new one with --dry-run.\n',
  })
  expect(await calls()).toMatchObject([{ id, startsAt: '2026-06-16T08:30:00.000Z' }])
  expect((await server.local(`calls cancel ${id} --yes`)).err).toContain('is cancelled')
  expect(await calls()).toEqual([])
  expect(mails()).toBeGreaterThan(Number(before))
})
