import { beforeEach, describe, expect, test } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, logIn, password } from '#api/testing/passwords.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminSession } from '#shared/contract/sessions.ts'

let world: World
let owner: Call
let email: string
beforeEach(() => {
  world = startWorld()
  const person = addWithPassword(world, { isAdmin: true })
  email = person.email
  owner = world.signIn(person)
})

const asked = { name: 'Books', scopes: ['read'], days: 30 }
const ask = (more: object = {}, call = owner) => call('/api/admin/tokens', { body: { ...asked, ...more } })
const withToken =
  (token: string): Call =>
  (path, options = {}) =>
    world.call(path, { ...options, headers: { authorization: `Bearer ${token}` } })
const logins = async (query = ''): Promise<AdminSession[]> => (await owner(`/api/admin/sessions${query}`)).json()

describe('an API token', () => {
  test('that may read is shown once, stored hashed, reads until it ends, and changes nothing but itself', async () => {
    const { token, expiresAt, name } = await (await ask()).json()
    expect([name, expiresAt]).toEqual(['Books', '2026-07-12T07:40:00.000Z'])
    expect(JSON.stringify(world.ctx.sqlite.prepare('select * from api_tokens').all())).not.toContain(token)
    expect(JSON.stringify(world.ctx.sqlite.prepare('select * from audit_entries').all())).not.toContain(token)
    expect(await logins('?kind=terminal')).toMatchObject([{ name: 'Books', scopes: ['read'], isCurrent: false }])
    const program = withToken(token)
    expect((await program('/api/admin/members')).status).toBe(200)
    const change = await readError(await program('/api/admin/sessions/revoke', { body: { email } }))
    expect(change).toMatchObject({ status: 403, message: 'This token can’t change anything.' })
    expect((await program('/api/auth/token', { method: 'DELETE' })).status).toBe(200)
    expect((await program('/api/admin/members')).status).toBe(401)
  })

  test('cannot make one that may do more than it may itself', async () => {
    for (const wrong of [{ scopes: [] }, { days: 366 }]) {
      expect((await ask(wrong)).status).toBe(422)
    }
    const { token: writes } = await (await ask({ scopes: ['write'] })).json()
    expect((await withToken(writes)('/api/admin/members')).status).toBe(403)
    const proof = { body: { password } }
    expect((await withToken(writes)('/api/auth/proof', proof)).status).toBe(200)
    expect((await ask({ scopes: ['read', 'write'] }, withToken(writes))).status).toBe(403)
    expect((await ask({ scopes: ['write'] }, withToken(writes))).status).toBe(200)
    expect(countRows(world, 'audit_entries', `action = 'token.made'`)).toBe(2)
  })

  test('V8.3.3 may do what its owner may at that moment, and no more', async () => {
    const { token } = await (await ask({ scopes: ['read', 'write'] })).json()
    expect((await withToken(token)('/api/admin/members')).status).toBe(200)
    world.ctx.sqlite.exec(`update users set isAdmin = 0 where email = '${email}'`)
    expect((await withToken(token)('/api/admin/members')).status).toBe(403)
    world.ctx.sqlite.exec(`delete from users where email = '${email}'`)
    expect((await withToken(token)('/api/admin/members')).status).toBe(401)
  })

  test('is revoked like a login, and goes when its owner signs out everywhere else', async () => {
    const [one, two] = [await (await ask()).json(), await (await ask()).json()]
    const [first] = await logins('?kind=terminal')
    await owner('/api/admin/sessions/revoke', { body: { id: first?.id } })
    const statuses = async () =>
      Promise.all([one, two].map(async ({ token }) => (await withToken(token)('/api/admin/members')).status))
    expect((await statuses()).sort()).toEqual([200, 401])
    const other = world.signIn({ id: (await (await owner('/api/auth/user')).json()).id, email })
    const ended = await (await owner('/api/admin/sessions/revoke', { body: { others: true } })).json()
    expect([ended, await statuses(), (await other('/api/auth/user')).status]).toEqual([{ revoked: 2 }, [401, 401], 401])
    expect((await owner('/api/auth/user')).status).toBe(200)
  })
})

test('a login names its browser, and the list marks the one that asks', async () => {
  world.signIn(world.addOwner())
  const agent =
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0 Mobile Safari/537.36'
  await logIn((path, options) => world.call(path, { ...options, headers: { 'user-agent': agent } }), { email })
  const list = await logins('?kind=browser&own=true')
  expect(new Map(list.map(({ device, isCurrent }) => [device, isCurrent]))).toEqual(
    new Map([
      ['Chrome on Android', false],
      [null, true],
    ]),
  )
})
