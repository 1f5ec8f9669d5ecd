import type { Context } from '#api/context.ts'
import { checkIntegrity } from '#api/db/integrity.ts'
import { shortenLog } from '#api/db/storage.ts'
import { removeAbandonedAccounts } from '#api/features/auth/jobs.ts'
import { cancelUnfinished, endExpiredUpgrades } from '#api/features/billing/jobs.ts'
import { announceCardExpiry } from '#api/features/billing-mails/card-expiry-jobs.ts'
import { remindOfCalls } from '#api/features/calendar/jobs.ts'
import { recordHeartbeat } from '#api/features/health/service.ts'
import { endFreeAccesses } from '#api/features/members/jobs.ts'
import { cancelUnpaidOrders } from '#api/features/quotient/jobs.ts'
import { reconcile } from '#api/features/reconcile/jobs.ts'
import { bookPriceMoves } from '#api/features/tiers/jobs.ts'
import { sendMail } from '#api/mail/delivery.ts'
import { onMailQueued } from '#api/mail/outbox-wake-up.ts'
import type { JobReport } from '#shared/contract/jobs.ts'
import { deleteExpired } from './clean-up.ts'
import { endMonths } from './month-end.ts'

/** `isTakenOver`: the run before died with its process. `isClockSetBack`: it ran at a time that is yet to come. */
type RunOptions = { all: boolean; isTakenOver: boolean; isClockSetBack: boolean }

export type Job = {
  name: string
  /** Between two runs by the server's timer, by the wall clock. */
  everyMs: number
  run(ctx: Context, how: RunOptions): Promise<JobReport> | JobReport
  /** The job skips what cannot have changed, unless it is run with `all`. */
  takesAll?: true
  /** Calls `wake` when the job should run before its time; returns what ends that. */
  subscribe?(ctx: Context, wake: () => void): () => void
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

export const jobs: readonly Job[] = [
  { name: 'mail', everyMs: 5 * second, run: sendMail, subscribe: onMailQueued },
  { name: 'heartbeat', everyMs: minute, run: recordHeartbeat },
  { name: 'clean-up', everyMs: hour, run: deleteExpired },
  { name: 'month-end', everyMs: hour, run: endMonths },
  { name: 'abandoned', everyMs: 24 * hour, run: removeAbandonedAccounts },
  { name: 'unpaid-orders', everyMs: 24 * hour, run: cancelUnpaidOrders },
  { name: 'unfinished', everyMs: hour, run: cancelUnfinished },
  { name: 'upgrades', everyMs: minute, run: endExpiredUpgrades },
  { name: 'price-moves', everyMs: hour, run: bookPriceMoves },
  { name: 'free-access', everyMs: hour, run: endFreeAccesses },
  { name: 'card-expiry', everyMs: 24 * hour, run: announceCardExpiry },
  { name: 'call-reminders', everyMs: 5 * minute, run: remindOfCalls },
  { name: 'checkpoint', everyMs: minute, run: shortenLog },
  { name: 'integrity', everyMs: 24 * hour, run: checkIntegrity },
  { name: 'reconcile', everyMs: 24 * hour, run: reconcile, takesAll: true },
]
