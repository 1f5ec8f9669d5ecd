// @module-tag full
import { beforeEach, describe, expect, test } from 'vitest'
import { addWithPassword, asHeader, behindProxy, cookiesOf, logIn } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { runningAtOnce, waitingAtMost } from './hash-queue-service.ts'
import { issueLink } from './link-service.ts'

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld({ env: behindProxy })
  danny = addWithPassword(world, { email: 'danny@example.com', ...paid })
})

const paid = { membershipStartDate: '2026-01-05T09:00:00.000Z' }

const wrong = ({ email }: { email: string }, address: string, cookie = '') =>
  logIn(world.call, { email, password: 'wrong-password' }, { address, cookie })
const right = ({ email }: { email: string }, address: string, cookie = '') =>
  logIn(world.call, { email }, { address, cookie })
const deviceOf = async (person: TestPerson) => asHeader(cookiesOf(await right(person, '10.3.0.1'))).split('; ')[1] ?? ''

const newPassword = 'a-van-that-starts-42'
const times = process.env.FULL ? 200 : 60
/** Slow enough to check that requests queue. A real hash takes eight times as long. */
const slowHash = Bun.password.hashSync('tape-and-level-42', {
  algorithm: 'argon2id',
  memoryCost: 8_192,
  timeCost: 2,
})

/** Sends them all together, each for a different account. Counts responses so far. */
function flood(addressOf: (index: number) => string, count = times) {
  const people = Array.from({ length: count }, () => addWithPassword(world, { passwordHash: slowHash }))
  const seen = { checked: 0 }
  const responses = people.map(async (person, index) => {
    const response = await wrong(person, addressOf(index))
    if (response.status === 401) seen.checked += 1
    return response
  })
  return { seen, responses: Promise.all(responses) }
}

describe('a flood of wrong passwords', () => {
  test('from one address has ten of them checked; the others get a Retry-After, and are not counted', async () => {
    const responses = await flood(() => '10.0.0.1').responses
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    // First the queue is full, until the ten have been counted. Then the limit applies.
    for (const { status, headers } of responses.filter((response) => response.status !== 401))
      expect([[429, 503].includes(status), Number(headers.get('retry-after')) > 0]).toEqual([true, true])
    expect((await right(danny, '10.0.0.1')).status).toBe(200)
  })

  test('from one address lets somebody else in after those that are running, one a core and four at most', async () => {
    const { seen, responses } = flood(() => '10.0.0.1')
    const response = await right(danny, '10.0.0.2')
    expect(response.status).toBe(200)
    expect(seen.checked).toBeLessThanOrEqual(runningAtOnce + 1)
    expect(runningAtOnce).toBeLessThanOrEqual(4)
    await responses
  })

  test('from twenty addresses, ten from each, lets somebody else in just so', async () => {
    const { seen, responses } = flood((index) => `10.1.0.${index % 20}`, 200)
    expect((await right(danny, '10.0.0.2')).status).toBe(200)
    expect(seen.checked).toBeLessThanOrEqual(runningAtOnce + 1)
    await responses
  })

  test('of right passwords on a known device lets somebody else in just so', async () => {
    const other = addWithPassword(world, { passwordHash: slowHash, ...paid })
    const device = await deviceOf(other)
    const seen = { checked: 0 }
    const state = { isOver: false }
    const again = async () => {
      while (!state.isOver) {
        expect((await right(other, '10.3.0.1', device)).status).toBe(200)
        seen.checked += 1
      }
    }
    const logins = Array.from({ length: 10 }, again)
    const response = await right(danny, '10.0.0.2')
    state.isOver = true
    expect([response.status, seen.checked <= 2 * runningAtOnce]).toEqual([200, true])
    await Promise.all(logins)
  })

  test('from everywhere lets a known device in before all that wait', async () => {
    const device = await deviceOf(danny)
    const { seen, responses } = flood((index) => `10.1.0.${index}`)
    expect((await right(danny, '10.0.0.2', device)).status).toBe(200)
    expect(seen.checked).toBeLessThanOrEqual(runningAtOnce + 1)
    const statuses = (await responses).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(runningAtOnce + waitingAtMost)
    expect(statuses.filter((status) => status === 503)).toHaveLength(times - runningAtOnce - waitingAtMost)
  })

  test('from everywhere lets the newest in, whoever they are', async () => {
    const { seen, responses } = flood((index) => `10.1.0.${index}`)
    expect((await right(danny, '10.0.0.2')).status).toBe(200)
    expect(seen.checked).toBeLessThanOrEqual(runningAtOnce + 1)
    await responses
  })

  test('does not count what it kept out: who was refused twice is let in as who comes for the first time', async () => {
    const floods = [flood((index) => `10.1.0.${index}`, 2)]
    const refused = [2, 3].map((network) => {
      const response = right(danny, '10.0.0.2')
      floods.push(flood((index) => `10.1.${network}.${index}`, waitingAtMost + 2))
      return response
    })
    expect((await right(danny, '10.0.0.2')).status).toBe(200)
    for (const { status } of await Promise.all(refused)) expect(status).toBe(503)
    const checked = floods.reduce((sum, { seen }) => sum + seen.checked, 0)
    expect(checked).toBeLessThanOrEqual(runningAtOnce + 1)
    await Promise.all(floods.map(({ responses }) => responses))
  })

  test('from the networks of one customer counts as one caller’s', async () => {
    const addressOf = (index: number) => `2001:db8:1:${index.toString(16)}::1`
    const before = flood(addressOf)
    const response = right(danny, '10.0.0.2')
    const after = flood((index) => addressOf(index + times))
    expect((await response).status).toBe(200)
    expect(before.seen.checked + after.seen.checked).toBeLessThanOrEqual(runningAtOnce + 1)
    await Promise.all([before.responses, after.responses])
  })
})

