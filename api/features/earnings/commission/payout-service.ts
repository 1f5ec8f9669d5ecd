import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError, memberNotFound, notFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import type { CommissionStatusRequest } from '#shared/contract/commission.ts'
import { liveEarnings, livePayments, unsettledLines } from '#shared/rules/commission.ts'
import { guaranteeDays } from '#shared/rules/guarantee.ts'
import { formatLongDate, formatMonthAndYear, londonDay, londonMonth } from '#shared/rules/london.ts'
import { deductionsAt, type Line, lineById, linesOfMonth, owedBackLines } from './ledger-queries.ts'
import { reverseLine, settleLine } from './ledger-service.ts'
import { type Account, accountOf, updateCommissionColumns } from './month-queries.ts'

const noCommission = () => new AppError('conflict', 'No commission for this month.')

/** Marks a member's month as paid or unpaid. Safe to repeat. */
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
    // A refund for a deleted month claws back nothing, so it earns nothing either.
    if (!liveEarnings(lines).some(({ amount }) => amount !== 0)) throw noCommission()
    const month = formatMonthAndYear(`${paymentMonth}-15`)
    const tooEarly = (day: string) =>
      `Commission for ${month} is due from ${day}, the day after the ${guaranteeDays}-day guarantee ends.`
    const changed = request.commissionPaid ? settleDueLines(ctx, lines, tooEarly) : reversePayments(ctx, lines)
    if (changed === 0) return
    const action = request.commissionPaid ? 'commission.paid' : 'commission.unpaid'
    audit(ctx, owner.actor, action, { targetId: account.accountId, detail: { month: paymentMonth, lines: changed } })
    updateCommissionColumns(ctx, account)
  })
}

function knownAccount(ctx: Context, id: string): Account {
  const account = accountOf(ctx, id)
  if (account === null) throw memberNotFound()
  return account
}

const linesOf = (ctx: Context, { customerIds }: Account, paymentMonth: string): Line[] =>
  customerIds.flatMap((customerId) => linesOfMonth.all(ctx, { customerId, paymentMonth }))

/** Also deducts what's owed back. Returns how many lines were due, 0 if all were settled. Throws `tooEarly` if none is due yet. */
export function settleDueLines(ctx: Context, lines: readonly Line[], tooEarly: (day: string) => string): number {
  const today = londonDay(ctx.billingNow())
  const unsettled = unsettledLines(lines)
  const due = unsettled.filter(({ dueOn }) => dueOn <= today)
  for (const line of due) settleLine(ctx, line)
  deductOwedBack(
    ctx,
    due.reduce((sum, { amount }) => sum + amount, 0),
  )
  if (due.length > 0 || livePayments(lines).length > 0) return due.length
  const [earliest] = unsettled.map(({ dueOn }) => dueOn).sort()
  if (earliest === undefined) throw noCommission()
  throw new AppError('conflict', tooEarly(formatLongDate(earliest)))
}

/** Deducts no more than is paid. The rest carries over to the next payment. */
function deductOwedBack(ctx: Context, paid: number): void {
  if (paid <= 0) return
  let left = paid
  for (const { open, ...line } of owedBackLines.all(ctx)) {
    const part = Math.max(open, -left)
    if (part !== 0) settleLine(ctx, line, part)
    left += part
  }
}

/** Reverses the payments of these lines and their deductions. Returns how many payments there were. */
export function reversePayments(ctx: Context, lines: readonly Line[]): number {
  const payments = livePayments(lines)
  const ids = new Set(payments.map(({ id }) => id))
  const instants = new Set(payments.map(({ createdAt }) => createdAt))
  const deductions = [...instants].flatMap((createdAt) => deductionsAt.all(ctx, { createdAt }))
  for (const payment of payments) reverseLine(ctx, payment)
  for (const deduction of deductions) if (!ids.has(deduction.id)) reverseLine(ctx, deduction)
  return payments.length
}

/** Reverses what these lines earned. What was paid for them is owed back. Returns how many lines there were. */
export function reverseLines(ctx: Context, lines: readonly Line[]): number {
  const earnings = liveEarnings(lines)
  for (const line of earnings) reverseLine(ctx, line)
  return earnings.length
}

/** Deletes a member's month, named by its first line, by reversing each line. Safe to repeat. */
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
