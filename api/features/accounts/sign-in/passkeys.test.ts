import { beforeEach, describe, expect, test } from 'vitest'
import { attestedByCertificates, attestedBySelf } from '#api/testing/attestations.ts'
import { countRows } from '#api/testing/joining.ts'
import { createDevice, type Device, type Manner } from '#api/testing/passkeys.ts'
import { addWithPassword, asHeader, cookiesOf } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'

const minute = 60_000

let world: World
let danny: TestPerson
let call: Call
let phone: Device
beforeEach(() => {
  world = startWorld()
  danny = addWithPassword(world, { email: 'danny@example.com' })
  call = world.signIn(danny)
  phone = createDevice()
})

const post = (by: Call, path: string, body?: object) => by(path, { method: 'POST', ...(body && { body }) })
const askNew = async (by: Call) => (await post(by, '/api/user/passkeys/new')).json()
const store = (by: Call, answer: object, name = 'My phone') => post(by, '/api/user/passkeys', { name, answer })
async function add(by: Call, device: Device, manner?: Manner) {
  return store(by, device.register(await askNew(by), manner))
}
const question = async () => (await post(world.call, '/api/auth/passkey')).json()
const logIn = (answer: object) => post(world.call, '/api/auth/passkey/login', { answer })
const logInWith = async (device: Device, manner?: Manner) => logIn(device.sign(await question(), manner))
const passkeysOf = async (by: Call) => (await (await by('/api/user/sign-in')).json()).passkeys

