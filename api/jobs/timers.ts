import type { Context } from '#api/context.ts'
import { isDamaged, recordIfDamage } from '#api/db/damage.ts'
import { lookAgain } from '#api/db/integrity.ts'
import { recordIfUnwritable } from '#api/db/storage.ts'
import { errorMessage } from '#api/log.ts'
import { type Job, jobs } from './jobs.ts'
import { type RunBy, runUnderLease } from './run.ts'

const longestTickMs = 60_000
/** A server that has just started responds to its first requests before it looks for work. */
const firstLookMs = 200
/** What was confirmed is in danger for so long at most where nobody writes and somebody removes the database's log. */
const betweenLooksMs = 1_000

/**
 * Runs every job when it is due; no job overlaps itself. None runs on a damaged database, which takes no writes, so that it is
 * no job that looks whether it is. `stop` waits for those that are running.
 */
export function startJobs(ctx: Context, list: readonly Job[] = jobs): { stop(): Promise<void> } {
  const turns = takeTurns()
  const looking = setInterval(lookOf(ctx), betweenLooksMs)
  const started = list.map((job) => startJob(ctx, job, turns))
  return {
    async stop() {
      clearInterval(looking)
      await Promise.all(started.map((job) => job.stop()))
    },
  }
}

/** What a look throws would end the server from within a timer. It is logged once, until a look succeeds. */
function lookOf(ctx: Context): () => void {
  let isFailing = false
  return () => {
    try {
      lookAgain(ctx)
      isFailing = false
    } catch (error) {
      recordIfDamage(ctx, error)
      recordIfUnwritable(ctx, error)
      if (!isFailing) ctx.log.error('database not looked at', { reason: errorMessage(error) })
      isFailing = true
    }
  }
}

type Turns = (work: () => void) => void

/** Runs each in a turn of its own of the event loop, with requests in between. */
function takeTurns(): Turns {
  let last = Bun.sleep(firstLookMs)
  return (work) => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(work)
  }
}

/**
 * Checks often whether the job is due by its last run, which is in the database: a restart neither repeats a nightly
 * job nor delays it, and of several servers one runs it.
 */
function startJob(ctx: Context, job: Job, turns: Turns): { stop(): Promise<void> } {
  const tickMs = Math.min(job.everyMs, longestTickMs)
  let running: Promise<void> | null = null
  let runsAgain = false
  const stopping = new AbortController()

  const start = (lastRunBefore?: string) => {
    running = runAndLog(ctx, job, { lastRunBefore, stopping: stopping.signal }).finally(() => {
      running = null
      if (runsAgain) wake()
    })
  }
  const mayStart = () => !stopping.signal.aborted && running === null && !isDamaged(ctx)
  const tick = () => {
    if (mayStart()) start(dueBefore(ctx, job.everyMs - tickMs / 2))
  }
  const wake = () => {
    runsAgain = running !== null && !stopping.signal.aborted
    if (mayStart()) start()
  }

  const timer = setInterval(tick, tickMs)
  const unsubscribe = job.subscribe?.(ctx, wake)
  // What woke the job while no server ran woke nobody, so it looks once at the start.
  turns(job.subscribe === undefined ? tick : wake)
  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      unsubscribe?.()
      await running
      await logFailure(ctx, job, async () => job.finish?.(ctx))
    },
  }
}

const dueBefore = (ctx: Context, ms: number) => new Date(ctx.now().getTime() - ms).toISOString()

/** Logs a failed run instead of throwing, so that the timer tries again at the next tick. */
const runAndLog = (ctx: Context, job: Job, how: RunBy) => logFailure(ctx, job, () => runUnderLease(ctx, job, how))

async function logFailure(ctx: Context, { name }: Job, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    recordIfDamage(ctx, error)
    recordIfUnwritable(ctx, error)
    ctx.log.error('job failed', { job: name, reason: errorMessage(error) })
  }
}
