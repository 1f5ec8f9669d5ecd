import { and, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isDamaged } from '#api/db/damage.ts'
import { jobLeases } from '#api/db/schema/system.ts'
import { errorMessage } from '#api/log.ts'
import type { JobReport } from '#shared/contract/jobs.ts'
import { hasDied, newHolder } from './holder.ts'

const leaseMs = 60_000

export type Lease = {
  /** The run before was cut off: its process died, and with it whatever it was in the middle of. */
  isTakenOver: boolean
  /** What the last run wrote is in the future: the clock was set back since. */
  isClockSetBack: boolean
  /** Ends the lease; with a report the run counts as the job's last one. */
  end(outcome: { report: JobReport; startedAt: Date } | { failure: string }): void
  /** What `end` begins with. For a run that does not come to its end: a lease that nobody ends must expire. */
  stopRenewing(): void
}

type LeaseRequest = {
  name: string
  /** Only where the last run began at or before this instant; ISO. */
  lastRunBefore?: string | undefined
}

/**
 * Acquires the lease of a job: null while another run holds it. It is renewed while this process lives. A process that died
 * on this machine holds none; elsewhere its lease expires within a minute.
 */
export function acquireLease(ctx: Context, { name, lastRunBefore }: LeaseRequest): Lease | null {
  const holder = newHolder(ctx.newId())
  const now = ctx.now()
  const expiresAt = afterLease(now)
  const before = ctx.db.select().from(jobLeases).where(eq(jobLeases.name, name)).get()
  const isTakenOver = before !== undefined && !isOver(before, now) && hasDied(before.holder)
  const isExpired = or(lte(jobLeases.expiresAt, now.toISOString()), gt(jobLeases.expiresAt, expiresAt))
  const isFree = isTakenOver ? eq(jobLeases.holder, before.holder) : isExpired
  const isDue = lastRunBefore === undefined ? undefined : hasLastRun(lastRunBefore, now)
  const { changes } = ctx.db
    .insert(jobLeases)
    .values({ name, holder, expiresAt })
    .onConflictDoUpdate({ target: jobLeases.name, set: { holder, expiresAt }, setWhere: and(isFree, isDue) })
    .run()
  if (changes === 0) return null
  const held = { name, holder }
  const stopRenewing = keepRenewing(ctx, held)
  return {
    isTakenOver,
    isClockSetBack: before !== undefined && isFromFuture(before, now),
    end(outcome) {
      stopRenewing()
      endLease(ctx, held, outcome)
    },
    stopRenewing,
  }
}

/** A last run in the future was written by a clock that has been set back since: the job is due. */
const hasLastRun = (before: string, now: Date) =>
  or(isNull(jobLeases.lastRunAt), lte(jobLeases.lastRunAt, before), gt(jobLeases.lastRunAt, now.toISOString()))

/** Whether a run holds the lease now. */
export const isHeldAt = (now: Date, lease: Pick<typeof jobLeases.$inferSelect, 'expiresAt' | 'holder'>) =>
  !isOver(lease, now) && !hasDied(lease.holder)

/** One that ends later than any made now was made before the clock was set back: nobody knows for how long it holds. */
const isOver = ({ expiresAt }: { expiresAt: string }, now: Date) =>
  expiresAt <= now.toISOString() || expiresAt > afterLease(now)

const isFromFuture = ({ expiresAt, lastRunAt }: typeof jobLeases.$inferSelect, now: Date) =>
  expiresAt > afterLease(now) || (lastRunAt !== null && lastRunAt > now.toISOString())

const afterLease = (now: Date) => new Date(now.getTime() + leaseMs).toISOString()

type Held = { name: string; holder: string }

const isHeld = ({ name, holder }: Held) => and(eq(jobLeases.name, name), eq(jobLeases.holder, holder))

/** One that has expired meanwhile is lost: another process that looked since may hold it to be over. */
function keepRenewing(ctx: Context, held: Held): () => void {
  const renew = () => {
    const now = ctx.now()
    try {
      ctx.db
        .update(jobLeases)
        .set({ expiresAt: afterLease(now) })
        .where(and(isHeld(held), gt(jobLeases.expiresAt, now.toISOString())))
        .run()
    } catch (error) {
      // The database is busy; two more tries are left before the lease expires, and an error thrown here would end the
      // process.
      const reason = errorMessage(error)
      ctx.log.warn('lease not renewed', { job: held.name, reason })
    }
  }
  const timer = setInterval(renew, leaseMs / 3)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Writes nothing where the lease has expired and another run holds it: that run's report is the newer one. Nor can it where
 * the run found the database damaged.
 */
function endLease(ctx: Context, held: Held, outcome: Parameters<Lease['end']>[0]): void {
  if (isDamaged(ctx)) return
  const expiresAt = ctx.now().toISOString()
  const end =
    'report' in outcome
      ? { expiresAt, lastReport: outcome.report, lastRunAt: outcome.startedAt.toISOString() }
      : { expiresAt, lastReport: { failed: outcome.failure } }
  ctx.db.update(jobLeases).set(end).where(isHeld(held)).run()
}
