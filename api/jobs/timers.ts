import type { Context } from '#api/context.ts'
import { type Job, jobs } from './jobs.ts'
import { runUnderLease } from './run.ts'

const longestTickMs = 60_000

/** Runs every job when its time comes; no job overlaps itself. `stop` lets what is running finish. */
export function startJobs(ctx: Context, list: readonly Job[] = jobs): { stop(): Promise<void> } {
  const started = list.map((job) => startJob(ctx, job))
  return {
    async stop() {
      await Promise.all(started.map((job) => job.stop()))
    },
  }
}

/**
 * Looks often whether the job is due by its last run, which is in the database: a restart neither repeats a nightly
 * job nor puts it off, and several servers run it once between them.
 */
function startJob(ctx: Context, job: Job): { stop(): Promise<void> } {
  const tickMs = Math.min(job.everyMs, longestTickMs)
  let running: Promise<void> | null = null
  let isWanted = false
  let isStopped = false

  const start = (lastRunBefore?: string) => {
    running = runAndLog(ctx, job, lastRunBefore).finally(() => {
      running = null
      if (isWanted) wake()
    })
  }
  const tick = () => {
    if (!isStopped && running === null) start(dueBefore(ctx, job.everyMs - tickMs / 2))
  }
  const wake = () => {
    isWanted = running !== null && !isStopped
    if (!isStopped && running === null) start()
  }

  const timer = setInterval(tick, tickMs)
  const stopWaking = job.wokenBy?.(ctx, wake)
  setImmediate(tick)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      stopWaking?.()
      await running
    },
  }
}

const dueBefore = (ctx: Context, ms: number) => new Date(ctx.now().getTime() - ms).toISOString()

/** A failed run stops no timer: it is logged, and tried again at the next tick. */
async function runAndLog(ctx: Context, job: Job, lastRunBefore: string | undefined): Promise<void> {
  try {
    await runUnderLease(ctx, job, { lastRunBefore })
  } catch (error) {
    ctx.log.error('job failed', { job: job.name, reason: error instanceof Error ? error.message : String(error) })
  }
}