describe('a passkey', () => {
  test('V6.5.6 V6.3.7 is added with a name, signs in, says when it was used, and is removed; each is mailed', async () => {
    expect(await (await add(call, phone)).json()).toEqual({ recoveryCodes: [] })
    expect(await passkeysOf(call)).toEqual([
      { id: expect.any(String), name: 'My phone', createdAt: world.ctx.now().toISOString(), lastUsedAt: null },
    ])
    world.forward(minute)
    const response = await logInWith(phone)
    expect([response.status, (await response.json()).user.email]).toEqual([200, danny.email])
    const here: Call = (path, options = {}) =>
      world.call(path, { ...options, headers: { cookie: asHeader(cookiesOf(response)) } })
    const [key] = await passkeysOf(here)
    expect(key.lastUsedAt).toBe(world.ctx.now().toISOString())
    // A passkey counts as a proof, like the password.
    expect((await here(`/api/user/passkeys/${key.id}`, { method: 'DELETE' })).status).toBe(200)
    expect([await passkeysOf(here), (await logInWith(phone)).status]).toEqual([[], 401])
    const subjects = world.ctx.sqlite.prepare('select subject from mail_outbox order by id').pluck().all()
    expect(subjects).toEqual(['A passkey was added', 'A passkey was removed'])
    const texts = world.ctx.sqlite.prepare('select text from mail_outbox order by id').pluck().all()
    for (const text of texts) expect(text).toContain('Set a new password:\nhttp://localhost:3000/forgot-password')
  })

  test('V6.7.2 answers a challenge of ours once, in time, and one that was made for it', async () => {
    await add(call, phone)
    const asked = await question()
    const answer = phone.sign(asked)
    const together = await Promise.all([logIn(answer), logIn(answer)])
    expect(together.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await logIn(phone.sign(asked))).status).toBe(401)
    expect((await logIn(phone.sign({ ...asked, challenge: 'bWFkZS11cC4xLjI' }))).status).toBe(401)
    // A challenge for a new passkey can't log in, and another account's can't add one.
    expect((await logIn(phone.sign(await askNew(call)))).status).toBe(401)
    const eve = world.signIn(addWithPassword(world))
    expect((await store(eve, createDevice().register(await askNew(call)))).status).toBe(422)
    const late = await question()
    world.forward(10 * minute)
    expect((await logIn(phone.sign(late))).status).toBe(401)
  })

  test('V6.3.4 is refused from another site, another host, without the person, and from a copy', async () => {
    const wrong: Manner[] = [
      { origin: 'https://elsewhere.example' },
      { host: 'elsewhere.example' },
      { isVerified: false },
      { userHandle: Buffer.from('another-account').toString('base64url') },
    ]
    for (const manner of wrong.slice(0, 3)) expect((await add(call, createDevice(), manner)).status).toBe(422)
    await add(call, phone)
    for (const manner of wrong) expect([manner, (await logInWith(phone, manner)).status]).toEqual([manner, 401])
    expect((await logInWith(phone)).status).toBe(200)
    expect((await logInWith(phone, { counter: 2 })).status).toBe(401)
    const forged = { ...phone.sign(await question()), id: createDevice().id }
    expect((await logIn(forged)).status).toBe(401)
    const answer = phone.sign(await question())
    const signature = createDevice().sign(await question()).response.signature
    expect((await logIn({ ...answer, response: { ...answer.response, signature } })).status).toBe(401)
  })

  test('V7.5.1 needs the password lately, and an account with one; nobody removes another’s', async () => {
    await add(call, phone)
    const [key] = await passkeysOf(call)
    const eve = world.signIn(addWithPassword(world))
    expect((await eve(`/api/user/passkeys/${key.id}`, { method: 'DELETE' })).status).toBe(404)
    world.forward(11 * minute)
    expect((await readError(await post(call, '/api/user/passkeys/new'))).code).toBe('password_needed')
    expect((await readError(await call(`/api/user/passkeys/${key.id}`, { method: 'DELETE' }))).code).toBe(
      'password_needed',
    )
    expect((await post(call, '/api/auth/proof', { answer: phone.sign(await question()) })).status).toBe(200)
    expect((await post(call, '/api/user/passkeys/new')).status).toBe(200)
    const stranger = createDevice()
    await add(world.signIn(addWithPassword(world)), stranger)
    const other = await post(call, '/api/auth/proof', { answer: stranger.sign(await question()) })
    expect(await readError(other)).toMatchObject({ status: 422, code: 'invalid' })
    expect((await post(world.signIn(world.addUser()), '/api/user/passkeys/new')).status).toBe(409)
  })

  test('V6.3.1 wrong ones count against the address; ten are the most an account has, and one is added once', async () => {
    await add(call, phone)
    const again = phone.register(await askNew(call))
    expect((await store(call, again)).status).toBe(422)
    for (let at = 1; at < 10; at++) expect((await add(call, createDevice())).status).toBe(200)
    expect((await post(call, '/api/user/passkeys/new')).status).toBe(409)
    const answer = createDevice().sign(await question())
    for (let at = 0; at < 60; at++) expect((await logIn(answer)).status).toBe(401)
    expect((await logInWith(phone)).status).toBe(429)
  })

  test('no certificate that a client sends is looked into, nor makes a request; what the key itself signs is taken', async () => {
    const asked: string[] = []
    const lists = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => {
        asked.push(url)
        return new Response('nothing')
      },
    })
    const formats = ['android-key', 'packed', 'tpm', 'android-safetynet', 'fido-u2f', 'apple', 'compound']
    const statuses: [string, number][] = []
    try {
      for (const format of formats) {
        const attest = attestedByCertificates(format, `http://127.0.0.1:${lists.port}/${format}.crl`)
        statuses.push([format, (await add(call, createDevice(), { attest })).status])
      }
    } finally {
      await lists.stop(true)
    }
    expect(asked).toEqual([])
    expect(statuses).toEqual(formats.map((format) => [format, 422]))
    expect((await add(call, phone, { attest: attestedBySelf })).status).toBe(200)
  })

  test('bytes that are no attestation are refused, and a try that failed uses up its challenge', async () => {
    const asked = await askNew(call)
    const answer = phone.register(asked)
    for (const attestationObject of ['AA', 'oA', 'gYGBgQ', answer.response.attestationObject.slice(0, 40)]) {
      const broken = phone.register(await askNew(call))
      const refusal = await store(call, { ...broken, response: { ...broken.response, attestationObject } })
      expect([attestationObject, refusal.status]).toEqual([attestationObject, 422])
    }
    const elsewhere = phone.register(asked, { origin: 'https://elsewhere.example' })
    expect((await store(call, elsewhere)).status).toBe(422)
    expect((await store(call, answer)).status).toBe(422)
    const attest = attestedByCertificates('packed', 'http://127.0.0.1:9/')
    const again = await askNew(call)
    expect((await store(call, phone.register(again, { attest }))).status).toBe(422)
    expect((await store(call, phone.register(again))).status).toBe(422)
    expect((await add(call, phone)).status).toBe(200)
  })

  test('V6.3.1 ten wrong new ones an hour are the most of a person, from wherever; right ones are not counted', async () => {
    await add(call, phone)
    const wrong = () => add(call, createDevice(), { host: 'elsewhere.example' })
    for (let at = 0; at < 10; at++) expect((await wrong()).status).toBe(422)
    const later = await add(call, createDevice())
    expect(await readError(later)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect((await add(world.signIn(addWithPassword(world)), createDevice())).status).toBe(200)
    world.forward(60 * minute)
    const back = world.signIn(danny)
    expect((await add(back, createDevice())).status).toBe(200)
  })

  test('V6.4.3 goes with a reset by mail and with a taken-back address, but an owner’s second factor stays', async () => {
    const owner = addWithPassword(world, { email: 'olive@example.com', isAdmin: true })
    await add(call, phone)
    await add(world.signIn(owner), createDevice())
    for (const { email } of [danny, owner]) {
      await post(world.call, '/api/auth/forgot-password', { email })
      const mail = world.ctx.sqlite.prepare<[string], string>(
        `select text from mail_outbox where "to" = ? and text like '%reset-password%' order by id desc`,
      )
      const token = /token=(\S+)/.exec(mail.pluck().get(email) ?? '')?.[1]
      const reset = await post(world.call, '/api/auth/reset-password', { token, newPassword: 'a-van-that-starts-42' })
      expect(reset.status).toBe(200)
    }
    expect((await logInWith(phone)).status).toBe(401)
    expect(countRows(world, 'passkeys')).toBe(1)
    const login = { email: owner.email, password: 'a-van-that-starts-42' }
    expect((await readError(await post(world.call, '/api/auth/login', login))).code).toBe('second_factor_needed')
  })
})
