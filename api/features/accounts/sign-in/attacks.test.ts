import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { ownerInvitations } from '#api/db/schema/invitations.ts'
import { issueLink } from '#api/features/accounts/login/link-service.ts'
import { projectFolder } from '#api/project.ts'
import { keyedHash } from '#api/secrets.ts'
import { countRows } from '#api/testing/joining.ts'
import { createDevice, type Device } from '#api/testing/passkeys.ts'
import { addWithPassword, asHeader, cookiesOf, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'

const minute = 60_000

let world: World
let olive: TestPerson
let browser: Call
let app: App
beforeEach(async () => {
  world = startWorld()
  olive = addWithPassword(world, { email: 'olive@example.com', isAdmin: true })
  browser = world.signIn(olive)
  app = await setUp(browser)
  world.forward(minute)
})

const post = (by: Call, path: string, body: object = {}) => by(path, { method: 'POST', body })
const login = (code?: string, { email } = olive) =>
  post(world.call, '/api/auth/login', { email, password, ...(code && { code }) })
const token = (code?: string) => post(world.call, '/api/auth/token', { email: olive.email, password, code })
const proof = (body: object) => post(browser, '/api/auth/proof', body)
const statusesOf = (responses: Response[]) => responses.map(({ status }) => status).sort()
const loginsOf = ({ id }: TestPerson) =>
  [countRows(world, 'sessions', `"userId" = '${id}'`), countRows(world, 'api_tokens', `"userId" = '${id}'`)] as const

type App = { code(): string; paper: string[] }

async function setUp(call: Call): Promise<App> {
  const { secret } = await (await post(call, '/api/admin/second-factor')).json()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => totp.generate({ timestamp: world.ctx.now().getTime() })
  const confirmed = await post(call, '/api/admin/second-factor/confirm', { code: code() })
  return { code, paper: (await confirmed.json()).recoveryCodes }
}

async function addPasskey(call: Call, device: Device): Promise<void> {
  const asked = await (await post(call, '/api/user/passkeys/new')).json()
  expect((await post(call, '/api/user/passkeys', { name: 'Phone', answer: device.register(asked) })).status).toBe(200)
}
/** Like a synced passkey, which doesn't count its uses. */
const uncounted = async (phone: Device) => phone.sign(await question(), { counter: 0 })
const question = async () => (await post(world.call, '/api/auth/passkey')).json()
const passkeyLogin = (answer: object) => post(world.call, '/api/auth/passkey/login', { answer })

describe('one code', () => {
  test.each(['app', 'paper'] as const)('V6.5.1 from the %s, sent six times at once, lets in once', async (kind) => {
    const code = kind === 'app' ? app.code() : app.paper[0]
    const before = loginsOf(olive)
    const sent = [login(code), token(code), login(code), token(code), proof({ code }), login(code)]
    const statuses = statusesOf(await Promise.all(sent))
    expect(statuses).toEqual([200, 422, 422, 422, 422, 422])
    const [sessions = 0, tokens = 0] = loginsOf(olive)
    expect(sessions + tokens - Number(before[0]) - Number(before[1])).toBeLessThanOrEqual(1)
    expect(countRows(world, 'recovery_codes')).toBe(kind === 'app' ? 10 : 9)
  })

  test('V6.5.1 that was used in one place is used in every other', async () => {
    for (const code of [app.code(), app.paper[0]]) {
      expect((await login(code)).status).toBe(200)
      const again = [await login(code), await token(code), await proof({ code })]
      expect(statusesOf(again)).toEqual([422, 422, 422])
    }
  })

  test('V6.6.2 of another owner opens nothing, and is not used up by it', async () => {
    const ted = addWithPassword(world, { email: 'ted@example.com', isAdmin: true })
    const teds = await setUp(world.signIn(ted))
    world.forward(minute)
    for (const code of [teds.code(), teds.paper[0]]) {
      expect(statusesOf([await login(code), await token(code), await proof({ code })])).toEqual([422, 422, 422])
      expect((await login(code, ted)).status).toBe(200)
    }
  })
})

describe('an answer of a passkey', () => {
  test('V6.7.2 counts once, whichever door it is tried at, also six times at once', async () => {
    const phone = createDevice()
    await addPasskey(browser, phone)
    const atOnce = await uncounted(phone)
    const sent = [0, 1, 2].flatMap(() => [passkeyLogin(atOnce), proof({ answer: atOnce })])
    expect((await Promise.all(sent)).filter(({ status }) => status === 200)).toHaveLength(1)
    const used = await uncounted(phone)
    expect([(await passkeyLogin(used)).status, (await proof({ answer: used })).status]).toEqual([200, 422])
    const proved = await uncounted(phone)
    expect([(await proof({ answer: proved })).status, (await passkeyLogin(proved)).status]).toEqual([200, 401])
  })

  test('V6.5.6 opens nothing once its passkey was removed, though it was asked for and signed before', async () => {
    const phone = createDevice()
    await addPasskey(browser, phone)
    const [one, other] = [phone.sign(await question()), phone.sign(await question())]
    const [{ id }] = (await (await browser('/api/user/sign-in')).json()).passkeys
    expect((await browser(`/api/user/passkeys/${id}`, { method: 'DELETE' })).status).toBe(200)
    const before = loginsOf(olive)
    expect([(await passkeyLogin(one)).status, (await proof({ answer: other })).status]).toEqual([401, 422])
    expect(loginsOf(olive)).toEqual(before)
  })
})

/** Every way in that docs/asvs.md lists, tried on an owner's account with everything but the second factor. */
const waysAround: Record<string, () => Promise<Response>> = {
  'POST /api/auth/login': () => login(),
  'POST /api/auth/token': () => token(),
  'POST /api/auth/code/login': () => codeLogin(olive.email),
  'POST /api/auth/passkey/login': async () => {
    const stranger = createDevice()
    await addPasskey(world.signIn(addWithPassword(world)), stranger)
    const userHandle = Buffer.from(olive.id).toString('base64url')
    return passkeyLogin(stranger.sign(await question(), { userHandle }))
  },
  'POST /api/auth/continue': () => {
    const { token } = issueLink(world.ctx, olive.email, 'password')
    return post(world.call, '/api/auth/continue', { token })
  },
  'POST /api/create-subscription': () =>
    post(world.call, '/api/create-subscription', { email: olive.email, name: 'Olive Hart', tierSlug: 'lite' }),
  'POST /api/owner-invitation/accept': () => {
    const [createdAt, expiresAt] = ['2026-06-12T07:00:00.000Z', '2099-06-12T07:00:00.000Z']
    const row = { id: world.ctx.newId(), email: olive.email, createdAt, expiresAt }
    insertRow(world.ctx, ownerInvitations, { ...row, tokenHash: keyedHash(world.ctx, 'owner-invitation', 'theirs') })
    const newPassword = 'a-van-that-starts-42'
    return post(world.call, '/api/owner-invitation/accept', { token: 'theirs', newPassword })
  },
  'POST /api/admin/tokens': () =>
    post(world.signIn(world.addMember()), '/api/admin/tokens', { name: 'Mine', scopes: ['read'], days: 1 }),
  'POST /api/admin/impersonate/:memberId': () => {
    const other = world.signIn(addWithPassword(world, { isAdmin: true }))
    return post(other, `/api/admin/impersonate/${olive.id}`, { reason: 'I would like to' })
  },
}

async function codeLogin(email: string, meanwhile?: () => Promise<void>): Promise<Response> {
  const asked = await post(world.call, '/api/auth/code', { email })
  const text = world.ctx.sqlite.prepare('select text from mail_outbox order by id desc').pluck().get()
  const code = /\b\d{6}\b/.exec(String(text))?.[0] ?? '123456'
  await meanwhile?.()
  const headers = { cookie: asHeader(cookiesOf(asked)) }
  return world.call('/api/auth/code/login', { body: { email, code }, headers })
}

describe('around the second factor', () => {
  test('V6.3.3 V6.3.4 leads no way in', async () => {
    const asvs = readFileSync(join(projectFolder, 'docs/asvs.md'), 'utf8')
    const listed = [...asvs.matchAll(/^\| `(POST \/api\/\S+)`/gm)].map(([, way = '']) => way)
    expect(Object.keys(waysAround).sort()).toEqual(listed.sort())
    const before = loginsOf(olive)
    for (const [name, tryIt] of Object.entries(waysAround)) {
      const response = await tryIt()
      expect([name, response.ok, cookiesOf(response).get('alliance_session') ?? '']).toEqual([name, false, ''])
      expect([name, loginsOf(olive)]).toEqual([name, before])
    }
  })

  test('V6.4.3 leads no reset of the password, which opens no login and leaves the factor', async () => {
    const { token: link } = issueLink(world.ctx, olive.email, 'password')
    const newPassword = 'a-van-that-starts-42'
    const reset = await post(world.call, '/api/auth/reset-password', { token: link, newPassword })
    expect([reset.status, cookiesOf(reset).get('alliance_session') ?? '', loginsOf(olive)]).toEqual([200, '', [0, 0]])
    const details = { email: olive.email, password: newPassword }
    expect((await post(world.call, '/api/auth/token', details)).status).toBe(403)
  })

  test('V6.3.4 leads no code that was mailed before its account became an owner’s', async () => {
    const dan = addWithPassword(world, { email: 'dan@example.com' })
    const promote = async () => void world.ctx.sqlite.prepare('update users set "isAdmin" = 1 where id = ?').run(dan.id)
    expect((await codeLogin(dan.email)).status).toBe(200)
    const before = loginsOf(dan)
    world.forward(minute)
    expect((await codeLogin(dan.email, promote)).ok).toBe(false)
    expect(loginsOf(dan)).toEqual(before)
  })
})
