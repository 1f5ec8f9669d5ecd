import type { Context } from '#api/context.ts'
import { askIfStale, isReplaced, watchStore } from '#api/copies/replaced.ts'
import { isDamaged, recordIfDamage } from '#api/db/damage.ts'
import { lookAgain } from '#api/db/integrity.ts'
import { recordIfUnwritable } from '#api/db/storage.ts'
import { errorMessage } from '#api/log.ts'
import { withoutProviderDeadline } from '#api/stripe/deadline.ts'
import type { Job } from './job.ts'
import { type RunBy, runUnderLease } from './run.ts'

const longestTickMs = 60_000
/** Lets a new server answer its first requests before it looks for work. */
const firstLookMs = 200
/** If someone deletes the database's log while no one writes, confirmed data is at risk for this long at most. */
const betweenLooksMs = 1_000

/**
 * Runs every job when it's due, without overlap. Jobs don't run on a damaged database, since it takes no writes. That's why the
 * damage check isn't a job. They don't run once another machine has taken over either. `stop` waits for running jobs.
 */
export function startJobs(ctx: Context, list: readonly Job[]): { stop(): Promise<void> } {
  const turns = takeTurns()
  const looking = setInterval(lookOf(ctx), betweenLooksMs)
  const watching = watchStore(ctx)
  const started = list.map((job) => startJob(ctx, job, turns))
  return {
    async stop() {
      clearInterval(looking)
      watching.stop()
      await Promise.all(started.map((job) => job.stop()))
    },
  }
}

/** An error in a timer would end the server. It's logged once, until a check succeeds. */
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

function takeTurns(): Turns {
  let last = Bun.sleep(firstLookMs)
  return (work) => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(work)
  }
}

/** Checks often whether the job is due. Its last run is in the database, so restarts and other servers don't repeat it. */
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
  // Nothing could wake the job while no server ran, so it runs once at the start.
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

/** Logs a failed run instead of throwing, so the timer retries at the next tick. */
const runAndLog = (ctx: Context, job: Job, how: RunBy) =>
  logFailure(ctx, job, async () => {
    const asking = askIfStale(ctx)
    if (asking !== undefined) await asking
    // A request may have woken it, but no one waits for it as they wait for the request.
    if (!isReplaced(ctx)) await withoutProviderDeadline(() => runUnderLease(ctx, job, how))
  })

async function logFailure(ctx: Context, { name }: Job, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    recordIfDamage(ctx, error)
    recordIfUnwritable(ctx, error)
    ctx.log.error('job failed', { job: name, reason: errorMessage(error) })
  }
}
