import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { revenueMonths } from '#api/db/schema/revenue.ts'
import { AppError } from '#api/errors.ts'
import { lastInvoiceSequence } from '#api/features/invoices/queries.ts'
import type { Owner } from '#api/identity/person.ts'
import type { ReopenMonthsRequest, RevenueClock } from '#shared/contract/revenue.ts'
import { writeHeldBookings } from './month-jobs.ts'
import { clockTarget, forgetClosedEarly, monthsInDoubt, readClock } from './revenue/clock-service.ts'
import { providerDoubt } from './revenue/provider-clock-service.ts'

type MonthInDoubt = ReturnType<typeof monthsInDoubt>[number]

/**
 * Deletes the months a fast clock closed, closes each again once it has ended, and writes the held bookings. With `keep`, the owner
 * says they had in fact ended, and they stay. The audit log keeps the figures: the database refuses to delete a month without an
 * owner's entry dated before its `frozenAt`.
 */
export async function reopenMonths(
  ctx: Context,
  { actor }: Owner,
  { months, keep }: ReopenMonthsRequest,
): Promise<RevenueClock> {
  transact(ctx, () => {
    const wrong = providerDoubt(ctx)
    if (wrong !== null) throw new AppError('conflict', wrong)
    const { now, newest, early } = readClock(ctx)
    const closed = monthsInDoubt(ctx)
    if (closed.map(({ month }) => month).join() !== [...months].sort().join()) {
      throw new AppError('conflict', 'The months in doubt have changed. Look again.')
    }
    if (keep && early.length < closed.length) {
      throw new AppError(
        'conflict',
        'Some months were closed at a time after now. If they’re right, correct the clock.',
      )
    }
    const detail = { openedAt: now, newest, lastInvoice: lastInvoiceSequence(ctx) }
    const outcome = keep ? { months: 0, kept: months } : { months: closed.length }
    audit(ctx, actor, 'clock.confirmed', { targetId: clockTarget, detail: { ...detail, ...outcome } })
    if (!keep) for (const month of closed) openMonth(ctx, actor, month)
    if (early.length > 0) forgetClosedEarly(ctx)
  })
  await writeHeldBookings(ctx)
  return readClock(ctx)
}

/** `openedAt` is the clock reading that contradicts the month. The database refuses to delete a month closed before it. */
function openMonth(ctx: Context, actor: string, { month, frozenAt: closedAt, figures, seenAt }: MonthInDoubt): void {
  audit(ctx, actor, 'revenue.opened', { targetId: month, detail: { frozenAt: closedAt, openedAt: seenAt, figures } })
  ctx.db.delete(revenueMonths).where(eq(revenueMonths.month, month)).run()
}
