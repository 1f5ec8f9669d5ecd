import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { contentOf } from '#api/site/content.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, asHeader, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import { type Call, type CallOptions, readError, startWorld, type World } from '#api/testing/world.ts'
import { issueLink } from './link-service.ts'

const newPassword = 'a-van-that-starts-42'

let world: World
beforeEach(() => {
  world = startWorld()
})
afterEach(() => void vi.restoreAllMocks())

function as(headers: Record<string, string>): Call {
  return (path, options = {}) => world.call(path, { ...options, headers: { ...headers, ...options.headers } })
}
const me = async (call: Call) => (await call('/api/auth/user')).json()

describe('what a browser may know of its account', () => {
  test('CALLS-5 API-08 ENT-25 DATA-13 these fields and no other', async () => {
    const person = addWithPassword(world, { email: 'danny@example.com', phone: '07700 900123', tempPassword: 'hash' })
    expect(await me(world.signIn(person))).toEqual({
      id: person.id,
      email: 'danny@example.com',
      firstName: 'Danny',
      lastName: 'Marsh',
      phone: '07700 900123',
      businessName: null,
      trade: null,
      profileImageUrl: null,
      isAdmin: false,
      isMember: false,
      isImpersonating: false,
      membershipTier: null,
      membershipStartDate: null,
      hasPassword: true,
      createdAt: '2026-06-12T07:40:00.000Z',
    })
  })

  test('ROLE-03 isMember and the tier come from the rows and the clock, not from the columns that repeat them', async () => {
    const pretender = world.addUser({ isMember: true, membershipTier: 'xl' })
    expect(await me(world.signIn(pretender))).toMatchObject({ isMember: false, membershipTier: null })
    const member = world.addMember({ tier: 'xl', isMember: false })
    expect(await me(world.signIn(member))).toMatchObject({ isMember: true, membershipTier: 'xl' })
  })

  test('ROLE-05 an owner is no member', async () => {
    expect(await me(world.signIn(world.addOwner()))).toMatchObject({ isAdmin: true, isMember: false })
  })
})

