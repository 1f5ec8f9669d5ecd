import { beforeEach, describe, expect, test, vi } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, behindProxy, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { ForgotPasswordRequest, ResetPasswordRequest } from '#shared/contract/auth.ts'
import { issueApiToken } from './session-service.ts'

const minute = 60_000
const newPassword = 'a-van-that-starts-42'

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld({ env: behindProxy })
  danny = addWithPassword(world, { email: 'danny@example.com' })
})

const forgot = (email = danny.email, address = '10.0.0.1', headers: Record<string, string> = {}) =>
  world.call('/api/auth/forgot-password', { body: { email }, headers: { 'x-forwarded-for': address, ...headers } })
const reset = (token: string, to = newPassword) =>
  world.call('/api/auth/reset-password', { body: { token, newPassword: to } })

type Mail = { to: string; subject: string; text: string; html: string }
async function mails(): Promise<Mail[]> {
  await runJob(world.ctx, 'mail')
  return (await world.call('/sandbox/mail', { headers: { accept: 'application/json' } })).json()
}
const tokenIn = (mail: Mail | undefined) => /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
/** Asks for a link and reads it from the mail. Moves time on, so that the mail is the newest. */
async function mailedToken(email = danny.email): Promise<string> {
  world.forward(1)
  await forgot(email)
  return tokenIn((await mails())[0])
}

