import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { rateLimits } from '#api/serving/rate-limits.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, asHeader, behindProxy, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

const minute = 60_000
const window = 15 * minute

const asvs = readFileSync(join(projectFolder, 'docs/asvs.md'), 'utf8')
const guessing = [
  ...[
    'loginFromDevice',
    'loginFromAddress',
    'loginToAccount',
    'anyLoginFromAddress',
    'anyLoginFromNetwork',
    'factorTries',
  ],
  ...['codesFromAddress', 'codesToAccount', 'publicForm', 'publicFormFromNetwork', 'passwordSets', 'resetMails'],
  ...['knownAddresses', 'addressChecks'],
]

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld({ env: behindProxy })
  danny = addWithPassword(world, { email: 'danny@example.com' })
})

const wrong = ({ email }: { email: string }, address = '10.0.0.1', cookie = '', at = world) =>
  logIn(at.call, { email, password: 'wrong-password' }, { address, cookie })
const right = ({ email }: { email: string }, address = '10.0.0.1', cookie = '', at = world) =>
  logIn(at.call, { email }, { address, cookie })

async function guess(times: number, one: (index: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < times; index += 1) statuses.push((await one(index)).status)
  return statuses
}
const all = (times: number, status: number) => Array.from({ length: times }, () => status)

test('V6.1.1 the limits are those that docs/asvs.md names', () => {
  const known = new Map(
    Object.entries(rateLimits).map(([name, limit]) => [name, limit('danny@example.com', '10.0.0.1')] as const),
  )
  const rows = [...asvs.matchAll(/^\| `(\w+)` +\|.*\| (\d+) in (\d+) minutes +\|$/gm)]
  expect(rows.map(([, name = '']) => name)).toEqual(guessing)
  for (const [, name = '', max, minutes] of rows)
    expect([name, known.get(name)]).toEqual([
      name,
      expect.objectContaining({ max: Number(max), windowMs: Number(minutes) * minute }),
    ])
})

test('wrong passwords from all networks of an IPv6 customer count together', async () => {
  const from = (at: number) => `2001:db8:7:${at.toString(16)}::1`
  const unknown = (at: number) => wrong({ email: `nobody-${at}@example.com` }, from(at))
  expect(await guess(300, unknown)).toEqual(all(300, 401))
  expect((await unknown(301)).status).toBe(429)
  expect((await wrong({ email: 'other@example.com' }, '2001:db8:8::1')).status).toBe(401)
})

test('V6.3.1 10 wrong tries of an account from one address, then 429 even for the right password, until the clock is set back', async () => {
  expect(await guess(10, () => wrong(danny))).toEqual(all(10, 401))
  const response = await right(danny)
  expect(await readError(response)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(Number(response.headers.get('retry-after'))).toBe(900)
  expect(response.headers.getSetCookie()).toEqual([])
  world.forward(-minute)
  expect((await right(danny)).status).toBe(200)
})

test('the limit opens when the first of the ten is 15 minutes old, and Retry-After says when, never under a minute', async () => {
  await guess(5, () => wrong(danny))
  world.forward(5 * minute)
  await guess(5, () => wrong(danny))
  expect((await right(danny)).headers.get('retry-after')).toBe('600')
  world.forward(window - 5 * minute - 1000)
  expect((await right(danny)).headers.get('retry-after')).toBe('60')
  world.forward(1000)
  expect((await right(danny)).status).toBe(200)
})

test('the account is open from another address, and another account from this one', async () => {
  const priya = addWithPassword(world)
  await guess(10, () => wrong(danny))
  expect((await right(danny, '10.0.0.2')).status).toBe(200)
  expect((await right(priya)).status).toBe(200)
})

test('50 wrong tries of an account from anywhere lock it', async () => {
  expect(await guess(50, (index) => wrong(danny, `10.0.1.${index}`))).toEqual(all(50, 401))
  expect((await right(danny, '10.0.2.1')).status).toBe(429)
  expect((await right(addWithPassword(world), '10.0.2.1')).status).toBe(200)
})

test('60 wrong tries from an address lock it for every account', async () => {
  const people = Array.from({ length: 12 }, () => addWithPassword(world))
  expect(await guess(60, (index) => wrong(people[index % 12] ?? danny))).toEqual(all(60, 401))
  expect((await right(danny)).status).toBe(429)
  expect((await right(danny, '10.0.0.2')).status).toBe(200)
})

test('right passwords do not count', async () => {
  expect(await guess(15, () => right(danny))).toEqual(all(15, 200))
  await guess(9, () => wrong(danny))
  expect(await guess(3, () => right(danny))).toEqual(all(3, 200))
  expect((await wrong(danny)).status).toBe(401)
  expect((await wrong(danny)).status).toBe(429)
})

test('60 logins of an account in 15 minutes are nobody’s: then 429, on its own devices and at the terminal too', async () => {
  const device = asHeader(cookiesOf(await right(danny))).split('; ')[1] ?? ''
  expect(await guess(59, (index) => right(danny, `10.0.4.${index}`))).toEqual(all(59, 200))
  const rows = () => ['sessions', 'audit_entries', 'known_devices'].map((table) => countRows(world, table))
  const before = rows()
  const response = await right(danny, '10.0.0.1', device)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '900'])
  const body = { email: danny.email, password }
  expect((await world.call('/api/auth/token', { body })).status).toBe(429)
  expect(rows()).toEqual(before)
  expect((await right(addWithPassword(world))).status).toBe(200)
  world.forward(window)
  expect((await right(danny)).status).toBe(200)
})