test('setting, changing and proving a password waits with the known devices of the account, and so does the terminal’s log-in there', async () => {
  const [anna, ben, cara, dan] = [
    world.addUser(paid),
    ...Array.from({ length: 3 }, () => addWithPassword(world, { passwordHash: slowHash, ...paid })),
  ]
  if (!ben || !cara || !dan) throw new Error('Nobody to log in.')
  const link = issueLink(world.ctx, cara.email, 'password')
  const device = await deviceOf(danny)
  world.forward(60_000)
  const before = flood((index) => `10.1.0.${index}`, waitingAtMost)
  const from = { 'x-forwarded-for': '10.0.0.2' }
  const signedIn = (person: TestPerson) => ({ ...from, cookie: world.signIn(person).cookie })
  const asked = [
    world.call('/api/auth/set-password', { body: { newPassword }, headers: signedIn(anna) }),
    world.call('/api/auth/proof', { body: { password: 'tape-and-level-42' }, headers: signedIn(ben) }),
    world.call('/api/auth/reset-password', { body: { token: link.token, newPassword }, headers: from }),
    world.call('/api/auth/change-password', {
      body: { currentPassword: 'tape-and-level-42', newPassword },
      headers: signedIn(dan),
    }),
    world.call('/api/auth/token', {
      body: { email: danny.email, password: 'tape-and-level-42' },
      headers: { ...from, cookie: device },
    }),
  ]
  const after = flood((index) => `10.1.1.${index}`, waitingAtMost)
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await Promise.all([before.responses, after.responses])
})

describe('a flood of right passwords on known devices', () => {
  /** Devices known to an account whose password is slow to check from then on. */
  async function addWithDevices(count: number) {
    const person = addWithPassword(world, paid)
    const devices: string[] = []
    for (let index = 0; index < count; index += 1) devices.push(await deviceOf(person))
    world.ctx.sqlite.prepare('update users set passwordHash = ? where id = ?').run(slowHash, person.id)
    return { person, devices }
  }

  test('of one account counts as one caller’s, however many devices it has', async () => {
    const { person, devices } = await addWithDevices(10)
    const seen = { checked: 0 }
    const responses = [...devices, ...devices, ...devices, ...devices].map(async (device) => {
      const { status } = await right(person, '10.3.0.1', device)
      if (status === 200) seen.checked += 1
      return status
    })
    expect((await right(danny, '10.0.0.2')).status).toBe(200)
    expect(seen.checked).toBeLessThanOrEqual(runningAtOnce + 1)
    expect((await Promise.all(responses)).filter((status) => status === 200)).toHaveLength(10)
  })

  test('of many accounts leaves strangers every third turn, and who has asked least on their own device goes first', async () => {
    const own = await deviceOf(danny)
    const priya = addWithPassword(world)
    const accounts = await Promise.all(Array.from({ length: 7 }, () => addWithDevices(1)))
    world.forward(60_000)
    const seen = { checked: 0 }
    const tries = accounts.flatMap(({ person, devices }) =>
      Array.from({ length: 8 }, async () => {
        if ((await right(person, '10.3.0.1', devices[0])).status === 200) seen.checked += 1
      }),
    )
    const strangers = right(priya, '10.0.0.2').then(({ status }) => [status, seen.checked <= runningAtOnce + 3])
    const known = right(danny, '10.0.0.2', own).then(({ status }) => [status, seen.checked <= runningAtOnce + 2])
    expect([await strangers, await known]).toEqual([
      [200, true],
      [200, true],
    ])
    await Promise.all(tries)
  })
})

