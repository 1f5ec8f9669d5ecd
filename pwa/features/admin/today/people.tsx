import { callOf, receivedAt } from '#pwa/features/admin/inbox/inbox-texts.ts'
import { upcoming } from '#pwa/features/admin/inbox/queries.ts'
import { useTierNames } from '#pwa/features/admin/money/tiers/use-tier-names.ts'
import { unanswered } from '#shared/contract/inbox-entries.ts'
import type { Today } from '#shared/contract/today.ts'
import { formatLongDate, formatMoment } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { DayPart, DayRow, PlaceLink } from './part.tsx'
import { failureText } from './today-texts.ts'

type EntryProps = {
  place: 'applications' | 'coaching' | 'contacts'
  name: string
  about: readonly (string | null)[]
  row: { email: string; phone?: string; createdAt: string }
}

const EntryRow = ({ place, name, about, row: { email, phone, createdAt } }: EntryProps) => (
  <DayRow title={name} target={{ place, search: { q: email } }} phone={phone ?? null}>
    {[...about, receivedAt(createdAt)].filter(Boolean).join(' · ')}
  </DayRow>
)

export function AppliedPart({ applications, coaching }: Pick<Today, 'applications' | 'coaching'>) {
  const tierName = useTierNames()
  return (
    <DayPart
      title="Applied"
      count={applications.total + coaching.total}
      tone="open"
      empty="No applications to answer."
      all={
        <>
          {applications.total > 0 && (
            <PlaceLink place="applications" search={{ show: 'pending' }}>
              {applications.total} for membership
            </PlaceLink>
          )}
          {coaching.total > 0 && (
            <PlaceLink place="coaching" search={{ show: 'pending' }}>
              {coaching.total} for coaching
            </PlaceLink>
          )}
        </>
      }
    >
      {applications.rows.map((row) => (
        <EntryRow
          key={row.id}
          place="applications"
          name={`${row.firstName} ${row.lastName}`}
          about={[tierName(row.selectedTier), row.trade]}
          row={row}
        />
      ))}
      {coaching.rows.map((row) => (
        <EntryRow key={row.id} place="coaching" name={row.name} about={['Coaching']} row={row} />
      ))}
    </DayPart>
  )
}

export const MessagesPart = ({ total, rows }: Today['contacts']) => (
  <DayPart
    title="Messages"
    count={total}
    tone="open"
    empty="All messages answered."
    all={
      <PlaceLink place="contacts" search={{ show: unanswered }}>
        All unanswered messages
      </PlaceLink>
    }
  >
    {rows.map((row) => (
      <EntryRow key={row.id} place="contacts" name={row.name} about={[row.trade]} row={row} />
    ))}
  </DayPart>
)

export const FailuresPart = ({ total, rows }: Today['failures']) => (
  <DayPart
    title="Failed payments"
    count={total}
    tone="bad"
    empty="All renewals paid."
    all={
      <PlaceLink place="members" search={{ show: 'payment-due' }}>
        All members with a payment due
      </PlaceLink>
    }
  >
    {rows.map((row) => (
      <DayRow key={row.memberId} title={row.name} target={{ memberId: row.memberId }} phone={row.phone}>
        {failureText(row)}
      </DayRow>
    ))}
  </DayPart>
)

export const AtRiskPart = ({ atRisk }: Pick<Today, 'atRisk'>) => (
  <DayPart
    title="Members at risk"
    count={atRisk}
    tone="open"
    empty="No one at risk."
    all={<PlaceLink place="at-risk">See who, and what to do</PlaceLink>}
  />
)

export const CallsPart = ({ total, rows }: Today['calls']) => (
  <DayPart
    title="Calls booked"
    count={total}
    tone="open"
    empty="No calls booked."
    all={
      <PlaceLink place="bookings" search={{ show: upcoming }}>
        All upcoming calls
      </PlaceLink>
    }
  >
    {rows.map((row) => (
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

export const PaidPart = ({ total, rows, sum, since }: Today['payments']) => (
  <DayPart
    title="Paid"
    count={total}
    tone="ok"
    empty={`No payments since ${formatLongDate(since)}.`}
    all={
      <>
        <span>
          {formatPoundsAndPence(sum)} inc. VAT since {formatLongDate(since)}
        </span>
        <PlaceLink place="invoices">All invoices</PlaceLink>
      </>
    }
  >
    {rows.map(({ number, memberId, name, gross, at }) => (
      <DayRow
        key={number}
        title={name}
        target={memberId === null ? { place: 'invoices', search: { q: number } } : { memberId }}
        aside={formatPoundsAndPence(gross)}
      >
        {number}
        {at && `, ${formatMoment(at)}`}
      </DayRow>
    ))}
  </DayPart>
)