describe('forgetting a password', () => {
  test('AUTH-3 CALLS-3 mails a link to the account, in the case it was stored', async () => {
    expect((await forgot(' Danny@Example.com')).status).toBe(200)
    const [mail, ...more] = await mails()
    expect([mail?.to, mail?.subject, more]).toEqual(['danny@example.com', 'Set a new password', []])
    expect(mail?.text).toMatch(/http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}\b/)
    expect(mail?.html).toContain(`reset-password?token=${tokenIn(mail)}`)
  })

  test('AUTH-3 the address in the mail is ours, whatever host was requested', async () => {
    world = startWorld({ env: { ...behindProxy, PUBLIC_URL: 'https://alliance.example' } })
    addWithPassword(world, { email: 'danny@example.com' })
    await forgot('danny@example.com', '10.0.0.1', { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
    const [mail] = await mails()
    expect(mail?.text).toContain('https://alliance.example/reset-password?token=')
    expect(mail?.text).not.toContain('evil')
  })

  test('V6.3.8 AUTH-3 responds and stores the same for an unknown address, and mails nobody', async () => {
    const known = await forgot()
    const stored = countRows(world, 'password_resets')
    const unknown = await forgot('nobody@example.com')
    const facts = async (response: Response) => [response.status, [...response.headers.keys()], await response.text()]
    expect(await facts(unknown)).toEqual(await facts(known))
    expect([stored, countRows(world, 'password_resets')]).toEqual([1, 2])
    expect(await mails()).toHaveLength(1)
  })

  test('a token is stored only as a hash', async () => {
    const token = await mailedToken()
    const stored = ['password_resets', 'users'].map((table) => world.ctx.sqlite.prepare(`select * from ${table}`).all())
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(countRows(world, 'users', 'resetToken = (select token from password_resets)')).toBe(1)
    const [row] = world.ctx.sqlite.prepare<[], { token: string }>('select token from password_resets').all()
    expect((await readError(await reset(row?.token ?? ''))).code).toBe('invalid_token')
  })

  test('five an hour for an address send mail, the sixth gets the same response and leaves the fifth link valid', {
    tags: ['full'],
  }, async () => {
    for (let count = 0; count < 5; count += 1) {
      world.forward(1)
      await forgot()
    }
    const fifth = tokenIn((await mails())[0])
    expect((await forgot()).status).toBe(200)
    expect(await mails()).toHaveLength(5)
    expect((await reset(fifth)).status).toBe(200)
    world.forward(60 * minute)
    await forgot()
    expect((await mails()).filter(({ subject }) => subject === 'Set a new password')).toHaveLength(6)
  })

  test('60 an hour from one address, then 429', async () => {
    for (let count = 0; count < 60; count += 1) expect((await forgot(`sam${count}@example.com`)).status).toBe(200)
    const response = await forgot('sam61@example.com')
    expect(await readError(response)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(Number(response.headers.get('retry-after'))).toBe(3600)
    expect((await forgot('sam61@example.com', '10.0.0.2')).status).toBe(200)
    world.forward(60 * minute)
    expect((await forgot()).status).toBe(200)
  })

  test('two requests at the same moment leave a link that works', { tags: ['full'] }, async () => {
    await Promise.all([forgot(), forgot()])
    const responses = await Promise.all((await mails()).map((mail) => reset(tokenIn(mail))))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

test('V6.4.2 nobody is asked for a hint or a secret answer, and none is kept', () => {
  expect(Object.keys(ForgotPasswordRequest.entries)).toEqual(['email'])
  expect(Object.keys(ResetPasswordRequest.entries)).toEqual(['token', 'newPassword'])
  const columns = world.ctx.sqlite.prepare<[], string>(`select name from pragma_table_info('users')`).pluck().all()
  expect(columns).toContain('passwordHash')
  expect(columns.filter((name) => /hint|question|answer|maiden|pet/i.test(name))).toEqual([])
})

describe('a reset', () => {
  test('is told by mail however long that has to wait, since there is no link in it', async () => {
    expect((await reset(await mailedToken())).status).toBe(200)
    await forgot()
    world.forward(8 * 24 * 60 * minute)
    const subjects = (await mails()).map(({ subject }) => subject)
    expect(subjects.toSorted()).toEqual(['Set a new password', 'Your password was set'])
  })

  test('V6.3.7 V6.4.3 AUTH-6 CALLS-4 sets the password, ends every login and token, and is confirmed by mail', async () => {
    const [session, impostor] = [world.signIn(danny), world.signIn(addWithPassword(world))]
    const { token: terminal } = issueApiToken(world.ctx, danny.id, 'van')
    const hashing = vi.spyOn(Bun.password, 'hash')
    expect((await reset(await mailedToken())).status).toBe(200)
    // Tests hash them small. What the program asks for is this.
    expect(hashing.mock.calls).toEqual([[newPassword, 'argon2id']])
    hashing.mockRestore()
    expect(Bun.password.hashSync(newPassword, 'argon2id')).toMatch(/^\$argon2id\$v=19\$m=65536,t=2,/)
    expect((await session('/api/auth/user')).status).toBe(401)
    expect((await world.call('/api/auth/user', { headers: { authorization: `Bearer ${terminal}` } })).status).toBe(401)
    expect((await impostor('/api/auth/user')).status).toBe(200)
    expect((await logIn(world.call, { ...danny, password })).status).toBe(401)
    expect((await logIn(world.call, { ...danny, password: newPassword })).status).toBe(200)
    const subjects = (await mails()).map(({ subject }) => subject)
    expect(subjects).toContain('Your password was set')
    const row = world.ctx.sqlite
      .prepare<[string], Record<string, unknown>>(
        'select passwordHash, passwordChanged, tempPassword, resetToken, resetTokenExpiry from users where id = ?',
      )
      .get(danny.id)
    expect(row).toEqual({
      passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$/),
      passwordChanged: 1,
      tempPassword: null,
      resetToken: null,
      resetTokenExpiry: null,
    })
  })

  test('V6.4.1 EMSG-6 a link works once, even when it is used twice at once', async () => {
    const token = await mailedToken()
    const responses = await Promise.all([reset(token), reset(token, 'another-one-42')])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    const again = await readError(await reset(token))
    expect(again).toMatchObject({ status: 400, code: 'invalid_token', message: 'Invalid or expired reset token.' })
  })

  test('AUTH-5 whether a link still works can be asked without using it', async () => {
    const check = (token: string) => world.call('/api/auth/reset-password/check', { body: { token } })
    const token = await mailedToken()
    const first = await (await check(token)).json()
    expect(first).toEqual({ success: true, email: danny.email, isFirst: false })
    expect((await check(token)).status).toBe(200)
    expect((await reset(token)).status).toBe(200)
    for (const bad of [token, 'made-up']) {
      expect(await readError(await check(bad))).toMatchObject({ status: 400, code: 'invalid_token' })
    }
  })

  test('EMSG-6 only the newest link works', async () => {
    const [first, second] = [await mailedToken(), await mailedToken()]
    expect((await reset(first)).status).toBe(400)
    expect((await reset(second)).status).toBe(200)
  })

  test('V6.4.1 EMSG-6 a link works for 60 minutes', async () => {
    const token = await mailedToken()
    world.forward(60 * minute)
    expect((await reset(token)).status).toBe(400)
    const fresh = await mailedToken()
    world.forward(60 * minute - 1)
    expect((await reset(fresh)).status).toBe(200)
  })

  test('V6.2.1 V6.2.4 AUTH-8 a short or common password is refused under its field, and the link still works', async () => {
    const token = await mailedToken()
    const short = await readError(await reset(token, 'seven77'))
    expect([short.status, short.fields]).toEqual([422, { newPassword: 'Password must be at least 8 characters' }])
    for (const common of ['password1', 'Football1', '12345678']) {
      const { status, fields } = await readError(await reset(token, common))
      expect([common, status, Object.keys(fields ?? {})]).toEqual([common, 422, ['newPassword']])
    }
    expect((await reset(token)).status).toBe(200)
  })

  test('a link is invalid once its address has changed', async () => {
    const token = await mailedToken()
    world.ctx.sqlite.prepare(`update users set email = 'new@example.com' where id = ?`).run(danny.id)
    expect((await reset(token)).status).toBe(400)
  })

  test('a password link cannot continue a purchase', async () => {
    const token = await mailedToken()
    expect((await world.call('/api/auth/continue', { body: { token } })).status).toBe(400)
    expect((await reset(token)).status).toBe(200)
  })
})
