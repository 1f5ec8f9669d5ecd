import { beforeEach, describe, expect, test } from 'vitest'
import { knownDevices } from '#api/db/schema/sessions.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, logIn, password } from '#api/testing/passwords.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { timerHeader } from '#shared/contract/auth.ts'
import { issueLink } from './link-service.ts'
import { issueApiToken } from './session-service.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let world: World
beforeEach(() => {
  world = startWorld()
})

const isIn = async (call: Call) => (await call('/api/auth/user')).status === 200
async function isInThroughout(call: Call, { every, until }: { every: number; until: number }): Promise<boolean> {
  for (let at = every; at <= until; at += every) {
    world.forward(every)
    if (!(await isIn(call))) return false
  }
  return true
}

describe('a login ends', () => {
  test('V7.1.1 V7.3.1 V7.3.2 for a member after 30 days without a request, and after 180 in any case', async () => {
    const [used, unused] = [world.signIn(world.addMember()), world.signIn(world.addMember())]
    expect(await isInThroughout(used, { every: 29 * day, until: 174 * day })).toBe(true)
    expect(await isIn(unused)).toBe(false)
    world.forward(6 * day - 1)
    expect(await isIn(used)).toBe(true)
    world.forward(1)
    expect(await isIn(used)).toBe(false)
  })

  test('V7.1.1 V7.3.1 V7.3.2 for an owner after 12 hours without a request, and after 30 days in any case', async () => {
    const [used, unused] = [world.signIn(world.addOwner()), world.signIn(world.addOwner())]
    expect(await isInThroughout(used, { every: 11 * hour, until: 715 * hour })).toBe(true)
    expect(await isIn(unused)).toBe(false)
    world.forward(5 * hour - 1)
    expect(await isIn(used)).toBe(true)
    world.forward(1)
    expect(await isIn(used)).toBe(false)
  })

  test('V7.3.1 for an owner whose page only asks by its timer, untouched', async () => {
    const left = world.signIn(world.addOwner())
    const byTimer: Call = (path) => left(path, { headers: { [timerHeader]: '1' } })
    expect(await isInThroughout(byTimer, { every: hour, until: 11 * hour })).toBe(true)
    world.forward(hour)
    expect(await isIn(left)).toBe(false)
  })

  test('V7.3.1 V7.3.2 where it began or was used more than a minute ahead, once the clock is set back', async () => {
    const danny = addWithPassword(world)
    const [used, unused] = [world.signIn(danny), world.signIn(danny)]
    world.forward(2 * day)
    const begun = world.signIn(danny)
    const { token } = issueApiToken(world.ctx, danny.id, 'van')
    const terminal: Call = (path) => world.call(path, { headers: { authorization: `Bearer ${token}` } })
    const all = async () => [await isIn(used), await isIn(begun), await isIn(terminal), await isIn(unused)]
    expect(await isIn(used)).toBe(true)
    world.forward(-minute)
    expect(await all()).toEqual([true, true, true, true])
    world.forward(-1)
    expect(await all()).toEqual([false, false, false, true])
    expect((await logIn(world.call, danny)).status).toBe(200)
  })

  test('where the account has begun fifty since it was last used; that is audited, and the device is told', async () => {
    const danny = addWithPassword(world)
    const [used, unused] = [world.signIn(danny), world.signIn(danny)]
    world.forward(2 * hour)
    expect(await isIn(used)).toBe(true)
    const later = Array.from({ length: 49 }, () => world.signIn(danny))
    expect([await isIn(used), countRows(world, 'sessions')]).toEqual([true, 50])
    const { error } = await (await unused('/api/auth/user')).json()
    expect([error.wipe, error.message]).toEqual([true, expect.stringContaining('too many other devices')])
    expect(countRows(world, 'audit_entries', `action = 'session.revoked' and targetId = '${danny.id}'`)).toBe(1)
    for (const call of later) expect(await isIn(call)).toBe(true)
  })

  test('at the terminal, where the account has begun twenty more that last longer', async () => {
    const danny = addWithPassword(world)
    const issue = (days: number) => issueApiToken(world.ctx, danny.id, 'van', { days }).token
    const [books, first] = [issue(365), issue(90)]
    world.forward(day)
    const last = Array.from({ length: 20 }, () => issue(90)).at(-1)
    const isTokenIn = (token = '') =>
      isIn((path) => world.call(path, { headers: { authorization: `Bearer ${token}` } }))
    expect(countRows(world, 'api_tokens')).toBe(20)
    expect([await isTokenIn(books), await isTokenIn(first), await isTokenIn(last)]).toEqual([true, false, true])
    expect(countRows(world, 'audit_entries', `action = 'session.revoked' and targetId = '${danny.id}'`)).toBe(2)
  })

  test('and its cookie lives as long as the longest login', async () => {
    const owner = addWithPassword(world, { isAdmin: true })
    for (const [person, days] of [
      [addWithPassword(world), 180],
      [owner, 30],
    ] as const) {
      const [session] = (await logIn(world.call, person)).headers.getSetCookie()
      expect(session).toContain(`Max-Age=${days * 86_400}`)
    }
  })

  test('a first request of the hour leaves the others’ sessions kept, and what’s ticked waits for the disk again', async () => {
    let reads = 0
    const busy = startWorld({ onStatement: (text) => (reads += Number(/from "sessions" join/.test(text))) })
    const people = [1, 2, 3].map(() => busy.signIn(busy.addMember()))
    const all = async () => (await Promise.all(people.map(isIn))).every(Boolean)
    expect(await all()).toBe(true)
    busy.forward(hour + 1)
    const before = reads
    expect([await all(), await all(), reads - before]).toEqual([true, true, 0])
    const noted =
      'select count(*) from sessions join users on users.id = userId where sessions.lastSeenAt = ? and users.lastSeenAt = ?'
    const now = busy.ctx.now().toISOString()
    expect(busy.ctx.sqlite.prepare(noted).pluck().get(now, now)).toBe(3)
    expect(busy.ctx.sqlite.pragma('synchronous', { simple: true })).toBe(2)
  })

  test('a request that follows another within the hour writes nothing', async () => {
    const call = world.signIn(world.addMember())
    const stored = () => JSON.stringify(world.ctx.sqlite.prepare('select * from sessions').all())
    const before = stored()
    world.forward(hour - 1)
    await isIn(call)
    expect(stored()).toBe(before)
    world.forward(1)
    await isIn(call)
    expect(stored()).not.toBe(before)
  })
})

