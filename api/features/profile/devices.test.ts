import { beforeEach, describe, expect, test } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'

const newPassword = 'a-van-that-starts-42'

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  danny = addWithPassword(world, { email: 'danny@example.com' })
})

async function stateOf(call: Call) {
  const response = await call('/api/auth/user')
  return response.status === 200 ? 'in' : (await response.json()).error.wipe === true ? 'told to wipe' : 'out'
}
const list = async (call: Call) => (await call('/api/user/sessions')).json()
const revoke = (call: Call, body: object) => call('/api/user/sessions/revoke', { body })

describe('a member’s own devices', () => {
  test('V7.5.2 each with name and last seen, this one first; one is signed out and told to delete what it keeps', async () => {
    const agent = 'Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36'
    const body = { email: danny.email, password }
    const old = await world.call('/api/auth/login', { body, headers: { 'user-agent': agent } })
    const cookie = old.headers.getSetCookie().find((one) => one.startsWith('alliance_session')) ?? ''
    const phone: Call = (path, options = {}) =>
      world.call(path, { ...options, headers: { cookie: cookie.split(';')[0] ?? '' } })
    world.forward(60_000)
    const [here, other] = [world.signIn(danny), world.signIn(world.addUser())]
    const rows = await list(here)
    expect(rows.map(({ device, isCurrent }: { device: string; isCurrent: boolean }) => [device, isCurrent])).toEqual([
      [null, true],
      ['Chrome on Android', false],
    ])
    expect(Object.keys(rows[0]).sort()).toEqual([
      'createdAt',
      'device',
      'expiresAt',
      'id',
      'isCurrent',
      'kind',
      'lastSeenAt',
      'name',
    ])
    expect((await revoke(other, { id: rows[1].id })).status).toBe(404)
    expect(await (await revoke(here, { id: rows[1].id })).json()).toEqual({ revoked: 1 })
    expect([await stateOf(phone), await stateOf(here), await stateOf(other)]).toEqual(['told to wipe', 'in', 'in'])
  })

  test('V7.5.2 all the others are logged out together, listed by last use; this one stays', async () => {
    const signIn = () => {
      world.forward(60_000)
      return world.signIn(danny)
    }
    const [here, first, second, third] = [signIn(), signIn(), signIn(), signIn()]
    world.forward(2 * 60 * 60_000)
    expect([await stateOf(second), await stateOf(here)]).toEqual(['in', 'in'])
    const seen = (await list(here)).map(
      ({ lastSeenAt, createdAt }: { lastSeenAt: string | null; createdAt: string }) => lastSeenAt ?? createdAt,
    )
    expect(seen).toHaveLength(4)
    expect(seen).toEqual(seen.toSorted().reverse())
    expect(await (await revoke(here, { others: true })).json()).toEqual({ revoked: 3 })
    expect([await stateOf(here), await Promise.all([first, second, third].map(stateOf))]).toEqual([
      'in',
      ['told to wipe', 'told to wipe', 'told to wipe'],
    ])
  })
})

describe('every other login ends', () => {
  test('and what one of them has under way changes nothing any more', { tags: ['full'] }, async () => {
    const [thief, here] = [world.signIn(danny), world.signIn(danny)]
    const changing = thief('/api/auth/change-password', { body: { currentPassword: password, newPassword } })
    expect(await (await revoke(here, { others: true })).json()).toEqual({ revoked: 1 })
    expect((await changing).status).toBe(401)
    expect((await logIn(world.call, danny)).status).toBe(200)
  })

  test('V6.2.2 V6.2.3 V7.4.3 with the next request after the password was changed, and a wrong current one changes nothing', async () => {
    const [here, van] = [world.signIn(danny), world.signIn(danny)]
    const change = (currentPassword: string) =>
      here('/api/auth/change-password', { body: { currentPassword, newPassword } })
    const refused = await change('not-my-password')
    expect([refused.status, (await refused.json()).error.fields]).toMatchObject([
      422,
      { currentPassword: expect.any(String) },
    ])
    expect(await stateOf(van)).toBe('in')
    expect((await change(password)).status).toBe(200)
    expect([await stateOf(here), await stateOf(van)]).toEqual(['in', 'told to wipe'])
    expect((await logIn(world.call, { email: danny.email, password: newPassword })).status).toBe(200)
    expect((await logIn(world.call, danny)).status).toBe(401)
    expect(countRows(world, 'mail_outbox', `cause like 'password-set:%'`)).toBe(1)
  })

  test('V7.4.2 all of them when an owner revokes the access; they may log in again and see why', async () => {
    const member = world.addMember()
    const [phone, owner] = [world.signIn(member), world.signIn(world.addOwner())]
    const path = `/api/admin/members/${member.id}/revoke-access`
    expect((await owner(path, { method: 'PATCH', body: { isMember: false } })).status).toBe(200)
    expect(await stateOf(phone)).toBe('told to wipe')
    expect(await stateOf(world.signIn(member))).toBe('in')
  })

  test('V7.4.2 all of them when the account is removed', async () => {
    const [phone, owner] = [world.signIn(danny), world.signIn(world.addOwner())]
    expect((await owner(`/api/admin/members/${danny.id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await stateOf(phone)).toBe('told to wipe')
  })

  test('V7.4.3 V7.4.2 each of these devices is told which of them it was', async () => {
    const said = async (call: Call) => (await (await call('/api/auth/user')).json()).error.message
    const [here, lost] = [world.signIn(danny), world.signIn(danny)]
    await revoke(here, { others: true })
    const elsewhere = 'We’ve logged you out, or you did on another device. Log in to get back to where you were.'
    expect(await said(lost)).toBe(elsewhere)
    const van = world.signIn(danny)
    await here('/api/auth/change-password', { body: { currentPassword: password, newPassword } })
    const changed = 'Your password was changed, so we’ve logged out your other devices. Log in with the new one.'
    expect(await said(van)).toBe(changed)
    const owner = world.signIn(world.addOwner())
    expect((await owner(`/api/admin/members/${danny.id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await said(here)).toBe('This account has been deleted, along with everything kept on this device.')
    expect([await said(lost), await said(van)]).toEqual([elsewhere, changed])
  })

  test('V7 nobody learns from an invented cookie whether a login was ended', async () => {
    const headers = { cookie: 'alliance_session=made-up' }
    expect(await stateOf((path, options) => world.call(path, { ...options, headers }))).toBe('out')
  })
})
