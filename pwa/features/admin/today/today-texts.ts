import type { AdminApplication, AdminCoachingApplication, ContactRecord } from '#shared/contract/inbox-entries.ts'
import type { TodayEmailReport, TodayFailure } from '#shared/contract/today.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'

/** Someone who applied or wrote. */
export type Entry = { id: string; name: string; email: string; phone: string | null; createdAt: string } & (
  | { kind: 'membership-applications'; row: AdminApplication; tier: string }
  | { kind: 'coaching-applications'; row: AdminCoachingApplication }
  | { kind: 'contacts'; row: ContactRecord }
)

export function failureText({ due, nextAttemptAt, hasAccess, graceEndsOn }: TodayFailure): string {
  const tried = nextAttemptAt
    ? `We’ll try the card again on ${formatLongDate(nextAttemptAt)}.`
    : 'We won’t try the card again. They need to pay or add a new card.'
  const until = graceEndsOn && `${hasAccess ? 'Access until' : 'Access ended on'} ${formatLongDate(graceEndsOn)}.`
  return [`${formatPoundsAndPence(due)} due.`, tried, until].filter(Boolean).join(' ')
}

export const changeText = (change: number) =>
  change === 0 ? 'same as last month' : `${change > 0 ? '+' : ''}${formatPounds(change)} this month`

/** A member may have reported more than one change. */
export const reportId = ({ memberId, before }: TodayEmailReport) => `${memberId} ${before}`