describe('the owners see and end logins', () => {
  const list = async (by: Call, query = '') => {
    const response = await by(`/api/admin/sessions${query}`)
    return { rows: await response.json(), next: /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1] }
  }

  test('each with kind, account and times, the newest first, page by page, and nothing that opens it', async () => {
    const danny = addWithPassword(world, { email: 'danny@example.com' })
    const owner = world.signIn(world.addOwner())
    const first = world.signIn(danny).cookie
    world.forward(minute)
    const { token } = issueApiToken(world.ctx, danny.id, 'van')
    world.forward(minute)
    const cookies = [first, world.signIn(danny).cookie]
    const { rows } = await list(owner, '?email=danny@example.com')
    expect(rows.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
      ['browser', null],
      ['terminal', 'van'],
      ['browser', null],
    ])
    const all = JSON.stringify((await list(owner)).rows)
    for (const secret of [...cookies.map((cookie) => cookie.split('=')[1] ?? ''), token])
      expect(all).not.toContain(secret)
    const seen: string[] = []
    for (let path: string | undefined = '?limit=1'; path !== undefined; ) {
      const page: { rows: { id: string }[]; next: string | undefined } = await list(owner, path)
      seen.push(...page.rows.map(({ id }) => id))
      path = page.next?.replace('/api/admin/sessions', '')
    }
    expect([seen.length, new Set(seen).size]).toEqual([4, 4])
  })

  test('V7.4.5 one by its id; all of an account by its address, with its devices; each is audited', async () => {
    const danny = addWithPassword(world, { email: 'danny@example.com' })
    await logIn(world.call, danny)
    const owner = world.signIn(world.addOwner())
    const [here, there] = [world.signIn(danny), world.signIn(danny)]
    const revoke = (body: object) => owner('/api/admin/sessions/revoke', { body })
    const { rows } = await list(owner, '?email=danny@example.com')
    for (const { id } of rows.slice(0, 1)) expect(await (await revoke({ id })).json()).toEqual({ revoked: 1 })
    expect([await isIn(here), await isIn(there)].filter(Boolean).length).toBeGreaterThanOrEqual(1)
    expect(await (await revoke({ email: danny.email })).json()).toEqual({ revoked: 2 })
    expect([await isIn(here), await isIn(there), countRows(world, 'known_devices')]).toEqual([false, false, 0])
    expect((await revoke({ id: rows[0].id })).status).toBe(404)
    expect((await revoke({ email: 'nobody@example.com' })).status).toBe(404)
    expect((await revoke({})).status).toBe(422)
    expect(countRows(world, 'audit_entries', `action = 'session.revoked'`)).toBe(2)
  })
})

test('a reset forgets the devices that the account knew', { tags: ['full'] }, async () => {
  const danny = addWithPassword(world)
  await logIn(world.call, danny)
  const known = () => world.ctx.db.select({ tokenHash: knownDevices.tokenHash }).from(knownDevices).all()
  const [before] = known()
  const { token } = issueLink(world.ctx, danny.email, 'password')
  const body = { token, newPassword: 'a-van-that-starts-42' }
  expect((await world.call('/api/auth/reset-password', { body })).status).toBe(200)
  // The browser that reset it is known instead.
  expect([before?.tokenHash, known()]).toEqual([expect.any(String), [{ tokenHash: expect.any(String) }]])
  expect(known()).not.toContainEqual(before)
  expect((await logIn(world.call, { ...danny, password })).status).toBe(401)
})
