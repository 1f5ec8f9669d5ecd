import { beforeEach, describe, expect, test } from 'vitest'
import { readError, startWorld, type World } from '#api/testing/world.ts'

let world: World
beforeEach(() => {
  world = startWorld()
})

const application = {
  firstName: 'Sam',
  lastName: 'Field',
  email: 'sam@example.com',
  phone: '07700 900123',
  businessName: 'Field Decorating',
  trade: 'Painter',
  businessStage: 'growing',
  yearsInTrade: '12',
  currentChallenges: 'Quoting at night',
  goals: 'Two weeks off',
  whyJoin: 'A mate did',
  hearAboutUs: 'Podcast',
  agreeTerms: true,
}
const address = { line1: '1 High Street', line2: 'Flat 2', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }

/** A complete body for each route with text fields, sent as an owner to pass every guard. */
const bodies: { method: string; path: string; body: Record<string, unknown>; alsoOptional?: string[] }[] = [
  { method: 'POST', path: '/api/membership-application', body: application },
  { method: 'POST', path: '/api/create-subscription', body: { email: 'sam@example.com', name: 'Sam Field' } },
  { method: 'PUT', path: '/api/billing/address', body: address, alsoOptional: ['line2'] },
  { method: 'POST', path: '/api/auth/login', body: { email: 'sam@example.com', password: 'long-enough-42' } },
  {
    method: 'POST',
    path: '/api/auth/token',
    body: { email: 'sam@example.com', password: 'long-enough-42', name: 'van' },
    alsoOptional: ['name'],
  },
  { method: 'POST', path: '/api/auth/forgot-password', body: { email: 'sam@example.com' } },
  { method: 'POST', path: '/api/auth/reset-password', body: { token: 'made-up', newPassword: 'long-enough-42' } },
  { method: 'POST', path: '/api/auth/set-password', body: { newPassword: 'long-enough-42' } },
  { method: 'POST', path: '/api/auth/continue', body: { token: 'made-up' } },
  { method: 'POST', path: '/api/video-progress/sync', body: { deviceId: 'phone', changes: [] } },
  { method: 'POST', path: '/api/admin/owners/link', body: { email: 'sam@example.com' } },
  { method: 'POST', path: '/api/admin/sandbox/advance', body: { by: '1d' } },
  { method: 'POST', path: '/api/admin/sandbox/chaos', body: { on: true } },
]

describe('a 422', () => {
  test('JOIN-03 names every missing field', async () => {
    const call = world.signIn(world.addOwner())
    for (const { method, path, body, alsoOptional = [] } of bodies) {
      const { status, code, fields } = await readError(await call(path, { method, body: {} }))
      const wanted = Object.keys(body).filter((name) => !alsoOptional.includes(name))
      expect([path, status, code, Object.keys(fields ?? {}).sort()]).toEqual([path, 422, 'invalid', wanted.sort()])
    }
  })

  test('never repeats what was sent, a password least of all', async () => {
    const call = world.signIn(world.addOwner())
    const marker = 987_654_321
    for (const { method, path, body } of bodies) {
      const wrong = Object.fromEntries(Object.keys(body).map((name) => [name, marker]))
      const response = await call(path, { method, body: wrong })
      const text = await response.text()
      expect([path, response.status]).toEqual([path, 422])
      expect(Object.keys(JSON.parse(text).error.fields).sort()).toEqual(Object.keys(body).sort())
      expect(text).not.toContain(String(marker))
    }
    const login = await call('/api/auth/login', { body: { email: 'no address', password: 'hunter2-marker' } })
    expect(await login.text()).not.toContain('marker')
    expect(world.logged.join()).not.toContain('marker')
  })

  test('EMSG-44 EMSG-45 carries the sentence for under the field', async () => {
    const response = await world.call('/api/auth/login', { body: { email: 'sam', password: '12345' } })
    expect((await readError(response)).fields).toEqual({
      email: 'Please enter a valid email address',
      password: 'Password must be at least 6 characters',
    })
  })

  test('names a field inside another by its path', async () => {
    const body = { email: 'sam@example.com', name: 'Sam', billingAddress: { ...address, postcode: '' } }
    const { fields } = await readError(await world.call('/api/create-subscription', { body }))
    expect(fields).toEqual({ 'billingAddress.postcode': 'Postcode is required' })
  })

  test('names the body where there is none, or none that has fields', async () => {
    const call = world.signIn(world.addOwner())
    for (const body of [null, 'text', 5]) {
      const { status, fields } = await readError(await call('/api/auth/login', { body }))
      expect([status, Object.keys(fields ?? {})]).toEqual([422, ['body']])
    }
    const { status, fields } = await readError(await call('/api/auth/login', { method: 'POST' }))
    expect([status, Object.keys(fields ?? {})]).toEqual([422, ['body']])
  })

  test('names a wrong query and a path that cannot be read', async () => {
    const call = world.signIn(world.addOwner())
    for (const limit of ['abc', '0', '-1', '1001', '1.5', '']) {
      const { status, fields } = await readError(await call(`/api/admin/members?limit=${limit}`))
      expect([limit, status, Object.keys(fields ?? {})]).toEqual([limit, 422, ['limit']])
    }
    expect((await call('/api/admin/member/%E0%A4%A')).status).toBe(422)
  })
})

test('NUL and other control characters are refused in every text field, tabs and line breaks are not', async () => {
  const call = world.signIn(world.addOwner())
  const hidden = ['\0', '\u0007', '\u000b', '\u001b', '\u007f', '\u009b']
  for (const { method, path, body } of bodies) {
    for (const [name, value] of Object.entries(body)) {
      if (typeof value !== 'string' || name === 'token' || name === 'country') continue
      for (const character of hidden) {
        const sent = { ...body, [name]: `${value.slice(0, 1)}${character}${value.slice(1)}` }
        const { status, fields } = await readError(await call(path, { method, body: sent }))
        expect([path, name, character, status, Object.keys(fields ?? {})]).toEqual([path, name, character, 422, [name]])
      }
    }
  }
  const lines = { ...application, goals: 'Two weeks\toff\r\nA van that starts\n' }
  expect((await world.call('/api/membership-application', { body: lines })).status).toBe(200)
})

test('a malformed token is refused like any other', async () => {
  const response = await world.call('/api/auth/reset-password', {
    body: { token: 'made\0up', newPassword: 'long-enough-42' },
  })
  expect((await readError(response)).code).toBe('invalid_token')
})

describe('an unexpected failure', () => {
  test('ERR-17 is a plain 500 with the request id, and reveals nothing', async () => {
    world.ctx.sqlite.exec('alter table membership_tiers rename to gone')
    const response = await world.call('/api/membership-tiers')
    const text = await response.text()
    const requestId = response.headers.get('x-request-id')
    expect(response.status).toBe(500)
    expect(JSON.parse(text)).toEqual({ error: { code: 'internal', message: expect.any(String), requestId } })
    expect(text).not.toMatch(/sqlite|table|membership_tiers|stack|\.ts/i)
    expect(
      world.logged.filter((line) => line.includes(requestId ?? '-') && line.includes('no such table')),
    ).toHaveLength(1)
  })

  test('a response that breaks its schema is a 500, and the log names the field and not its value', async () => {
    const member = world.signIn(world.addMember())
    world.addVideos()
    world.ctx.sqlite.exec(`update member_videos set category = x'68756e746572322d6d61726b6572'`)
    const response = await member('/api/member-videos')
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('marker')])
    expect(world.logged.join()).toContain('category')
    expect(world.logged.join()).not.toContain('marker')
  })
})