describe('a first password', () => {
  const set = (call: Call, body: object) => call('/api/auth/set-password', { body })

  test('is set by a member who stays logged in; every other login and token ends', async () => {
    const person = world.addUser()
    const [here, elsewhere] = [world.signIn(person), world.signIn(person)]
    expect(await me(here)).toMatchObject({ hasPassword: false })
    expect((await set(here, { newPassword })).status).toBe(200)
    expect(await me(here)).toMatchObject({ hasPassword: true })
    expect((await elsewhere('/api/auth/user')).status).toBe(401)
    expect((await logIn(world.call, { ...person, password: newPassword })).status).toBe(200)
    const again = await readError(await set(here, { newPassword: 'another-one-42' }))
    expect([again.status, again.code]).toEqual([409, 'conflict'])
  })

  test('V6.2.5 V6.2.8 V6.2.9 is taken as it was typed: long, with spaces, any letters, in its case', {
    tags: ['full'],
  }, async () => {
    const person = world.addUser()
    const typed = ` Ärmel ${'und noch ein Wort '.repeat(6)}`
    expect((await set(world.signIn(person), { newPassword: typed })).status).toBe(200)
    for (const other of [typed.trim(), typed.toLowerCase(), typed.slice(0, 72)])
      expect((await logIn(world.call, { ...person, password: other })).status).toBe(401)
    expect((await logIn(world.call, { ...person, password: typed })).status).toBe(200)
  })

  test('revokes the links that are still on their way', async () => {
    const person = world.addUser()
    const [reset, join] = [issueLink(world.ctx, person.email, 'password'), issueLink(world.ctx, person.email, 'join')]
    expect((await set(world.signIn(person), { newPassword })).status).toBe(200)
    const responses = [
      await world.call('/api/auth/reset-password', { body: { token: reset.token, newPassword } }),
      await world.call('/api/auth/continue', { body: { token: join.token } }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([400, 400])
  })

  test('corrects a mistyped address at the same time, which can then log in', async () => {
    const person = world.addUser({ email: 'smo@example.com' })
    expect((await set(world.signIn(person), { newPassword, email: 'Sam@Example.com' })).status).toBe(200)
    expect((await logIn(world.call, { email: 'sam@example.com', password: newPassword })).status).toBe(200)
    expect((await logIn(world.call, { email: 'smo@example.com', password: newPassword })).status).toBe(401)
  })

  test('takes no membership, and no access that owners gave, to an address that nobody has confirmed', async () => {
    const membershipStartDate = world.ctx.now().toISOString()
    const people = [
      world.addMember(),
      world.addUser({ membershipStartDate }),
      world.addUser({ accessOverride: 'granted' }),
    ]
    for (const [at, person] of people.entries()) {
      const [call, wanted] = [world.signIn(person), `vera${at}@example.com`]
      const response = await set(call, { newPassword, email: wanted })
      expect(await response.json()).toEqual({ success: true, isEmailChangeWithdrawn: false, emailToConfirm: wanted })
      expect(await me(call)).toMatchObject({ email: person.email, hasPassword: true })
      expect((await logIn(world.call, { email: wanted, password: newPassword })).status).toBe(401)
      expect((await logIn(world.call, { ...person, password: newPassword })).status).toBe(200)
      expect(countRows(world, 'mail_outbox', `"to" = '${wanted}' and cause like 'address-confirm:%'`)).toBe(1)
    }
  })

  test('counts no change of address where the password was refused, or there was no place to hash it', {
    tags: ['full'],
  }, async () => {
    const member = world.addMember()
    const call = world.signIn(member)
    const wanted = 'vera@example.com'
    for (let at = 0; at < 4; at += 1) {
      expect((await set(call, { newPassword: 'Password1', email: wanted })).status).toBe(422)
    }
    const { email } = member
    const full = Array.from({ length: 10 }, () =>
      logIn(world.call, { email, password: 'wrong-password' }, { cookie: call.cookie }),
    )
    expect((await set(call, { newPassword, email: wanted })).status).toBe(503)
    await Promise.all(full)
    expect(await (await set(call, { newPassword, email: wanted })).json()).toMatchObject({ emailToConfirm: wanted })
    const change = async () => {
      expect((await call('/api/auth/proof', { body: { password: newPassword } })).status).toBe(200)
      return call('/api/user/profile', { method: 'PATCH', body: { email: 'vera@elsewhere.example' } })
    }
    for (let at = 0; at < 4; at += 1) expect((await change()).status).toBe(200)
    expect((await change()).status).toBe(429)
  })

  test('another account’s address, or an owner’s, is refused and nothing is set', async () => {
    const other = addWithPassword(world)
    const call = world.signIn(world.addUser())
    expect(
      (await readError(await set(world.signIn(world.addMember()), { newPassword, email: other.email }))).status,
    ).toBe(422)
    for (const email of [other.email, 'owner@alliance.test']) {
      const { status, fields } = await readError(await set(call, { newPassword, email }))
      expect([email, status, Object.keys(fields ?? {})]).toEqual([email, 422, ['email']])
    }
    expect(await me(call)).toMatchObject({ hasPassword: false })
  })

  test('V6.3.1 is hashed only where it may be set, and ten are tried in an hour', async () => {
    const hashing = vi.spyOn(Bun.password, 'hash')
    const [newcomer, settled] = [world.signIn(world.addUser()), addWithPassword(world)]
    const statusOf = async (call: Call, body: object) => (await set(call, body)).status
    for (let at = 0; at < 11; at += 1) expect(await statusOf(world.signIn(settled), { newPassword })).toBe(409)
    for (let at = 0; at < 5; at += 1) {
      expect(await statusOf(newcomer, { newPassword, email: settled.email })).toBe(422)
      expect(await statusOf(newcomer, { newPassword: 'Password1' })).toBe(422)
    }
    // Nor does the refusal reveal whose address it is.
    expect(await statusOf(newcomer, { newPassword, email: settled.email })).toBe(429)
    const refused = await set(newcomer, { newPassword })
    expect([refused.status, refused.headers.get('retry-after'), hashing.mock.calls]).toEqual([429, '3600', []])
    expect(await statusOf(world.signIn(world.addUser()), { newPassword })).toBe(200)
    world.forward(3_600_000)
    expect([await statusOf(newcomer, { newPassword }), hashing.mock.calls.length]).toEqual([200, 2])
  })

  test('AUTH-8 a short or a common one is refused', async () => {
    const call = world.signIn(world.addUser())
    for (const weak of ['seven77', 'Password1']) {
      expect((await readError(await set(call, { newPassword: weak }))).fields).toHaveProperty('newPassword')
    }
  })
})

/** Each way to set a password, as `email`, who hasn't used that way yet. */
const waysToSet: Record<string, (email: string) => (newPassword: string) => Promise<Response>> = {
  'after joining': (email) => {
    const call = world.signIn(world.addUser({ email }))
    return (newPassword) => call('/api/auth/set-password', { body: { newPassword } })
  },
  'by a mailed link': (email) => {
    addWithPassword(world, { email })
    const { token } = issueLink(world.ctx, email, 'password')
    return (newPassword) => world.call('/api/auth/reset-password', { body: { token, newPassword } })
  },
  'in the account': (email) => {
    const call = world.signIn(addWithPassword(world, { email }))
    return (newPassword) => call('/api/auth/change-password', { body: { currentPassword: password, newPassword } })
  },
}

test.each(Object.entries(waysToSet))('V6.2.11 our name and the own address are no password %s', async (_, way) => {
  const { name } = contentOf(world.ctx).read().site.brand
  const set = way('smudge.tiler@example.com')
  const longest = name.split(' ').reduce((one, other) => (other.length > one.length ? other : one))
  for (const guess of [`${name} 20260612`, `${longest}-20260612`, 'Smudge.Tiler1', '2026-tiler-06', 'Smudge.T!|er1']) {
    const { status, message, fields } = await readError(await set(guess))
    expect([guess, status, message, Object.keys(fields ?? {})]).toEqual([
      ...[guess, 422, 'That’s easy to guess. Don’t use our name or your email address.'],
      ['newPassword'],
    ])
  }
  expect((await set(newPassword)).status).toBe(200)
  const setNumber = way('07700900123@mail.test')
  for (const guess of ['07700900123', '07700 900 123!'])
    expect([guess, (await readError(await setNumber(guess))).fields]).toEqual([
      ...[guess, { newPassword: 'That’s easy to guess. Don’t use our name or your email address.' }],
    ])
})

test.each(['Weather-7391-5528', 'Theo:8872-1193-0046', 'Tomato-8814-2291'])(
  'an article of our name, or a short name in a longer word, spoils no password: %s',
  async (decent) => {
    expect(contentOf(world.ctx).read().site.brand.name).toMatch(/^The /)
    expect((await waysToSet['after joining']?.('tom@example.com')(decent))?.status).toBe(200)
  },
)

describe('logging out', () => {
  const sessions = () => countRows(world, 'sessions')

  test('V7.4.1 POST ends this session alone, and the cookie', async () => {
    const person = addWithPassword(world)
    const [phone, van] = [world.signIn(person), world.signIn(person)]
    const response = await phone('/api/auth/logout', { method: 'POST' })
    expect([response.status, await response.json()]).toEqual([200, { success: true }])
    expect(response.headers.getSetCookie()).toEqual(['alliance_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'])
    expect((await phone('/api/auth/user')).status).toBe(401)
    expect((await van('/api/auth/user')).status).toBe(200)
  })

  test('POST responds the same to a browser that is logged out already', async () => {
    expect((await world.call('/api/auth/logout', { method: 'POST' })).status).toBe(200)
  })

  test('GET ends the session and goes to the front page', async () => {
    const call = world.signIn(world.addUser())
    const response = await call('/api/logout')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    expect([...cookiesOf(response).values()]).toEqual([''])
    expect((await call('/api/auth/user')).status).toBe(401)
  })

  test('the return from a payment page may end it too', async () => {
    const call = world.signIn(world.addUser())
    const headers = { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'document' }
    expect((await call('/api/logout', { headers })).status).toBe(303)
    expect(sessions()).toBe(0)
  })

  test('HEAD, a GET from another site, one ahead of the press, and a picture or frame of our own, end nothing', async () => {
    const call = world.signIn(world.addUser())
    const elsewhere: CallOptions[] = [
      { method: 'HEAD' },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { origin: 'https://a.example' } },
      ...['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'].map((name) => ({
        headers: { [name]: 'prefetch;prerender', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' },
      })),
      ...['image', 'iframe', 'empty', 'script'].map((dest) => ({
        headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': dest },
      })),
    ]
    for (const options of elsewhere) {
      const response = await call('/api/logout', options)
      expect([options, response.headers.getSetCookie()]).toEqual([options, []])
      expect(sessions()).toBe(1)
    }
  })

  test('no response clears storage by header', async () => {
    const call = world.signIn(world.addUser())
    for (const response of [await call('/api/auth/logout', { method: 'POST' }), await call('/api/logout')]) {
      expect(response.headers.get('clear-site-data')).toBeNull()
    }
  })
})

describe('a token of the terminal', () => {
  const issue = (email: string) => world.call('/api/auth/token', { body: { email, password } })
  const bearer = (token: string) => as({ authorization: `Bearer ${token}` })

  test('is issued for email and password, lasts 90 days, and is stored hashed', async () => {
    const person = addWithPassword(world)
    const { token, email, expiresAt } = await (await issue(person.email)).json()
    expect([email, expiresAt]).toEqual([person.email, '2026-09-10T07:40:00.000Z'])
    expect(await me(bearer(token))).toMatchObject({ id: person.id })
    expect(JSON.stringify(world.ctx.sqlite.prepare('select * from api_tokens').all())).not.toContain(token)
  })

  test('opens no session and leaves no cookie', async () => {
    const response = await issue(addWithPassword(world).email)
    expect([response.headers.getSetCookie(), countRows(world, 'sessions')]).toEqual([[], 0])
  })

  test('is revoked alone; the others and the browsers stay', async () => {
    const person = addWithPassword(world)
    const [first, second] = [await (await issue(person.email)).json(), await (await issue(person.email)).json()]
    const browser = world.signIn(person)
    expect((await bearer(first.token)('/api/auth/token', { method: 'DELETE' })).status).toBe(200)
    expect((await bearer(first.token)('/api/auth/user')).status).toBe(401)
    expect((await bearer(second.token)('/api/auth/user')).status).toBe(200)
    expect((await browser('/api/auth/user')).status).toBe(200)
  })

  test('a wrong one identifies nobody, whatever cookie is sent beside it', async () => {
    const { cookie } = world.signIn(world.addUser())
    expect((await as({ cookie, authorization: 'Bearer made-up' })('/api/auth/user')).status).toBe(401)
  })

  test('a session’s token is no bearer, and a bearer’s no session', async () => {
    const person = addWithPassword(world)
    const { token } = await (await issue(person.email)).json()
    const session = world.signIn(person).cookie.split('=')[1] ?? ''
    expect((await bearer(session)('/api/auth/user')).status).toBe(401)
    expect((await as({ cookie: asHeader(new Map([['alliance_session', token]])) })('/api/auth/user')).status).toBe(401)
  })
})
