// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellMember } from '#api/features/notices/notice-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import type { Job } from '#api/jobs/job.ts'
import { runUnderLease } from '#api/jobs/run.ts'
import { beginFile, showImport } from '#api/testing/imports.ts'
import { cookieFrom, sam } from '#api/testing/joining.ts'
import { addWithPassword, logIn, password } from '#api/testing/passwords.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { startPushService } from '#api/testing/push.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { waitingToWrite } from './busy.ts'
import { databaseFile } from './data-dir.ts'
import { type Sqlite, transact } from './open.ts'

let folder = ''
let world: World
/** Another program's connection, such as the sqlite3 shell's. */
let shell: Sqlite
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-busy-'))
  world = startWorld({ file: databaseFile(folder) })
  shell = new Database(databaseFile(folder))
})
afterEach(() => {
  vi.useRealTimers()
  shell.close()
  world.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})

const takeLock = () => void shell.exec('begin immediate')
const enquiry = { name: 'Sam', email: 'sam@example.com', message: 'Is there tea?' }
const send = () => world.call('/api/contact', { body: enquiry })
const count = (table: string) => shell.prepare(`select count(*) from ${table}`).pluck().get()
function signInTwo() {
  const joining = world.addMember({ subscription: { status: 'incomplete' } })
  return { leaving: world.signIn(world.addUser()), paying: world.signIn(joining) }
}
const stopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

test('while another program writes, reads go on and a write waits beside them until it can be stored', async () => {
  const danny = world.addMember()
  world.addVideos()
  const call = world.signIn(danny)
  await runJob(world.ctx, 'heartbeat')
  // After an hour, a read also records the visit.
  world.forward(2 * 3_600_000)
  const reads = [
    '/api/health',
    '/api/membership-tiers',
    '/api/auth/user',
    '/api/member-videos',
    '/api/billing/subscription',
  ]
  const noTicks = { deviceId: world.ctx.newId(), changes: [] }
  const timeReads = async () => {
    const since = performance.now()
    for (const path of reads) expect([path, (await call(path)).status]).toEqual([path, 200])
    expect((await call('/api/video-progress/sync', { body: noTicks })).status).toBe(200)
    return performance.now() - since
  }
  // Compare with reads without the lock, on the same machine at the same time: one read that waited would take seconds longer.
  const unlocked = await timeReads()
  world.forward(2 * 3_600_000)
  takeLock()
  const writing = send()
  expect(await timeReads()).toBeLessThan(2_000 + 3 * unlocked)
  expect(count('contacts')).toBe(0)
  shell.exec('rollback')
  expect((await writing).status).toBe(200)
  expect(count('contacts')).toBe(1)
})

test('the first that waits for the lock holds up nobody, not even for the moment that a statement may wait', async () => {
  // If a statement waited for the lock, the test would time out.
  world.ctx.sqlite.pragma('busy_timeout = 600000')
  takeLock()
  const letGo = setTimeout(() => shell.exec('rollback'), 0)
  expect((await send()).status).toBe(200)
  clearTimeout(letGo)
  expect(count('contacts')).toBe(1)
})

test('a read that writes waits beside them too: a logout by its link, and the billing page of a first payment', async () => {
  const { leaving, paying } = signInTwo()
  takeLock()
  const waiting = Promise.all([leaving('/api/logout'), paying('/api/billing/subscription')])
  expect((await world.call('/api/membership-tiers')).status).toBe(200)
  shell.exec('rollback')
  const [logout, billing] = await waiting
  expect([logout.status, billing.status, (await billing.json()).status]).toEqual([303, 200, 'incomplete'])
  expect([(await leaving('/api/auth/user')).status, count('limit_hits')]).toEqual([401, 1])
})

test('where the wait is too long, the logout by its link is refused and the billing page shows our rows', async () => {
  const { leaving, paying } = signInTwo()
  takeLock()
  stopTime()
  const waiting = Promise.all([leaving('/api/logout'), paying('/api/billing/subscription')])
  await vi.advanceTimersByTimeAsync(5_000)
  const [logout, billing] = await waiting
  expect(await readError(logout)).toMatchObject({ status: 503, code: 'busy' })
  expect([billing.status, (await billing.json()).status]).toEqual([200, 'incomplete'])
  shell.exec('rollback')
  await vi.advanceTimersByTimeAsync(100)
  expect((await leaving('/api/auth/user')).status).toBe(200)
})

test('a write that could not begin for some seconds is refused with a time to try again, and nothing of it is stored', async () => {
  takeLock()
  stopTime()
  const writing = Promise.all([send(), send()])
  await vi.advanceTimersByTimeAsync(5_000)
  for (const response of await writing) {
    expect(await readError(response)).toMatchObject({ status: 503, code: 'busy' })
    expect(response.headers.get('retry-after')).toBe('5')
  }
  shell.exec('rollback')
  await vi.advanceTimersByTimeAsync(100)
  expect(count('contacts')).toBe(0)
  expect((await send()).status).toBe(200)
  expect(vi.getTimerCount()).toBe(0)
})

test('a request that finds the lock taken after it has begun is refused in the same way', async () => {
  const danny = addWithPassword(world, { passwordHash: await Bun.password.hash(password) })
  const response = logIn(world.call, danny)
  // The attempt is counted before the password is hashed.
  while (count('limit_hits') === 0) await new Promise(setImmediate)
  takeLock()
  expect(await readError(await response)).toMatchObject({ status: 503, code: 'busy' })
  expect((await response).headers.get('retry-after')).toBe('5')
  shell.exec('rollback')
  expect(count('sessions')).toBe(0)
})

