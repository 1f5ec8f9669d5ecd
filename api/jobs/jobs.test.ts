import { afterEach, describe, expect, test, vi } from 'vitest'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { listMailbox } from '#api/features/mail/mailbox-service.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { listJobs, runJob } from '#api/features/operations/jobs/service.ts'
import type { Job } from '#api/jobs/job.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { runUnderLease } from './run.ts'
import { startJobs } from './timers.ts'

const minute = 60_000
const day = 24 * 60 * minute

afterEach(() => {
  vi.useRealTimers()
})

function slowJob(name = 'slow') {
  const seen = { runs: 0, atOnce: 0, most: 0 }
  let gate = Promise.withResolvers<void>()
  let started = Promise.withResolvers<void>()
  const job: Job = {
    name,
    everyMs: minute,
    async run() {
      seen.runs += 1
      seen.atOnce += 1
      seen.most = Math.max(seen.most, seen.atOnce)
      started.resolve()
      started = Promise.withResolvers()
      await gate.promise
      seen.atOnce -= 1
      return { runs: seen.runs }
    },
  }
  const finish = () => {
    gate.resolve()
    gate = Promise.withResolvers()
  }
  return { job, seen, finish, nextStart: () => started.promise }
}

const leaseRow = (world: World, name: string) =>
  world.ctx.sqlite
    .prepare<[string], { holder: string; lastRunAt: string | null; lastReport: string | null }>(
      'select holder, lastRunAt, lastReport from job_leases where name = ?',
    )
    .get(name)

const letter = { to: 'sam@example.com', userId: null, subject: 'Tea?', text: 'Kettle is on.', html: '<p>Kettle</p>' }

