import type { Db } from '#api/db/open.ts'
import { listYearsRenewals, type Notice, noticesFrom, type Renewal } from '#api/features/billing/renewals/queries.ts'
import { listCoolingOff } from '#api/features/invoices/cooling-off-queries.ts'
import { chargeOf } from '#shared/rules/charge.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { plural } from '#shared/rules/plural.ts'
import { daysBetween, yearNotices } from '#shared/rules/renewal-notices.ts'
import { type Check, named, ok, type Part, runCheck, shows, warning } from './check-rules.ts'

/** Who will be charged for a year without having heard of it, and whose days are still to be refunded. */
export const checkRenewals = (db: Db, billingNow: () => Date): Check[] => [
  runCheck('renewals', () => findUntold(db, billingNow())),
  runCheck('unused days', () => findUnusedDays(db, billingNow())),
]

/** Private customers who cancelled in the 14 days that a year, or a first full price, begins with. */
function findUnusedDays(db: Db, now: Date): Check {
  const name = 'unused days'
  const parts = listCoolingOff({ db }, now).flatMap(({ isCancelled, id, email, on, days, amount, ...person }) => {
    if (!isCancelled || id === null || email === null) return []
    const message = `They cancelled on ${formatLongDate(on)}, within their 14 days. Refund ${formatPoundsAndPence(amount)} for the ${plural(days, 'day')} they haven’t used.`
    return [{ message, member: { id, name: nameOrEmail({ ...person, email }) } }]
  })
  const [first] = parts
  if (first === undefined) return ok(name, 'There are no unused days to refund.')
  const more = parts.length === 1 ? '' : ` ${plural(parts.length - 1, 'more', 'more')} to refund.`
  return { ...warning(name, `${first.member.name}: ${first.message}${more}`, shows('members list')), parts }
}

function findUntold(db: Db, now: Date): Check {
  const name = 'renewals'
  const noticesOf = noticesFrom({ db }, londonDay(now))
  const parts = listYearsRenewals({ db }, { now, days: yearNotices.first }).flatMap((renewal) => {
    const notices = noticesOf(renewal)
    const why = whyUntold(renewal, notices, londonDay(now))
    return why === null ? [] : [partOf(renewal, `${why} ${chargeText(renewal, notices)}`)]
  })
  const [first] = parts
  if (first === undefined) return ok(name, 'Everyone’s told before their year renews.')
  const more = parts.length === 1 ? '' : ` ${plural(parts.length - 1, 'more hasn’t', 'more haven’t')} been told either.`
  const who = first.member === undefined ? '' : `${first.member.name}: `
  const remedy = first.member === undefined ? shows('members list') : named(shows('members put-off MEMBER'))
  const message = `${who}${first.message}${more} Ring them, or put it off: alliance members put-off MEMBER`
  return { ...warning(name, message, remedy), parts }
}

/** Null if they've been told, or it isn't time yet. The last notice goes on the seventh day before. */
function whyUntold({ userId, renewsOn }: Renewal, notices: readonly Notice[], today: string): string | null {
  if (userId === null) return 'They have no account here, so we can’t tell them their year renews.'
  const last = notices.at(-1)
  if (last?.status === 'refused') return 'Their mailbox refused our email about their renewal.'
  if (last?.status === 'failed') return 'Our email about their renewal didn’t get through.'
  if (daysBetween(today, renewsOn) >= yearNotices.last) return null
  if (last?.kind !== 'year-last') return 'Stripe hasn’t said what their renewal will cost, so we couldn’t tell them.'
  return last.status === 'sent' ? null : 'Our email about their renewal hasn’t gone yet.'
}

function chargeText({ subscription, renewsOn }: Renewal, notices: readonly Notice[]): string {
  const sum = notices.at(-1)?.amount ?? subscription.nextPayment?.due ?? chargeOf(subscription).total
  return `We’ll take ${formatPoundsAndPence(sum)} on ${formatLongDate(renewsOn)}.`
}

function partOf({ userId, email, renewsOn, ...person }: Renewal, message: string): Part {
  if (userId === null || email === null) return { message }
  return { message, member: { id: userId, name: nameOrEmail({ ...person, email }) }, renewsOn }
}
