import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { revenueMonths } from '#api/db/schema/revenue.ts'
import { AppError } from '#api/errors.ts'
import { lastInvoiceSequence } from '#api/features/invoices/queries.ts'
import type { Owner } from '#api/http/session.ts'
import type { ReopenMonthsRequest, RevenueClock } from '#shared/contract/revenue.ts'
import { clockTarget, frozenAfterNow, readClock } from './clock-service.ts'
import { writeHeldBookings } from './jobs.ts'

/**
 * An owner's word that the clock is right and was ahead before: what it froze then is deleted, each month is frozen once more
 * when it has ended, and what waited is booked. The audit log keeps the figures; without its entry of an owner, made before
 * the month was frozen by its own time, the database deletes no month.
 */
export async function reopenMonths(
  ctx: Context,
  { actor }: Owner,
  { months }: ReopenMonthsRequest,
): Promise<RevenueClock> {
  transact(ctx, () => {
    const { now: openedAt, newest } = readClock(ctx)
    const frozen = frozenAfterNow(ctx)
    if (frozen.map(({ month }) => month).join() !== [...months].sort().join()) {
      throw new AppError('conflict', 'Other months than these are frozen at a time after now. Please look again.')
    }
    const detail = { openedAt, newest, months: frozen.length, lastInvoice: lastInvoiceSequence(ctx) }
    audit(ctx, actor, 'clock.confirmed', { targetId: clockTarget, detail })
    for (const { month, frozenAt, figures } of frozen) {
      audit(ctx, actor, 'revenue.opened', { targetId: month, detail: { frozenAt, openedAt, figures } })
      ctx.db.delete(revenueMonths).where(eq(revenueMonths.month, month)).run()
    }
  })
  await writeHeldBookings(ctx)
  return readClock(ctx)
}
