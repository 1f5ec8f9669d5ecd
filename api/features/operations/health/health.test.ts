import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeSetting } from '#api/db/stored-settings.ts'
import { writeSchedule } from '#api/features/operations/backup/jobs.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startJobs } from '#api/jobs/timers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { readHealthHistory } from './history-service.ts'
import { recordHeartbeat } from './service.ts'

const minute = 60_000
const at = '2026-06-12T07:40:00.000Z'
const live = {
  STRIPE_SECRET_KEY: 'sk_test_real',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_real',
  STRIPE_WEBHOOK_SECRET: 'whsec_real',
}

async function health(world: World) {
  const response = await world.call('/api/health')
  return { httpStatus: response.status, ...(await response.json()) }
}

test('CALLS-8 ENT-23 STAT-1 status, time of the last check and every service, as the heartbeat recorded them', async () => {
  const world = startWorld()
  await runJob(world.ctx, 'heartbeat')
  const services = {
    database: 'connected',
    payments: 'configured',
    email: 'configured',
    jobs: 'alive',
  }
  expect(await health(world)).toEqual({ httpStatus: 200, status: 'ok', timestamp: at, services })
  world.forward(3 * minute)
  expect(await health(world)).toEqual({ httpStatus: 200, status: 'ok', timestamp: at, services })
})

/** The timers let a server that has just started respond first. */
const firstBeat = (world: World) => expect.poll(() => health(world)).toMatchObject({ services: { jobs: 'alive' } })

test('STAT-4 jobs are missing after three missed heartbeats, and alive with the next', async () => {
  const world = startWorld()
  await runJob(world.ctx, 'heartbeat')
  world.forward(3 * minute + 1)
  expect(await health(world)).toMatchObject({ status: 'error', timestamp: at, services: { jobs: 'missing' } })
  await runJob(world.ctx, 'heartbeat')
  expect(await health(world)).toMatchObject({
    status: 'ok',
    timestamp: '2026-06-12T07:43:00.001Z',
    services: { jobs: 'alive' },
  })
})

test('STAT-4 a heartbeat in the future is from before the clock was set back, and an error until the next', async () => {
  const world = startWorld()
  world.forward(24 * 60 * minute)
  await runJob(world.ctx, 'heartbeat')
  world.forward(-24 * 60 * minute)
  expect(await health(world)).toMatchObject({ status: 'error', services: { jobs: 'missing' } })
  const timers = startJobs(world.ctx, jobs)
  await firstBeat(world)
  await timers.stop()
  expect(await health(world)).toMatchObject({ status: 'ok', timestamp: at, services: { jobs: 'alive' } })
})

test('STAT-1 before the first heartbeat the services are checked and the jobs missing; the timers begin with one', async () => {
  const world = startWorld()
  expect(await health(world)).toMatchObject({
    status: 'error',
    timestamp: at,
    services: { database: 'connected', payments: 'configured', email: 'configured', jobs: 'missing' },
  })
  const timers = startJobs(world.ctx, jobs)
  await firstBeat(world)
  await timers.stop()
  expect(await health(world)).toMatchObject({ status: 'ok', services: { jobs: 'alive' } })
})

test('STAT-4 with a real provider mail needs a server of its own: none is missing, and the whole an error', async () => {
  const none = startWorld({ env: live })
  await runJob(none.ctx, 'heartbeat')
  expect(await health(none)).toMatchObject({ status: 'error', services: { email: 'missing', payments: 'configured' } })
  const one = startWorld({ env: { ...live, SMTP_URL: 'smtp://mail.example:587' } })
  await runJob(one.ctx, 'heartbeat')
  expect(await health(one)).toMatchObject({ status: 'ok', services: { email: 'configured', payments: 'configured' } })
})

async function beatOf(world: World, ms: number) {
  const beat = runJob(world.ctx, 'heartbeat')
  world.forward(ms)
  await beat
  world.forward(minute)
}