describe('one run', () => {
  test('five runners at once run a job once', async () => {
    const world = startWorld()
    const { job, seen, finish } = slowJob()
    const runs = [1, 2, 3, 4, 5].map(() => runUnderLease(world.ctx, job))
    finish()
    const outcomes = await Promise.all(runs)
    expect(seen.runs).toBe(1)
    expect(outcomes.filter(({ skipped }) => skipped)).toHaveLength(4)
    expect(leaseRow(world, 'slow')).toMatchObject({
      lastRunAt: world.ctx.now().toISOString(),
      lastReport: '{"runs":1}',
    })
  })

  test('may follow another at once', async () => {
    const { ctx } = startWorld()
    expect(await runJob(ctx, 'clean-up')).toMatchObject({ skipped: false })
    expect(await runJob(ctx, 'clean-up')).toMatchObject({ skipped: false })
  })

  test('that was killed is repeated after its lease expired, and writes nothing any more', async () => {
    const world = startWorld()
    const killed = slowJob()
    const end = runUnderLease(world.ctx, killed.job)
    world.forward(minute - 1)
    expect(await runUnderLease(world.ctx, killed.job)).toEqual({ skipped: true })
    world.forward(1)
    const other = runUnderLease(world.ctx, { ...killed.job, run: () => ({ by: 'other' }) })
    expect(await other).toEqual({ skipped: false, report: { by: 'other' } })
    killed.finish()
    await end
    expect(leaseRow(world, 'slow')?.lastReport).toBe('{"by":"other"}')
  })

  test('that was cut off before the clock was set back is repeated at once, and a last run in the future is due', async () => {
    const world = startWorld()
    world.forward(day)
    await runUnderLease(world.ctx, { name: 'slow', everyMs: minute, run: () => ({}) })
    const killed = slowJob()
    const end = runUnderLease(world.ctx, killed.job)
    world.forward(-day)
    expect(listJobs(world.ctx).some(({ isRunning }) => isRunning)).toBe(false)
    const lastRunBefore = new Date(world.ctx.now().getTime() - minute).toISOString()
    const run = () => ({ by: 'other' })
    expect(await runUnderLease(world.ctx, { ...killed.job, run }, { lastRunBefore })).toMatchObject({ skipped: false })
    expect(await runUnderLease(world.ctx, { ...killed.job, run }, { lastRunBefore })).toMatchObject({ skipped: true })
    killed.finish()
    await end
    expect(leaseRow(world, 'slow')).toMatchObject({ lastRunAt: world.ctx.now().toISOString() })
  })

  test('renews its lease for as long as it lives', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const world = startWorld()
    const { job, seen, finish } = slowJob()
    const end = runUnderLease(world.ctx, job)
    for (let count = 0; count < 20; count += 1) {
      world.forward(minute / 3)
      vi.advanceTimersByTime(minute / 3)
    }
    expect(await runUnderLease(world.ctx, job)).toEqual({ skipped: true })
    finish()
    await end
    expect(seen.runs).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not take back a lease that has expired: another process that looked since may hold it to be over', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const world = startWorld()
    const { job, finish } = slowJob()
    const end = runUnderLease(world.ctx, job)
    world.forward(minute)
    vi.advanceTimersByTime(minute / 3)
    const other = runUnderLease(world.ctx, { ...job, run: () => ({ by: 'other' }) })
    expect(await other).toEqual({ skipped: false, report: { by: 'other' } })
    finish()
    await end
  })

  test('that has lost its lease and is still at work is not joined by one that is asked for by hand', async () => {
    const world = startWorld()
    const { job, finish } = slowJob('clean-up')
    const end = runUnderLease(world.ctx, job)
    world.forward(minute)
    const call = world.signIn(world.addOwner())
    const byHand = () => call('/api/admin/jobs/clean-up/run', { body: { all: false } })
    expect(await (await byHand()).json()).toMatchObject({ skipped: true })
    finish()
    await end
    expect(await (await byHand()).json()).toMatchObject({ skipped: false })
  })

  test('that fails frees the lease, reports why, and does not count as run', async () => {
    const world = startWorld()
    const broken: Job = {
      name: 'broken',
      everyMs: minute,
      run: () => {
        throw new Error('no ladder')
      },
    }
    await expect(runUnderLease(world.ctx, broken)).rejects.toThrow('no ladder')
    expect(leaseRow(world, 'broken')).toMatchObject({ lastRunAt: null, lastReport: '{"failed":"no ladder"}' })
    expect(await runUnderLease(world.ctx, { ...broken, run: () => ({}) })).toEqual({ skipped: false, report: {} })
  })

  test('of an unknown name is refused with the names that exist', async () => {
    await expect(runJob(startWorld().ctx, 'lunch')).rejects.toThrow(
      'There’s no job called "lunch". There are: mail, notices, heartbeat',
    )
  })
})

test('the list shows the last result of each job', async () => {
  const { ctx } = startWorld()
  await runJob(ctx, 'mail')
  const lastReport = { sent: 0, delayed: 0, refused: 0, failed: 0 }
  expect(listJobs(ctx).find(({ name }) => name === 'mail')).toEqual({
    name: 'mail',
    everyMs: 5000,
    isRunning: false,
    lastRunAt: ctx.now().toISOString(),
    lastReport,
  })
  expect(listJobs(ctx).find(({ name }) => name === 'clean-up')).toMatchObject({ lastRunAt: null, lastReport: null })
})

