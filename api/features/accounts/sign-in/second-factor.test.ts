import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { createDevice } from '#api/testing/passkeys.ts'
import { addWithPassword, asHeader, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'

const second = 1000
const minute = 60 * second

let world: World
let olive: TestPerson
beforeEach(() => {
  world = startWorld()
  olive = addOwner('olive@example.com')
})

const addOwner = (email: string) => addWithPassword(world, { email, isAdmin: true })
const post = (by: Call, path: string, body?: object) => by(path, { method: 'POST', ...(body && { body }) })
const enter = (code?: string, person = olive) =>
  post(world.call, '/api/auth/login', { email: person.email, password, ...(code && { code }) })
const statusOf = async (response: Promise<Response>) => (await response).status

type App = { codeAt(aside?: number): string; recoveryCodes: string[] }

async function setUp(call: Call): Promise<App> {
  const { secret } = await (await post(call, '/api/admin/second-factor')).json()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeAt = (aside = 0) => totp.generate({ timestamp: world.ctx.now().getTime() + aside * 30 * second })
  const { recoveryCodes } = await (await post(call, '/api/admin/second-factor/confirm', { code: codeAt() })).json()
  return { codeAt, recoveryCodes }
}

describe('an authenticator app', () => {
  test('V6.3.3 V6.5.4 V7.4.3 counts from its first right code: the password alone is refused, other browsers are signed out', async () => {
    const [here, there] = [world.signIn(olive), world.signIn(olive)]
    const { secret, uri } = await (await post(here, '/api/admin/second-factor')).json()
    expect([secret, uri]).toEqual([
      expect.stringMatching(/^[A-Z2-7]{32}$/),
      expect.stringContaining(`secret=${secret}`),
    ])
    expect((await enter()).status).toBe(200)
    expect(await statusOf(post(here, '/api/admin/second-factor/confirm', { code: '000000' }))).toBe(422)
    const { codeAt, recoveryCodes } = await setUp(here)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
    expect([(await here('/api/auth/user')).status, (await there('/api/auth/user')).status]).toEqual([200, 401])
    expect(await readError(await enter())).toMatchObject({ status: 403, code: 'second_factor_needed' })
    world.forward(30 * second)
    const done = await enter(codeAt())
    expect([done.status, (await done.json()).user.email]).toEqual([200, olive.email])
    expect((await logIn(world.call, { ...olive, password: 'not-my-password' })).status).toBe(401)
  })

  test('V6.5.1 a code counts once, also at once, and no older one after it', async () => {
    const { codeAt } = await setUp(world.signIn(olive))
    expect((await enter(codeAt())).status).toBe(422)
    world.forward(90 * second)
    const together = await Promise.all([enter(codeAt()), enter(codeAt())])
    expect(together.map(({ status }) => status).sort()).toEqual([200, 422])
    expect((await enter(codeAt(-1))).status).toBe(422)
  })

  test('V6.5.5 V6.5.8 one step early or late passes, two do not', async () => {
    const { codeAt } = await setUp(world.signIn(olive))
    world.forward(5 * minute)
    expect(await statusOf(enter(codeAt(-2)))).toBe(422)
    expect(await statusOf(enter(codeAt(2)))).toBe(422)
    expect(await statusOf(enter(codeAt(-1)))).toBe(200)
    expect(await statusOf(enter(codeAt(1)))).toBe(200)
  })

  test('V6.3.1 ten wrong codes in a quarter of an hour are the most, of app and paper together', async () => {
    const { codeAt, recoveryCodes } = await setUp(world.signIn(olive))
    world.forward(minute)
    for (let at = 0; at < 5; at++) {
      expect((await enter('000000')).status).toBe(422)
      expect((await enter('aaaaa-aaaaa')).status).toBe(422)
    }
    expect([(await enter(codeAt())).status, (await enter(recoveryCodes[0])).status]).toEqual([429, 429])
    world.forward(16 * minute)
    expect((await enter(codeAt())).status).toBe(200)
  })

  test('V6.5.2 V6.5.3 secret and recovery codes stand nowhere in the clear', async () => {
    const call = world.signIn(olive)
    const { secret } = await (await post(call, '/api/admin/second-factor')).json()
    const { recoveryCodes } = await setUp(call)
    const { sqlite } = world.ctx
    const stored = JSON.stringify([
      sqlite.prepare('select * from authenticators').all(),
      sqlite.prepare('select * from recovery_codes').all(),
      sqlite.prepare('select * from audit_entries').all(),
    ])
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes).toString('base64url')
    for (const clear of [secret, bytes, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
      expect(stored.includes(clear)).toBe(false)
    const ways = await (await call('/api/user/sign-in')).text()
    expect(ways.includes(secret)).toBe(false)
  })

  test('V7.5.1 V6.3.7 setting it up and taking it away needs the password lately, and is mailed', async () => {
    const call = world.signIn(olive)
    world.forward(11 * minute)
    const paths = ['', '/confirm', '/recovery-codes'].map((end) => `/api/admin/second-factor${end}`)
    for (const path of paths)
      expect((await readError(await post(call, path, { code: '000000' }))).code).toBe('password_needed')
    const proven = world.signIn(olive)
    const { message } = await readError(await post(proven, '/api/auth/proof', { code: '000000' }))
    expect(message).toBe('You haven’t set up two-step login. Type your password.')
    const { codeAt } = await setUp(proven)
    world.forward(11 * minute)
    expect((await proven('/api/admin/second-factor', { method: 'DELETE' })).status).toBe(403)
    expect((await post(proven, '/api/auth/proof', { code: codeAt() })).status).toBe(200)
    expect((await proven('/api/admin/second-factor', { method: 'DELETE' })).status).toBe(200)
    expect([(await enter()).status, countRows(world, 'recovery_codes')]).toEqual([200, 0])
    const subjects = world.ctx.sqlite.prepare('select subject from mail_outbox order by id').pluck().all()
    expect(subjects).toEqual(['Two-step login is on', 'Two-step login is off'])
  })
})

describe('a lost phone', () => {
  test('V6.4.4 V6.5.1 a recovery code lets in once, and is told; new ones end the old', async () => {
    const call = world.signIn(olive)
    const { recoveryCodes } = await setUp(call)
    const [first = '', next = ''] = recoveryCodes
    expect((await enter(first.toUpperCase())).status).toBe(200)
    expect((await enter(first)).status).toBe(422)
    expect((await (await call('/api/user/sign-in')).json()).secondFactor.recoveryCodes).toBe(9)
    expect(countRows(world, 'mail_outbox', `subject = 'A recovery code was used'`)).toBe(1)
    const renewed = await (await post(call, '/api/admin/second-factor/recovery-codes')).json()
    expect([(await enter(next)).status, (await enter(renewed.recoveryCodes[0])).status]).toEqual([422, 200])
  })

  test('V6.4.4 the machine’s own terminal takes it away; another owner’s login cannot', async () => {
    const machine = startWorld({ localActor: 'local:olive' })
    const owner = addWithPassword(machine, { email: olive.email, isAdmin: true })
    const browser = machine.signIn(owner)
    machine.ctx.sqlite.prepare(`insert into recovery_codes values (?, 'x', '2026-01-01T00:00:00.000Z')`).run(owner.id)
    const reset = await post(machine.call, '/api/admin/owners/second-factor-reset', { email: olive.email })
    expect([reset.status, await reset.json()]).toEqual([
      200,
      { email: olive.email, passkeys: 0, hadAuthenticator: false },
    ])
    expect([(await browser('/api/auth/user')).status, countRows(machine, 'recovery_codes')]).toEqual([401, 0])
    await setUp(world.signIn(olive))
    const other = world.signIn(addOwner('ted@example.com'))
    expect(await statusOf(post(other, '/api/admin/owners/second-factor-reset', { email: olive.email }))).toBe(409)
    expect((await enter()).status).toBe(403)
  })
})

describe('where the settings ask every owner for a second factor', () => {
  const require = (call: Call, value = 'yes', version = 0) =>
    call('/api/admin/settings/OWNERS_SECOND_FACTOR', { method: 'PUT', body: { value, version } })

  test('V6.3.3 an owner without one may do nothing but set it up, and keep it', async () => {
    const call = world.signIn(olive)
    expect((await require(call)).status).toBe(200)
    expect(await readError(await call('/api/admin/today'))).toMatchObject({ status: 403, code: 'second_factor_unset' })
    expect((await readError(await require(call, 'no', 1))).code).toBe('second_factor_unset')
    const token = { email: olive.email, password }
    expect((await readError(await post(world.call, '/api/auth/token', token))).code).toBe('second_factor_unset')
    expect((await (await call('/api/user/sign-in')).json()).secondFactor).toEqual({
      isRequired: true,
      authenticatorSince: null,
      recoveryCodes: 0,
    })
    const { codeAt } = await setUp(call)
    expect((await call('/api/admin/today')).status).toBe(200)
    expect((await call('/api/admin/second-factor', { method: 'DELETE' })).status).toBe(409)
    world.forward(minute)
    expect((await readError(await post(world.call, '/api/auth/token', token))).code).toBe('second_factor_needed')
    expect((await post(world.call, '/api/auth/token', { ...token, code: codeAt() })).status).toBe(200)
  })

  test('V6.3.3 V6.3.4 a passkey will do; it lets in by itself, and the password beside it asks for a recovery code', async () => {
    const call = world.signIn(olive)
    await require(call)
    const phone = createDevice()
    const asked = await (await post(call, '/api/user/passkeys/new')).json()
    const body = { name: 'My phone', answer: phone.register(asked) }
    const { recoveryCodes } = await (await post(call, '/api/user/passkeys', body)).json()
    expect((await call('/api/admin/today')).status).toBe(200)
    expect((await readError(await enter())).code).toBe('second_factor_needed')
    expect((await enter(recoveryCodes[0])).status).toBe(200)
    const answer = phone.sign(await (await post(world.call, '/api/auth/passkey')).json())
    const done = await post(world.call, '/api/auth/passkey/login', { answer })
    const headers = { cookie: asHeader(cookiesOf(done)) }
    expect((await world.call('/api/admin/today', { headers })).status).toBe(200)
    const [{ id }] = (await (await call('/api/user/sign-in')).json()).passkeys
    expect((await call(`/api/user/passkeys/${id}`, { method: 'DELETE' })).status).toBe(409)
    expect(countRows(world, 'passkeys')).toBe(1)
  })

  test('V7.5.3 the setting itself changes with the password given lately; members and programs notice nothing', async () => {
    const member = addWithPassword(world)
    const call = world.signIn(olive)
    const made = await post(call, '/api/admin/tokens', { name: 'Books', scopes: ['read'], days: 30 })
    const { token } = await made.json()
    world.forward(11 * minute)
    expect((await readError(await require(call))).code).toBe('password_needed')
    await require(world.signIn(olive))
    expect((await enter(undefined, member)).status).toBe(200)
    expect((await world.call('/api/admin/today', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })
})
