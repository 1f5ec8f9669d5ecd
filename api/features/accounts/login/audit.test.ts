import { beforeEach, describe, expect, test } from 'vitest'
import { audit } from '#api/audit.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { rateLimits, recordHit } from '#api/serving/rate-limits.ts'
import { addWithPassword, asHeader, behindProxy, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { issueLink } from './link-service.ts'
import { issueApiToken } from './session-service.ts'

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld({ env: behindProxy })
  danny = addWithPassword(world, { email: 'danny@example.com' })
})

type Entry = { actor: string; action: string; targetId: string | null; detail: string }
const entries = () =>
  world.ctx.sqlite
    .prepare<[], Entry>(
      `select actor, action, targetId, detail from audit_entries where action like 'auth.%' order by id`,
    )
    .all()
const actions = () => entries().map(({ action }) => action)
const from = (address: string) => ({ 'x-forwarded-for': address })

describe('the audit of what opens and closes an account', () => {
  test('has login, logout, token and its end, with who it was', async () => {
    const cookie = asHeader(cookiesOf(await logIn(world.call, danny, { address: '10.0.0.1' })))
    await world.call('/api/auth/logout', { method: 'POST', headers: { cookie } })
    const { token } = await (await world.call('/api/auth/token', { body: { email: danny.email, password } })).json()
    await world.call('/api/auth/token', { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
    expect(actions()).toEqual(['auth.login', 'auth.logout', 'auth.token', 'auth.token_revoked'])
    for (const { actor, targetId } of entries()) expect([actor, targetId]).toEqual([`user:${danny.id}`, danny.id])
  })

  test('has no end of a login that ended nothing, and no end that could not be recorded', async () => {
    const call = world.signIn(danny)
    const revoke = { method: 'DELETE' }
    const refused = await readError(await call('/api/auth/token', revoke))
    expect([refused.status, refused.code, actions()]).toEqual([409, 'conflict', []])
    const { token } = issueApiToken(world.ctx, danny.id, 'van')
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    world.ctx.sqlite.exec(`create trigger full before insert on audit_entries begin select raise(abort, 'full'); end`)
    const ends = [
      await world.call('/api/auth/token', { ...revoke, ...bearer }),
      await call('/api/auth/logout', { method: 'POST' }),
      await call('/api/logout'),
    ]
    expect(ends.map(({ status }) => status)).toEqual([500, 500, 500])
    world.ctx.sqlite.exec('drop trigger full')
    expect([(await call('/api/auth/user')).status, (await world.call('/api/auth/user', bearer)).status]).toEqual([
      200, 200,
    ])
    await call('/api/logout')
    await call('/api/logout')
    expect((await world.call('/api/auth/token', { ...revoke, ...bearer })).status).toBe(200)
    expect((await world.call('/api/auth/token', { ...revoke, ...bearer })).status).toBe(401)
    expect(actions()).toEqual(['auth.logout', 'auth.token_revoked'])
  })

  test('has a reset from the request to the password, and a first password', async () => {
    await world.call('/api/auth/forgot-password', { body: { email: danny.email } })
    const { token } = issueLink(world.ctx, danny.email, 'password')
    const body = { token, newPassword: 'a-van-that-starts-42' }
    expect((await world.call('/api/auth/reset-password', { body })).status).toBe(200)
    const newcomer = world.signIn(world.addUser())
    expect((await newcomer('/api/auth/set-password', { body: { newPassword: 'ladders up the wall' } })).status).toBe(
      200,
    )
    expect(actions()).toEqual(['auth.reset_requested', 'auth.reset', 'auth.password'])
  })

  test('has each failure, and the lock once, however often it is tried after it', async () => {
    for (let count = 0; count < 14; count += 1) {
      await logIn(world.call, { ...danny, password: 'wrong-password' }, { address: '10.0.0.1' })
    }
    expect(actions()).toEqual([...Array(10).fill('auth.failed'), 'auth.locked'])
  })

  test('has the failures of an account however many were caused beside it, by anybody', {
    tags: ['full'],
  }, async () => {
    for (let count = 0; count < 1_000; count += 1) recordHit(world.ctx, rateLimits.auditedFailures('auth.failed', null))
    const guess = (email: string) => logIn(world.call, { email, password: 'wrong-password' }, { address: '10.0.0.1' })
    expect((await guess('nobody@example.com')).status).toBe(401)
    expect(actions()).toEqual([])
    for (let count = 0; count < 11; count += 1) await guess(danny.email)
    expect(actions()).toEqual([...Array(10).fill('auth.failed'), 'auth.locked'])
  })

  test.each([
    ['auth.code_asked', '/api/auth/code'],
    ['auth.reset_requested', '/api/auth/forgot-password'],
  ] as const)(
    'has 1,000 of %s an hour, which anybody can cause, and as many of the others beside them',
    async (action, path) => {
      for (let count = 0; count < 998; count += 1) recordHit(world.ctx, rateLimits.auditedRequests(action, null))
      const ask = async (email: string) =>
        (await world.call(path, { body: { email }, headers: from('10.0.0.1') })).status
      for (const name of ['sam', 'eve', 'kim']) expect(await ask(`${name}@example.com`)).toBe(200)
      await logIn(world.call, { ...danny, password: 'wrong-password' })
      expect(actions()).toEqual([action, action, 'auth.failed'])
      // Requests for other accounts don't crowd out entries for a real one.
      expect(await ask(danny.email)).toBe(200)
      expect(actions()).toEqual([action, action, 'auth.failed', action])
      world.forward(3_600_000)
      expect(await ask(danny.email)).toBe(200)
      expect(actions().at(-1)).toBe(action)
    },
  )

  test('tells one address from another, and names neither, nor what was typed', { tags: ['full'] }, async () => {
    const tries = [
      ['10.0.0.1', danny.email],
      ['10.0.0.1', 'nobody@example.com'],
      ['10.0.0.2', danny.email],
    ] as const
    for (const [address, email] of tries) await logIn(world.call, { email, password: 'wrong-password' }, { address })
    await world.call('/api/auth/forgot-password', { body: { email: 'nobody@example.com' }, headers: from('10.0.0.3') })
    const addresses = entries().map(({ detail }) => JSON.parse(detail).address)
    expect(addresses[0]).toBe(addresses[1])
    expect(new Set(addresses).size).toBe(3)
    expect(JSON.stringify(entries())).not.toMatch(/10\.0\.0|example\.com|wrong-password/)
  })

  test('is kept for 400 days; what was done to members and money stays', async () => {
    await logIn(world.call, danny)
    audit(world.ctx, 'system', 'member.removed')
    world.forward(400 * 86_400_000)
    await runJob(world.ctx, 'clean-up')
    expect(actions()).toEqual(['auth.login'])
    world.forward(1)
    await runJob(world.ctx, 'clean-up')
    expect(actions()).toEqual([])
    expect(world.ctx.sqlite.prepare('select action from audit_entries').all()).toMatchObject([
      { action: 'member.removed' },
    ])
  })
})
