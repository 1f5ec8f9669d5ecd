import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import type { CommissionStatusRequest } from '#shared/contract/commission.ts'
import { liveEarnings, livePayments, unsettledLines } from '#shared/rules/commission.ts'
import { guaranteeDays } from '#shared/rules/guarantee.ts'
import { formatLongDate, formatMonthAndYear, londonDay, londonMonth } from '#shared/rules/london.ts'
import { type Line, lineById, linesOfMonth } from './ledger-queries.ts'
import { reverseLine, settleLine } from './ledger-service.ts'
import { type Account, accountOf, updateCommissionColumns } from './month-queries.ts'

const noCommission = () => new AppError('conflict', 'No commission for this month.')

/** Marks the commission of a member's month as paid, or takes that back. A repeated request changes nothing. */
export function setCommissionStatus(
  ctx: Context,
  owner: Owner,
  memberId: string,
  request: CommissionStatusRequest,
): void {
  const paymentMonth = request.commissionMonth ?? londonMonth(ctx.billingNow())
  transact(ctx, () => {
    const account = knownAccount(ctx, memberId)
    const lines = linesOf(ctx, account, paymentMonth)
    if (liveEarnings(lines).length === 0) throw noCommission()
    const month = formatMonthAndYear(`${paymentMonth}-15`)
    const tooEarly = (day: string) =>
      `The commission of ${month} is not due before ${day}, the day after the ${guaranteeDays}-day guarantee ends.`
    const changed = request.commissionPaid ? settleDueLines(ctx, lines, tooEarly) : reversePayments(ctx, lines)
    if (changed === 0) return
    const action = request.commissionPaid ? 'commission.paid' : 'commission.unpaid'
    audit(ctx, owner.actor, action, { targetId: account.accountId, detail: { month: paymentMonth, lines: changed } })
    updateCommissionColumns(ctx, account)
  })
}

function knownAccount(ctx: Context, id: string): Account {
  const account = accountOf(ctx, id)
  if (account === null) throw notFound('This member')
  return account
}

const linesOf = (ctx: Context, { customerIds }: Account, paymentMonth: string): Line[] =>
  customerIds.flatMap((customerId) => linesOfMonth.all(ctx, { customerId, paymentMonth }))

/**
 * Settles the lines that are due. Returns how many there were; none where all that is due was settled before. Throws where nothing is due yet, with
 * the sentence that `tooEarly` makes of the day.
 */
export function settleDueLines(ctx: Context, lines: readonly Line[], tooEarly: (day: string) => string): number {
  const today = londonDay(ctx.billingNow())
  const unsettled = unsettledLines(lines)
  const due = unsettled.filter(({ dueOn }) => dueOn <= today)
  for (const line of due) settleLine(ctx, line)
  if (due.length > 0 || livePayments(lines).length > 0) return due.length
  const [earliest] = unsettled.map(({ dueOn }) => dueOn).sort()
  if (earliest === undefined) throw noCommission()
  throw new AppError('conflict', tooEarly(formatLongDate(earliest)))
}

/** Reverses the payments among these lines. Returns how many there were. */
export function reversePayments(ctx: Context, lines: readonly Line[]): number {
  const payments = livePayments(lines)
  for (const payment of payments) reverseLine(ctx, payment)
  return payments.length
}

/** Reverses what was earned and what was paid in these lines. Returns how many lines that were. */
export function reverseLines(ctx: Context, lines: readonly Line[]): number {
  const earnings = liveEarnings(lines)
  for (const line of earnings) reverseLine(ctx, line)
  return earnings.length + reversePayments(ctx, lines)
}

/** Deletes a member's month, named by its first line, by reversing each line. A repeated request changes nothing. */
export function deleteCommission(ctx: Context, owner: Owner, id: string): void {
  transact(ctx, () => {
    const line = lineById.get(ctx, { id })
    if (line?.kind !== 'invoice' || line.customerId === null) throw notFound('This commission payment')
    const account = knownAccount(ctx, line.customerId)
    const changed = reverseLines(ctx, linesOf(ctx, account, line.paymentMonth))
    if (changed === 0) return
    audit(ctx, owner.actor, 'commission.deleted', {
      targetId: account.accountId,
      detail: { month: line.paymentMonth, lines: changed },
    })
    updateCommissionColumns(ctx, account)
  })
}