test('who joins has their account’s login, although the lock was taken after the account was made', async () => {
  const payments = await startPaymentWorld({ file: databaseFile(folder) })
  try {
    await payments.control('faults', { kind: 'delay', method: 'POST', ms: 100 })
    const join = (headers = {}) => payments.call('/api/create-subscription', { body: sam, headers })
    const refused = join()
    while (count('users') === 0) await new Promise(setImmediate)
    takeLock()
    expect(await readError(await refused)).toMatchObject({ status: 503, code: 'busy' })
    shell.exec('rollback')
    expect((await join({ cookie: cookieFrom(await refused) })).status).toBe(200)
  } finally {
    await payments.stop()
    payments.ctx.sqlite.close()
  }
})

test('a job waits for the lock too', async () => {
  takeLock()
  stopTime()
  const running = runJob(world.ctx, 'heartbeat')
  await vi.advanceTimersByTimeAsync(20_000)
  shell.exec('rollback')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await running).toMatchObject({ skipped: false })
})

/** A plan that has begun to read its file when the lock is taken. It ends, or waits for the lock. */
async function lockPlan() {
  const owner = world.signIn(world.addOwner())
  const file = { kind: 'members', name: 'members.csv', content: 'email\nann@example.com\nbob@example.com' } as const
  const { id } = await beginFile(owner, file)
  let hasEnded = false
  const planning = runJob(world.ctx, 'imports').finally(() => {
    hasEnded = true
  })
  planning.catch(() => undefined)
  while (shell.prepare('select begun from imports').pluck().get() === 0) await new Promise(setImmediate)
  takeLock()
  while (!hasEnded && waitingToWrite(world.ctx.sqlite) === 0) await new Promise(setImmediate)
  return { planning, show: () => showImport(owner, id) }
}
const planned = { state: 'planned', problem: null, rows: 2 }

test('so does a plan of an import that’s under way', async () => {
  const { planning, show } = await lockPlan()
  shell.exec('rollback')
  await planning
  expect(await show()).toMatchObject(planned)
})

test('where a plan waits too long it’s made later, and nothing is said against its file', async () => {
  stopTime()
  const { planning, show } = await lockPlan()
  await vi.advanceTimersByTimeAsync(51_000)
  expect(await show()).toMatchObject({ state: 'planning', problem: null })
  shell.exec('rollback')
  await vi.advanceTimersByTimeAsync(100)
  await expect(planning).rejects.toThrow('We couldn’t save that')
  await runJob(world.ctx, 'imports')
  expect(await show()).toMatchObject(planned)
})

test('pushes that were taken while the lock was held go out once, and their run ends after all of them', async () => {
  const push = startPushService((port) =>
    startWorld({ file: databaseFile(folder), env: { PORT: String(port), PUBLIC_URL: 'https://alliance.example' } }),
  )
  const { ctx } = push.world
  try {
    const phones = await Promise.all(['ann', 'bob', 'cat'].map((name) => tellByPush(push, `${name}@example.com`)))
    const taken = async () => (await Promise.all(phones.map((id) => push.received(id)))).map(({ length }) => length)
    const running = runJob(ctx, 'notices').catch(String)
    await push.asked
    takeLock()
    stopTime()
    while (waitingToWrite(ctx.sqlite) < phones.length) await new Promise(setImmediate)
    // Longer than a request waits.
    await vi.advanceTimersByTimeAsync(5_000)
    shell.exec('rollback')
    await vi.advanceTimersByTimeAsync(100)
    expect(await running).toMatchObject({ skipped: false, report: { sent: 3 } })
    push.world.forward(60_000)
    await runJob(ctx, 'notices')
    expect(await taken()).toEqual([1, 1, 1])
  } finally {
    await push.stop()
    ctx.sqlite.close()
  }
})

/** Returns the phone of a new member who's to be told of an answer. */
async function tellByPush(push: ReturnType<typeof startPushService>, email: string): Promise<string> {
  const { id: userId, ...member } = push.world.addMember({ email })
  const as = push.world.signIn({ id: userId, ...member })
  const { id } = await push.subscribe(as)
  await as('/api/members/notices/choices', { method: 'PUT', body: { kind: 'answer', byPush: true } })
  const told = { cause: `answer:${userId}`, userId, kind: 'answer', path: '/members/questions/1', mail: null } as const
  transact(push.world.ctx, () => tellMember(push.world.ctx, told))
  return id
}

test('a run whose end could not be stored for the lock lets go of its lease, says why, and is repeated after the lock', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  world.ctx.sqlite.pragma('busy_timeout = 0')
  const ends = { returns: () => ({ done: 1 }), throws: () => Promise.reject(new Error('no ladder')) }
  const said = { returns: 'We couldn’t save that', throws: 'no ladder' }
  for (const way of ['returns', 'throws'] as const) {
    const job: Job = {
      name: way,
      everyMs: 60_000,
      run: () => {
        takeLock()
        return ends[way]()
      },
    }
    const failure = runUnderLease(world.ctx, job).catch(String)
    await pass(100_600)
    shell.exec('rollback')
    await pass(60_000)
    expect(vi.getTimerCount()).toBe(0)
    expect(await failure).toContain(said[way])
    expect(await runUnderLease(world.ctx, { ...job, run: () => ({ done: 2 }) })).toMatchObject({ skipped: false })
  }
})

/** Advances timers and the clock, in steps small enough for leases to be renewed. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    world.forward(Math.min(left, 10_000))
    await vi.advanceTimersByTimeAsync(Math.min(left, 10_000))
  }
}
