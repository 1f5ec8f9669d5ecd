import { beforeEach, describe, expect, test } from 'vitest'
import { addWithPassword } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { toIfMatch } from '#shared/contract/profile.ts'

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  danny = addWithPassword(world, { email: 'danny@example.com', phone: '07700 900123', trade: 'Plumber' })
})

const change = (call: Call, body: object, version?: number) =>
  call('/api/user/profile', {
    method: 'PATCH',
    body,
    ...(version === undefined ? {} : { headers: { 'if-match': toIfMatch(version) } }),
  })
const profileOf = async (call: Call) => (await call('/api/user/profile')).json()

test('API-13 PROF-04 the six fields are read and changed, all or some of them', async () => {
  const call = world.signIn(danny)
  const rest = { pendingEmail: null, emailFixedUntil: null }
  const before = { firstName: 'Danny', lastName: 'Marsh', email: danny.email, phone: '07700 900123', trade: 'Plumber' }
  expect(await profileOf(call)).toEqual({ ...before, businessName: null, version: 1, ...rest })
  const all = { ...before, firstName: 'Dan', phone: '', businessName: ' Marsh Plumbing ', trade: null }
  const response = await change(call, all)
  const after = { ...all, phone: null, businessName: 'Marsh Plumbing', version: 2, ...rest }
  expect([response.status, await response.json()]).toEqual([200, after])
  expect(await (await change(call, { trade: 'Heating' }, 2)).json()).toEqual({ ...after, trade: 'Heating', version: 3 })
  expect(await (await call('/api/auth/user')).json()).toMatchObject({ firstName: 'Dan', trade: 'Heating' })
})

test('V8.2.3 API-13 exactly the six fields: any other is refused, and nobody makes themselves an owner', async () => {
  const call = world.signIn(danny)
  for (const more of [{ isAdmin: true }, { isMember: true }, { version: 1 }, { password: 'x' }]) {
    expect([more, (await change(call, { firstName: 'Dan', ...more })).status]).toEqual([more, 422])
  }
  expect(await profileOf(call)).toMatchObject({ firstName: 'Danny', version: 1 })
})

test('PROF-05 what cannot be right is refused field by field, and nothing is stored', async () => {
  const wrong = {
    firstName: ' ',
    lastName: '',
    email: 'danny@',
    phone: '12',
    businessName: 'x'.repeat(201),
    trade: 'a\nb',
  }
  const { status, fields } = await readError(await change(world.signIn(danny), wrong))
  expect([status, fields]).toEqual([
    422,
    {
      firstName: 'First name is required',
      lastName: 'Last name is required',
      email: 'Please enter a valid email address',
      phone: 'Enter a phone number, such as 07700 900123',
      businessName: 'Use up to 200 characters.',
      trade: 'Write this on one line.',
    },
  ])
})

test('ROLE-06 the same roles as everywhere: a visitor has no profile, a former member has, and each their own alone', async () => {
  expect((await world.call('/api/user/profile')).status).toBe(401)
  const lapsed = world.addMember({ firstName: 'Lee', subscription: { status: 'canceled' } })
  expect((await change(world.signIn(lapsed), { trade: 'Roofer' })).status).toBe(200)
  expect(await profileOf(world.signIn(danny))).toMatchObject({ trade: 'Plumber' })
  const owner = world.signIn(world.addOwner())
  await owner(`/api/admin/impersonate/${danny.id}`, { body: { reason: 'He rang' } })
  expect(await profileOf(owner)).toMatchObject({ firstName: 'Danny' })
  expect((await change(owner, { trade: 'Roofer' })).status).toBe(403)
})

describe('two devices', () => {
  test('API-13 the second to save gets both back, chooses, and loses nothing', async () => {
    const [phone, van] = [world.signIn(danny), world.signIn(danny)]
    expect((await change(phone, { phone: '0113 496 0000' }, 1)).status).toBe(200)
    const response = await change(van, { phone: '07700 900999' }, 1)
    expect([response.status, (await response.json()).error]).toMatchObject([
      409,
      {
        code: 'version_conflict',
        versions: { sent: { phone: '07700 900999' }, current: { phone: '0113 496 0000', version: 2 } },
      },
    ])
    expect(await profileOf(van)).toMatchObject({ phone: '0113 496 0000' })
    expect((await change(van, { phone: '07700 900999' }, 2)).status).toBe(200)
    expect(await profileOf(phone)).toMatchObject({ phone: '07700 900999', version: 3 })
  })

  test('API-13 the same change again, after a lost response, is no conflict with itself', async () => {
    const call = world.signIn(danny)
    await change(call, { trade: 'Heating' }, 1)
    const again = await change(call, { trade: 'Heating' }, 1)
    expect([again.status, (await again.json()).version]).toEqual([200, 2])
  })

  test('an owner’s correction counts as another device’s', async () => {
    const owner = world.signIn(world.addOwner())
    const profile = { firstName: 'Daniel', lastName: 'Marsh', email: danny.email, phone: null, businessName: null }
    const body = { ...profile, trade: 'Plumber', version: 1 }
    expect((await owner(`/api/admin/members/${danny.id}/profile`, { method: 'PUT', body })).status).toBe(200)
    expect((await change(world.signIn(danny), { firstName: 'Dan' }, 1)).status).toBe(409)
  })
})
