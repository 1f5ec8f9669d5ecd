import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, asHeader, behindProxy, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { type Area, areaHeader, LoginResponse } from '#shared/contract/auth.ts'

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld({ env: behindProxy })
  danny = addWithPassword(world, { email: 'danny@example.com' })
})

const userWith = (cookie: string) => world.call('/api/auth/user', { headers: { cookie } })
const sids = () => world.ctx.sqlite.prepare<[], { sid: string }>('select sid from sessions').all()

describe('logging in', () => {
  test('CALLS-2 CALLS-49 ENT-22 returns the account and starts a session', async () => {
    const response = await logIn(world.call, danny)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      user: { id: danny.id, email: 'danny@example.com', firstName: 'Danny' },
    })
    expect((await userWith(asHeader(cookiesOf(response)))).status).toBe(200)
  })

  test('AUTH-2 a login leads to the members’ area, and an owner’s to the area they opened last', async () => {
    const olive = addWithPassword(world, { email: 'olive@example.com', isAdmin: true })
    const startOf = async (person: TestPerson) =>
      v.parse(LoginResponse, await (await logIn(world.call, person)).json()).startsAt
    const open = (person: TestPerson, area: Area) =>
      world.signIn(person)('/api/auth/user', { headers: { [areaHeader]: area } })
    expect(await startOf(olive)).toBe('/members')
    await open(olive, 'admin')
    await open(danny, 'admin')
    expect([await startOf(olive), await startOf(danny)]).toEqual(['/admin', '/members'])
    await open(olive, 'members')
    expect(await startOf(olive)).toBe('/members')
  })

  test('the address is trimmed and in any case', async () => {
    expect((await logIn(world.call, { email: '  Danny@Example.COM ' })).status).toBe(200)
  })

  test('V6.3.8 EMSG-1 an unknown address, a wrong password and an account without one get the same response', async () => {
    world.addUser({ email: 'none@example.com' })
    const tries = [
      { email: 'danny@example.com', password: 'wrong-password' },
      { email: 'nobody@example.com' },
      { email: 'none@example.com' },
    ]
    const responses = await Promise.all(tries.map((details) => logIn(world.call, details)))
    const said = await Promise.all(responses.map(readError))
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(said[0]).toMatchObject({ status: 401, code: 'invalid_credentials' })
    expect(responses.flatMap((response) => response.headers.getSetCookie())).toEqual([])
  })

  test('CONST-08 LIMIT-5 a password of five characters is refused under its field, one of six is tried', async () => {
    const short = await readError(await logIn(world.call, { ...danny, password: '12345' }))
    expect(short).toMatchObject({ status: 422, fields: { password: 'Password must be at least 6 characters' } })
    expect((await logIn(world.call, { ...danny, password: '123456' })).status).toBe(401)
    const six = addWithPassword(world, { passwordHash: await Bun.password.hash('123456') })
    expect((await logIn(world.call, { ...six, password: '123456' })).status).toBe(200)
  })

  test('V6.2.10 a password is good until it is changed, however old', async () => {
    for (let year = 0; year < 10; year += 1) world.forward(365 * 86_400_000)
    expect((await logIn(world.call, danny)).status).toBe(200)
  })

  test('V7.2.2 V7.2.3 a session’s token has 256 bits, and the database stores its hash', async () => {
    const { cookie } = world.signIn(danny)
    const token = cookie.split('=')[1] ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(JSON.stringify(sids())).not.toContain(token)
    expect((await userWith(`alliance_session=${sids()[0]?.sid}`)).status).toBe(401)
  })
})

describe('rotation', () => {
  test('V7.2.4 a login ends the session that the browser had before', async () => {
    const before = world.signIn(danny).cookie
    const response = await logIn(world.call, danny, { cookie: before })
    expect((await userWith(before)).status).toBe(401)
    expect((await userWith(asHeader(cookiesOf(response)))).status).toBe(200)
    expect(sids()).toHaveLength(1)
  })

  test('V7.2.1 a planted cookie is never used for a session', async () => {
    const planted = 'alliance_session=planted-by-somebody'
    const response = await logIn(world.call, danny, { cookie: planted })
    expect(cookiesOf(response).get('alliance_session')).not.toBe('planted-by-somebody')
    expect((await userWith(planted)).status).toBe(401)
  })

  test('V7.1.2 two logins are two sessions, and neither knows the other', async () => {
    const [phone, van] = [await logIn(world.call, danny), await logIn(world.call, danny)]
    await world.call('/api/auth/logout', { method: 'POST', headers: { cookie: asHeader(cookiesOf(phone)) } })
    expect((await userWith(asHeader(cookiesOf(phone)))).status).toBe(401)
    expect((await userWith(asHeader(cookiesOf(van)))).status).toBe(200)
  })

  test('a wrong login leaves the session that was there', async () => {
    const { cookie } = world.signIn(danny)
    expect((await logIn(world.call, { ...danny, password: 'wrong-password' }, { cookie })).status).toBe(401)
    expect((await userWith(cookie)).status).toBe(200)
  })

  test('an old password that is being checked while a new one is set logs nobody in', { tags: ['full'] }, async () => {
    const { ctx } = world
    const newHash = await Bun.password.hash('another-one-42', { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
    const slow = addWithPassword(world, { passwordHash: await Bun.password.hash(password) })
    const underWay = logIn(world.call, slow)
    const change = ctx.sqlite.prepare('update users set passwordHash = ? where id = ?')
    // The guess is being checked by now, which takes far longer than this.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    change.run(newHash, slow.id)
    expect((await underWay).status).toBe(401)
    expect(sids()).toEqual([])
  })
})

describe('the cookies', () => {
  const attributes = async (env: Record<string, string>) => {
    const other = startWorld({ env })
    const lines = (await logIn(other.call, addWithPassword(other))).headers.getSetCookie()
    return lines.map((line) => line.replace(/=[\w-]{43};/, '=…;'))
  }

  test('over http: HttpOnly, Lax, the whole site', async () => {
    expect(await attributes({})).toEqual([
      'alliance_session=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=15552000',
      'alliance_device=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000',
    ])
  })

  test('over https: bound to the host, and Secure', async () => {
    expect(await attributes({ PUBLIC_URL: 'https://alliance.example' })).toEqual([
      '__Host-alliance_session=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=15552000; Secure',
      '__Host-alliance_device=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000; Secure',
    ])
  })

  test('over https a cookie without the prefix identifies nobody', async () => {
    const other = startWorld({ env: { PUBLIC_URL: 'https://alliance.example' } })
    const { cookie } = other.signIn(other.addUser())
    expect((await other.call('/api/auth/user', { headers: { cookie } })).status).toBe(200)
    const bare = cookie.replace('__Host-', '')
    expect((await other.call('/api/auth/user', { headers: { cookie: bare } })).status).toBe(401)
  })
})

test('the log holds neither address nor password nor cookie', async () => {
  await logIn(world.call, danny)
  await logIn(world.call, { ...danny, password: 'wrong-password' })
  expect(world.logged.join()).not.toMatch(/danny@|wrong-password|tape-and-level|alliance_session/)
  expect(countRows(world, 'limit_hits', `bucket like '%danny%' or bucket like '%127.0.0.1%'`)).toBe(0)
})
