import type { Context } from '#api/context.ts'
import type { JobReport } from '#shared/contract/jobs.ts'

const leaseMs = 60_000

export type Lease = {
  /** Ends the lease; with a report the run counts as the job's last one. */
  end(outcome: { report: JobReport; startedAt: Date } | { failure: string }): void
}

type Wanted = {
  name: string
  /** Only where the last run began at or before this instant; ISO. */
  lastRunBefore?: string | undefined
}

/**
 * Takes the right to run a job: null while somebody else has it. It is renewed while this process lives, and lapses a
 * minute after it was killed.
 */
export function takeLease(ctx: Context, { name, lastRunBefore }: Wanted): Lease | null {
  const holder = ctx.newId()
  const now = ctx.now()
  const { changes } = ctx.sqlite
    .prepare(
      `insert into job_leases (name, holder, expiresAt) values (@name, @holder, @expiresAt)
       on conflict (name) do update set holder = excluded.holder, expiresAt = excluded.expiresAt
       where expiresAt <= @now and (@lastRunBefore is null or lastRunAt is null or lastRunAt <= @lastRunBefore)`,
    )
    .run({ name, holder, expiresAt: afterLease(now), now: now.toISOString(), lastRunBefore: lastRunBefore ?? null })
  if (changes === 0) return null
  const stopRenewing = keepRenewing(ctx, name, holder)
  return {
    end(outcome) {
      stopRenewing()
      endLease(ctx, { name, holder }, outcome)
    },
  }
}

const afterLease = (now: Date) => new Date(now.getTime() + leaseMs).toISOString()

function keepRenewing(ctx: Context, name: string, holder: string): () => void {
  const statement = ctx.sqlite.prepare('update job_leases set expiresAt = ? where name = ? and holder = ?')
  const renew = () => {
    try {
      statement.run(afterLease(ctx.now()), name, holder)
    } catch (error) {
      // Busy just now; two more tries are left before the lease lapses, and a timer's throw would end the process.
      ctx.log.warn('lease not renewed', { job: name, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  const timer = setInterval(renew, leaseMs / 3)
  timer.unref()
  return () => clearInterval(timer)
}

type Held = { name: string; holder: string }

/** Writes nothing where the lease lapsed and another run has it: that one's word is the newer. */
function endLease(ctx: Context, { name, holder }: Held, outcome: Parameters<Lease['end']>[0]): void {
  const lastRunAt = 'report' in outcome ? outcome.startedAt.toISOString() : null
  const lastReport = 'report' in outcome ? outcome.report : { failed: outcome.failure }
  ctx.sqlite
    .prepare(
      `update job_leases set expiresAt = ?, lastRunAt = coalesce(?, lastRunAt), lastReport = ?
       where name = ? and holder = ?`,
    )
    .run(ctx.now().toISOString(), lastRunAt, JSON.stringify(lastReport), name, holder)
}
