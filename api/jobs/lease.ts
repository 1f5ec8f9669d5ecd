import { and, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isDamaged } from '#api/db/damage.ts'
import { hasDied, newHolder } from '#api/db/holder.ts'
import { jobLeases } from '#api/db/schema/system.ts'
import { errorMessage } from '#api/log.ts'
import type { JobReport } from '#shared/contract/jobs.ts'

const leaseMs = 60_000

export type Lease = {
  /** The previous run's process died halfway. */
  isTakenOver: boolean
  /** The last run is dated in the future, so the clock has been set back since. */
  isClockSetBack: boolean
  /** Releases the lease. With a report, the run counts as the job's last one. */
  end(outcome: { report: JobReport; startedAt: Date } | { failure: string }): void
  /** Stops renewing, which `end` does too. For a run that never finishes: its lease must expire. */
  stopRenewing(): void
}

type LeaseRequest = {
  name: string
  /** Only if the last run began at or before this instant (ISO). */
  lastRunBefore?: string | undefined
}

/**
 * Acquires a job's lease. Null while another run holds it. It's renewed while this process lives. If the process dies, its lease
 * is free straight away on this machine, and within a minute on others.
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

/** A last run in the future was dated before the clock was set back, so the job is due. */
const hasLastRun = (before: string, now: Date) =>
  or(isNull(jobLeases.lastRunAt), lte(jobLeases.lastRunAt, before), gt(jobLeases.lastRunAt, now.toISOString()))

export const isHeldAt = (now: Date, lease: Pick<typeof jobLeases.$inferSelect, 'expiresAt' | 'holder'>) =>
  !isOver(lease, now) && !hasDied(lease.holder)

/** A lease that ends later than any made now dates from before the clock was set back. We can't know how long it holds. */
const isOver = ({ expiresAt }: { expiresAt: string }, now: Date) =>
  expiresAt <= now.toISOString() || expiresAt > afterLease(now)

const isFromFuture = ({ expiresAt, lastRunAt }: typeof jobLeases.$inferSelect, now: Date) =>
  expiresAt > afterLease(now) || (lastRunAt !== null && lastRunAt > now.toISOString())

const afterLease = (now: Date) => new Date(now.getTime() + leaseMs).toISOString()

type Held = { name: string; holder: string }

const isHeld = ({ name, holder }: Held) => and(eq(jobLeases.name, name), eq(jobLeases.holder, holder))

/** An expired lease is lost: another process may have taken it since. */
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
      // The database is busy. Two more tries are left before the lease expires, and throwing from this timer would end the
      // process.
      const reason = errorMessage(error)
      ctx.log.warn('lease not renewed', { job: held.name, reason })
    }
  }
  const timer = setInterval(renew, leaseMs / 3)
  timer.unref()
  return () => clearInterval(timer)
}

/** Writes nothing if another run took the expired lease, since its report is newer. Nor can it write to a damaged database. */
function endLease(ctx: Context, held: Held, outcome: Parameters<Lease['end']>[0]): void {
  if (isDamaged(ctx)) return
  const expiresAt = ctx.now().toISOString()
  const end =
    'report' in outcome
      ? { expiresAt, lastReport: outcome.report, lastRunAt: outcome.startedAt.toISOString() }
      : { expiresAt, lastReport: { failed: outcome.failure } }
  ctx.db.update(jobLeases).set(end).where(isHeld(held)).run()
}