test('logins that are sent all at once do not get around that limit', async () => {
  await guess(55, (index) => right(danny, `10.0.4.${index}`))
  const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => right(danny, `10.0.5.${index}`)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
})

test('an account knows the ten devices that logged in last', async () => {
  const login = async (cookie?: string) => {
    world.forward(1000)
    return asHeader(cookiesOf(await right(danny, '10.0.0.1', cookie))).split('; ')[1] ?? ''
  }
  const [phone, laptop] = [await login(), await login()]
  for (let count = 0; count < 8; count += 1) await login()
  await login(phone)
  await login()
  expect(countRows(world, 'known_devices')).toBe(10)
  await guess(10, () => wrong(danny))
  const statusOn = async (device: string) => (await right(danny, '10.0.0.1', device)).status
  expect([await statusOn(phone), await statusOn(laptop)]).toEqual([200, 429])
})

test('a refused try does not count, so that trying again does not keep it locked', async () => {
  await guess(10, () => wrong(danny))
  world.forward(window - 1)
  expect(await guess(5, () => wrong(danny))).toEqual(all(5, 429))
  world.forward(1)
  expect((await right(danny)).status).toBe(200)
})

test('V6.3.1 guesses sent all at once do not get around the limit: ten are checked', async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => wrong(danny)))
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
})

test('a known device has ten tries of its own, and no stranger’s guesses lock it', async () => {
  const device = asHeader(cookiesOf(await right(danny)))
  const deviceAlone = device.split('; ')[1] ?? ''
  await guess(10, () => wrong(danny))
  expect((await right(danny)).status).toBe(429)
  expect((await right(danny, '10.0.0.1', deviceAlone)).status).toBe(200)
  expect(await guess(10, () => wrong(danny, '10.0.0.1', deviceAlone))).toEqual(all(10, 401))
  expect((await right(danny, '10.0.0.1', deviceAlone)).status).toBe(429)
  expect((await right(danny, '10.0.0.9')).status).toBe(200)
})

test('a device is known only for the account that logged in on it', async () => {
  const priya = addWithPassword(world)
  const device = asHeader(cookiesOf(await right(danny))).split('; ')[1] ?? ''
  await guess(10, () => wrong(priya))
  expect((await right(priya, '10.0.0.1', device)).status).toBe(429)
})

test('a browser stays known after logging out', async () => {
  const cookies = cookiesOf(await right(danny))
  const response = await world.call('/api/auth/logout', { method: 'POST', headers: { cookie: asHeader(cookies) } })
  expect([...cookiesOf(response)]).toEqual([['alliance_session', '']])
})

test('a device is ours: a made-up one is replaced, ours is kept, and neither is stored in the clear', async () => {
  const planted = await right(danny, '10.0.0.1', 'alliance_device=planted')
  const given = cookiesOf(planted).get('alliance_device') ?? ''
  expect(Buffer.from(given, 'base64url')).toHaveLength(32)
  const again = await right(danny, '10.0.0.1', `alliance_device=${given}`)
  expect(cookiesOf(again).get('alliance_device')).toBe(given)
  expect(JSON.stringify(world.ctx.sqlite.prepare('select * from known_devices').all())).not.toContain(given)
})

test('a restart forgets nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-limits-'))
  const options = { env: { ...behindProxy, SESSION_SECRET: 'x'.repeat(32) }, file: join(folder, 'alliance.sqlite') }
  const before = startWorld(options)
  const priya = addWithPassword(before)
  await guess(10, () => wrong(priya, '10.0.0.1', '', before))
  before.ctx.sqlite.close()
  const after = startWorld(options)
  expect((await right(priya, '10.0.0.1', '', after)).status).toBe(429)
  after.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})

test('the terminal’s log-in counts with the others', async () => {
  const body = { email: danny.email, password: 'wrong-password' }
  const headers = { 'x-forwarded-for': '10.0.0.1' }
  await guess(10, () => world.call('/api/auth/token', { body, headers }))
  expect((await right(danny)).status).toBe(429)
})

test('the reset link stays open', async () => {
  await guess(10, () => wrong(danny))
  const response = await world.call('/api/auth/forgot-password', { body: { email: danny.email } })
  expect(response.status).toBe(200)
})

test('X-Forwarded-For counts only from a trusted proxy, and its last untrusted address is the client', async () => {
  await guess(10, () => wrong(danny, 'made-up, 10.0.0.1'))
  expect((await right(danny, 'other, 10.0.0.1, 127.0.0.1')).status).toBe(429)
  expect((await right(danny, '10.0.0.1, 10.0.0.2')).status).toBe(200)
  const direct = startWorld()
  const priya = addWithPassword(direct)
  await guess(10, (index) => wrong(priya, `10.0.0.${index}`, '', direct))
  expect((await right(priya, '10.9.9.9', '', direct)).status).toBe(429)
})