test('clean-up deletes what has expired and nothing else', async () => {
  const world = startWorld()
  const { ctx } = world
  const person = world.addUser()
  const at = (ms: number) => new Date(ctx.now().getTime() + ms).toISOString()
  startSession(ctx, person.id)
  ctx.sqlite
    .prepare(`insert into sessions (sid, sess, expire, userId, createdAt) values ('old', '{}', ?, ?, ?)`)
    .run(at(0), person.id, at(-day))
  const reset = ctx.sqlite.prepare(
    `insert into password_resets (id, email, token, expiresAt, createdAt) values (?, 'a@b.test', ?, ?, ?)`,
  )
  reset.run('old', 'old', at(-day - 1), at(-day))
  reset.run('late', 'late', at(-day), at(-day))
  const token = ctx.sqlite.prepare(
    `insert into api_tokens (id, userId, name, tokenHash, expiresAt, createdAt) values (?, ?, 'van', ?, ?, ?)`,
  )
  token.run('old', person.id, 'old', at(-1), at(-day))
  token.run('good', person.id, 'good', at(1), at(-day))
  ctx.sqlite.prepare(`insert into limit_hits (bucket, at) values ('a', ?), ('a', ?)`).run(at(-day - 1), at(0))
  const counts = ctx.sqlite.prepare(`insert into daily_counts (kind, day, "key", count) values ('login', ?, '', 3)`)
  for (const day of ['2024-05-11', '2024-05-12']) counts.run(day)
  const report = {
    dailyCounts: 1,
    limitHits: 1,
    idempotencyAnswers: 0,
    unsentMails: 0,
    finalMails: 0,
    authEntries: 0,
    commitmentChanges: 0,
    lostQuestionFiles: 0,
    notices: 0,
    callHolds: 0,
    progressChanges: 0,
    endedLogins: 0,
    uploads: 0,
    imports: 0,
    sessions: 1,
    passwordResets: 1,
    apiTokens: 1,
    searchTexts: 0,
    signInCodes: 0,
    usedChallenges: 0,
  }
  expect(await runJob(ctx, 'clean-up')).toEqual({ skipped: false, report })
  expect(ctx.sqlite.prepare('select count(*) as left from sessions').get()).toEqual({ left: 1 })
  expect(ctx.sqlite.prepare('select day from daily_counts').pluck().all()).toEqual(['2024-05-12'])
})

describe('the timers', () => {
  test('never overlap, and wait for what is running on stop', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const world = startWorld()
    const { job, seen, finish, nextStart } = slowJob()
    const first = nextStart()
    const timers = startJobs(world.ctx, [job])
    await first
    world.forward(3 * minute)
    vi.advanceTimersByTime(3 * minute)
    let hasStopped = false
    const stopped = timers.stop().then(() => {
      hasStopped = true
    })
    await turns(3)
    expect(hasStopped).toBe(false)
    finish()
    await stopped
    world.forward(day)
    vi.advanceTimersByTime(day)
    expect(seen).toEqual({ runs: 1, atOnce: 0, most: 1 })
    expect(leaseRow(world, 'slow')?.lastReport).toBe('{"runs":1}')
  })

  test('of several servers run a job once between them, and leave a job that is not due', {
    tags: ['full'],
  }, async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const world = startWorld()
    const { job, seen, finish, nextStart } = slowJob()
    const first = nextStart()
    const servers = [startJobs(world.ctx, [job]), startJobs(world.ctx, [job]), startJobs(world.ctx, [job])]
    await first
    finish()
    await Promise.all(servers.map((server) => server.stop()))
    const restarted = startJobs(world.ctx, [job])
    vi.advanceTimersByTime(minute)
    await restarted.stop()
    expect(seen.runs).toBe(1)
    const later = nextStart()
    world.forward(minute)
    const again = startJobs(world.ctx, [job])
    await later
    finish()
    await again.stop()
    expect(seen.runs).toBe(2)
  })

  test('continue after a failed run, and log it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const world = startWorld()
    const { promise: secondRun, resolve } = Promise.withResolvers<void>()
    let runs = 0
    const run = () => {
      runs += 1
      if (runs === 2) resolve()
      throw new Error('no ladder')
    }
    const firstRun = new Promise<void>((done) => setImmediate(() => setImmediate(done)))
    const timers = startJobs(world.ctx, [{ name: 'broken', everyMs: day, run }])
    await firstRun
    vi.advanceTimersByTime(minute)
    await secondRun
    await timers.stop()
    expect(world.logged.filter((line) => line.includes('no ladder'))).toHaveLength(2)
  })

  test('send mail as soon as it is queued', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const world = startWorld()
    const timers = startJobs(world.ctx, jobs)
    await turns(3)
    queueMail({ ...world.ctx }, { ...letter, cause: 'tea:1' })
    queueMail(world.ctx, { ...letter, cause: 'tea:2' })
    await turns(3)
    await timers.stop()
    expect(listMailbox(world.ctx)).toHaveLength(2)
  })
})

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