test('STAT-4 logins are slow, a warning, while three heartbeats in a row took over 5 s to hash a password', {
  tags: ['full'],
}, async () => {
  const world = startWorld()
  const logins = async () => {
    const { status, services } = await health(world)
    return [status, services.logins]
  }
  for (const ms of [6_000, 6_000, 5_000, 6_000, 5_001]) {
    await beatOf(world, ms)
    expect(await logins()).toEqual(['ok', undefined])
  }
  await beatOf(world, 70_000)
  expect(await logins()).toEqual(['ok', 'slow'])
  await beatOf(world, 100)
  expect(await logins()).toEqual(['ok', undefined])
})

test('CALLS-8 a database that fails is reported as missing', async () => {
  const world = startWorld()
  world.ctx.sqlite.close()
  expect(await health(world)).toMatchObject({
    httpStatus: 200,
    status: 'error',
    services: { database: 'missing', payments: 'configured', jobs: 'missing' },
  })
})

test('CALLS-8 a heartbeat of another version is ignored, and the services are checked again', async () => {
  const world = startWorld()
  await runJob(world.ctx, 'heartbeat')
  for (const value of ['{}', '{"payments":"asleep","email":"configured"}', '[]', 'null', 'beat']) {
    world.ctx.sqlite.prepare(`update settings set value = ? where key = 'heartbeat'`).run(value)
    expect([value, await health(world)]).toMatchObject([
      value,
      { httpStatus: 200, status: 'ok', timestamp: at, services: { payments: 'configured', jobs: 'alive' } },
    ])
  }
})

test('STAT-2 CALLS-8 a check so soon after the last writes nothing, and reveals no version, path, key or address', async () => {
  const world = startWorld({ env: { ...live, SMTP_URL: 'smtp://user:secret@mail.example:587' } })
  await runJob(world.ctx, 'heartbeat')
  const changes = () => world.ctx.sqlite.prepare('select total_changes()').pluck().get()
  const before = changes()
  const response = await world.call('/api/health')
  expect(changes()).toBe(before)
  const { timestamp, ...rest } = await response.json()
  expect(JSON.stringify(rest)).not.toMatch(/\d|[/@]|secret|real/)
})

test('the history has when nobody was answered, when backups were missing, and forgets after 90 days', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'alliance-health-')), 'a.db')
  const world = startWorld({ file })
  const history = async () => (await world.call('/api/health/history')).json()
  await runJob(world.ctx, 'heartbeat')
  expect(await history()).toEqual({ since: '2026-06-12', today: '2026-06-12', incidents: [] })
  // The clock of a server that has been up all along was set: nobody was turned away.
  world.forward(20 * minute)
  await runJob(world.ctx, 'heartbeat')
  expect((await history()).incidents).toEqual([])
  // Another process opens the same database later: a server that was down.
  const later = startWorld({ file, startsAt: new Date('2026-06-12T08:12:00.000Z') })
  writeSchedule(later.ctx, { at: '03:00', folder: 'b', keep: { days: 1, weeks: 1, months: 1 }, passphraseFile: null })
  await runJob(later.ctx, 'heartbeat')
  const down = { part: 'site', startedAt: '2026-06-12T08:00:00.000Z', endedAt: '2026-06-12T08:12:00.000Z' }
  expect(readHealthHistory(later.ctx).incidents).toEqual([down])
  writeSetting(later.ctx, 'backup_failed', { day: '2026-06-12', reason: 'No room.' })
  later.forward(minute)
  recordHeartbeat(later.ctx)
  const missing = { part: 'backups', startedAt: '2026-06-12T08:13:00.000Z', endedAt: null }
  expect(readHealthHistory(later.ctx).incidents).toEqual([missing, down])
  writeSchedule(later.ctx, null)
  later.forward(minute)
  recordHeartbeat(later.ctx)
  expect(readHealthHistory(later.ctx).incidents[0]).toEqual({ ...missing, endedAt: '2026-06-12T08:14:00.000Z' })
  later.forward(90 * 24 * 60 * minute)
  recordHeartbeat(later.ctx)
  expect(readHealthHistory(later.ctx).incidents).toEqual([])
})

test('a server with an undamaged database is ready, and says which release it is', async () => {
  const world = startWorld()
  const response = await world.call('/ready')
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await response.json()).toEqual({ ready: true, release: null })
})
