import type { CommissionPayment, ManualCommission } from '#shared/contract/commission.ts'
import { clawbackText, commissionDueOn } from '#shared/rules/commission.ts'
import { guaranteeDays } from '#shared/rules/guarantee.ts'
import { formatLongDate, formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export const halfMinute = 30_000

/** `pounds`: the API gives these amounts in pounds, not pence. */
export const shownPounds = (pounds: number) => formatPoundsAndPence(Math.round(pounds * 100))

/** `March 2026`, from 2026-03. */
export const monthName = (month: string) => formatMonthAndYear(`${month}-15`)

const dueOn = ({ paymentDate }: CommissionPayment) => commissionDueOn(paymentDate.slice(0, 10))

/** `due`: how its day is put. */
export const paidText = (payment: CommissionPayment, due = 'due'): string => {
  const { commissionPaid, commissionPaidDate } = payment
  if (!commissionPaid) return clawbackText(payment) ?? `${due} ${formatLongDate(dueOn(payment))}`
  return commissionPaidDate === null ? '' : `on ${formatLongDate(commissionPaidDate)}`
}

export const deletedText = (wasPaid: boolean): string =>
  wasPaid
    ? 'You’ve already paid it, so it’s owed back to you. We’ll take it off the next payment.'
    : 'It comes off what you owe.'

/** Why a month can’t be marked as paid (yet); null if it can. */
export const monthLock = (payment: CommissionPayment, today: string): string | null => {
  if (payment.commissionPaid) return null
  if (payment.clawback?.outstanding === 0) return `${clawbackText(payment)}: nothing to pay.`
  return dueOn(payment) <= today
    ? null
    : `Locked until ${formatLongDate(dueOn(payment))}, the day after the ${guaranteeDays}-day guarantee.`
}

export const upsellLock = ({ commissionPaid, saleDate }: ManualCommission, today: string): string | null =>
  commissionPaid || saleDate <= today ? null : `Locked until ${formatLongDate(saleDate)}, the day of the sale.`

export const monthLine = (payment: CommissionPayment): string =>
  `${payment.paymentMonth}: ${formatPoundsAndPence(payment.membershipAmount)}, commission ${formatPoundsAndPence(payment.commissionAmount)}, ${payment.commissionPaid ? 'paid' : 'unpaid'} ${paidText(payment)}`