describe('a flood by people who are logged in', () => {
  function floodLoggedIn(people: readonly TestPerson[], addressOf: (index: number) => string) {
    const seen = { checked: 0 }
    const responses = people.map(async (person, index) => {
      const { status } = await wrong(person, addressOf(index), world.signIn(person).cookie)
      if (status === 401) seen.checked += 1
      return status
    })
    return { seen, responses: Promise.all(responses) }
  }
  const add = (count: number, more: object = {}) =>
    Array.from({ length: count }, () => addWithPassword(world, { passwordHash: slowHash, ...more }))
  const loginOf = (person: TestPerson, index: number) =>
    right(person, `10.4.0.${index}`, world.signIn(person).cookie).then(({ status }) => status)
  const proofOf = (person: TestPerson) =>
    world
      .signIn(person)('/api/auth/proof', { body: { password: 'tape-and-level-42' } })
      .then(({ status }) => status)

  test('to accounts that cost nothing counts as one stranger’s by its network, and keeps nobody out', async () => {
    const addressOf = (index: number) => `2001:db8:77:${index.toString(16)}::1`
    const before = floodLoggedIn(add(times), addressOf)
    const owner = addWithPassword(world, { isAdmin: true })
    const guest = addWithPassword(world, { accessOverride: 'granted' })
    const headers = { 'x-forwarded-for': '10.0.0.2', cookie: world.signIn(world.addUser()).cookie }
    const known = [...[owner, danny, guest].map(loginOf), proofOf(owner)]
    const buyer = world.call('/api/auth/set-password', { body: { newPassword }, headers })
    const after = floodLoggedIn(add(times), (index) => addressOf(index + times))
    expect(await Promise.all(known)).toEqual([200, 200, 200, 200])
    expect(before.seen.checked + after.seen.checked).toBeLessThanOrEqual(runningAtOnce + 2)
    expect((await buyer).status).toBe(200)
    const statuses = [...(await before.responses), ...(await after.responses)]
    expect(statuses.filter((status) => status !== 503)).toEqual(Array.from({ length: 10 }, () => 401))
  })

  test('past the places of one caller is refused before anything is written', async () => {
    const statuses = await floodLoggedIn(add(times), (index) => `2001:db8:77:${index.toString(16)}::1`).responses
    expect(statuses.filter((status) => status === 503)).toHaveLength(times - 10)
    const written = world.ctx.sqlite.prepare("select seq from sqlite_sequence where name = 'limit_hits'").pluck().get()
    // Four limits for each of the ten checked, plus one for the audit.
    expect(written).toBe(50)
  })

  test('to a handful of members’ accounts, 120 tries at a time, keeps out no owner and no other member', async () => {
    const handful = add(6, paid)
    const people = Array.from({ length: 10 }, () => handful).flat()
    const owner = addWithPassword(world, { isAdmin: true })
    for (let minute = 0; minute < (process.env.FULL ? 2 : 1); minute += 1) {
      world.forward(60_000)
      const before = floodLoggedIn(people, (index) => `10.3.${minute}.${index}`)
      const asked = [proofOf(owner), loginOf(owner, 1), loginOf(danny, 2)]
      const after = floodLoggedIn(people, (index) => `10.3.${minute}.${index + people.length}`)
      expect(await Promise.all(asked)).toEqual([200, 200, 200])
      expect(before.seen.checked + after.seen.checked).toBeLessThanOrEqual(runningAtOnce + 3)
      await Promise.all([before.responses, after.responses])
    }
  })

  test('to more members’ accounts than there is room for the known takes the strangers’ room, until they come', async () => {
    const places = runningAtOnce + 2 * waitingAtMost
    const { responses } = floodLoggedIn(add(places, paid), (index) => `10.3.0.${index}`)
    const stranger = right(addWithPassword(world), '10.0.0.2')
    expect((await stranger).status).toBe(200)
    const statuses = await responses
    expect(statuses.filter((status) => status === 401)).toHaveLength(places - 1)
    expect(statuses.filter((status) => status === 503)).toHaveLength(1)
  })
})
