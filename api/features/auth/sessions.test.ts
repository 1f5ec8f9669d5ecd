import { beforeEach, describe, expect, test } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { issueLink } from './link-service.ts'

const hour = 3_600_000
const day = 24 * hour

let world: World
beforeEach(() => {
  world = startWorld()
})

const isIn = async (call: Call) => (await call('/api/auth/user')).status === 200
/** Whether a login lives that is used every so often for so long. */
async function lives(call: Call, { every, until }: { every: number; until: number }): Promise<boolean> {
  for (let at = every; at <= until; at += every) {
    world.forward(every)
    if (!(await isIn(call))) return false
  }
  return true
}

describe('a login ends', () => {
  test('for a member after 30 days without a request, and after 180 in any case', async () => {
    const [used, unused] = [world.signIn(world.addMember()), world.signIn(world.addMember())]
    expect(await lives(used, { every: 29 * day, until: 174 * day })).toBe(true)
    expect(await isIn(unused)).toBe(false)
    world.forward(6 * day - 1)
    expect(await isIn(used)).toBe(true)
    world.forward(1)
    expect(await isIn(used)).toBe(false)
  })

  test('for an owner after 12 hours without a request, and after 30 days in any case', async () => {
    const [used, unused] = [world.signIn(world.addOwner()), world.signIn(world.addOwner())]
    expect(await lives(used, { every: 11 * hour, until: 715 * hour })).toBe(true)
    expect(await isIn(unused)).toBe(false)
    world.forward(5 * hour - 1)
    expect(await isIn(used)).toBe(true)
    world.forward(1)
    expect(await isIn(used)).toBe(false)
  })

  test('and its cookie lives as long as the longest login', async () => {
    const owner = addWithPassword(world, { isAdmin: true })
    for (const [person, days] of [
      [addWithPassword(world), 180],
      [owner, 30],
    ] as const) {
      const [session] = (await logIn(world.call, person)).headers.getSetCookie()
      expect(session).toContain(`Max-Age=${days * 86_400}`)
    }
  })

  test('a request that follows another within the hour writes nothing', async () => {
    const call = world.signIn(world.addMember())
    const stored = () => JSON.stringify(world.ctx.sqlite.prepare('select * from sessions').all())
    const before = stored()
    world.forward(hour - 1)
    await isIn(call)
    expect(stored()).toBe(before)
    world.forward(1)
    await isIn(call)
    expect(stored()).not.toBe(before)
  })
})

test('a reset forgets the devices that the account knew', async () => {
  const danny = addWithPassword(world)
  const device = cookiesOf(await logIn(world.call, danny)).get('alliance_device')
  expect(countRows(world, 'known_devices')).toBe(1)
  const { token } = issueLink(world.ctx, danny.email, 'password')
  const body = { token, newPassword: 'a-van-that-starts-42' }
  expect((await world.call('/api/auth/reset-password', { body })).status).toBe(200)
  expect([countRows(world, 'known_devices'), typeof device]).toEqual([0, 'string'])
  expect((await logIn(world.call, { ...danny, password })).status).toBe(401)
})
