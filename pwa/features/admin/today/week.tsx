import { lazy } from 'react'
import { callOf } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { upcoming } from '#pwa/features/admin/kit/inbox/queries.ts'
import { cardAskedText } from '#pwa/features/admin/kit/members/member-texts.ts'
import { DayPart, DayRow, PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { Today, TodayPayment } from '#shared/contract/today.ts'
import { addDays, formatLongDate, formatMoment, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { failureText } from './today-texts.ts'

const RefundInPlace = lazy(() => loadFile(() => import('./refund-dialog.tsx')))

/** The next calls, up to the same day next week. */
export function CallsPart({ calls: { total, rows }, asOf }: Pick<Today, 'calls' | 'asOf'>) {
  const last = addDays(londonDay(new Date(asOf)), 7)
  const soon = rows.filter(
    ({ startsAt, bookingDate }) => (startsAt ? londonDay(new Date(startsAt)) : bookingDate) <= last,
  )
  return (
    <DayPart
      title="Calls"
      count={soon.length}
      tone="open"
      empty="No calls this week."
      all={<AllCalls total={total} only={rows[0]} />}
    >
      {soon.map((row) => (
        <DayRow
          key={row.id}
          title={row.name}
          target={row.memberId === null ? { place: 'bookings', search: { q: row.email } } : { memberId: row.memberId }}
          phone={row.phone}
        >
          {callOf(row)}
        </DayRow>
      ))}
    </DayPart>
  )
}

/** A single one is opened where it can be moved. */
function AllCalls({ total, only }: { total: number; only: Today['calls']['rows'][number] | undefined }) {
  if (total === 1 && only?.startsAt)
    return (
      <PlaceLink place="calendar" search={{ day: londonDay(new Date(only.startsAt)), entry: only.id }}>
        See it in the calendar
      </PlaceLink>
    )
  return (
    <PlaceLink place="bookings" search={{ show: upcoming }}>
      {total === 1 ? 'See it in Bookings' : `All ${total} upcoming calls`}
    </PlaceLink>
  )
}

/** Members who’ve been asked for a new card, or will be when it’s too late to undo it. The others are still to do. */
export function DuePart({ failures, chase, left }: Pick<Today, 'failures' | 'chase'> & { left: Today['chase'] }) {
  const sending = chase.rows.filter((row) => !left.rows.includes(row))
  const asked = failures.rows.filter(({ askedAt }) => askedAt !== null)
  return (
    <DayPart
      title="Payments due"
      count={failures.total - left.total}
      tone="wait"
      empty={left.total > 0 ? 'They’re all in To do.' : 'All renewals paid.'}
      all={
        <PlaceLink place="members" search={{ show: 'payment-due' }}>
          All members with a payment due
        </PlaceLink>
      }
    >
      {[...sending, ...asked].map((row) => (
        <DayRow key={row.memberId} title={row.name} target={row} phone={row.phone}>
          {failureText(row)} {row.askedAt === null ? 'Asking for a new card.' : `${cardAskedText(row.askedAt)}.`}
        </DayRow>
      ))}
    </DayPart>
  )
}

export const AtRiskPart = ({ atRisk }: Pick<Today, 'atRisk'>) => (
  <DayPart
    title="Members at risk"
    count={atRisk}
    tone="open"
    empty="No one at risk."
    all={
      <>
        <PlaceLink place="at-risk">See who, and what to do</PlaceLink>
        <PlaceLink place="members" search={{ show: 'ending' }}>
          See who has cancelled
        </PlaceLink>
      </>
    }
  />
)

export const PaidPart = ({ total, rows, sum, since }: Today['payments']) => (
  <DayPart
    title="Paid"
    count={total}
    tone="ok"
    all={
      <>
        <span>
          {formatPoundsAndPence(sum)} inc. VAT since {formatLongDate(since)}
        </span>
        <PlaceLink place="invoices">All invoices</PlaceLink>
      </>
    }
  >
    {rows.map((row) => (
      <PaymentRow key={row.number} {...row} />
    ))}
  </DayPart>
)

const PaymentRow = ({ number, memberId, name, gross, refunded, at }: TodayPayment) => (
  <DayRow
    title={name}
    target={memberId === null ? { place: 'invoices', search: { q: number } } : { memberId }}
    aside={formatPoundsAndPence(gross - refunded)}
    acts={
      memberId === null || refunded >= gross
        ? []
        : [
            {
              label: 'Refund',
              dialog: (onClose) => <RefundInPlace memberId={memberId} number={number} name={name} onClose={onClose} />,
            },
          ]
    }
  >
    {number}
    {at && `, ${formatMoment(at)}`}
    {refunded > 0 && `. ${formatPoundsAndPence(refunded)} of ${formatPoundsAndPence(gross)} refunded.`}
  </DayRow>
)
