import { lazy } from 'react'
import { receivedAt } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { enclosedText, standingOf } from '#pwa/features/admin/kit/inbox/question-texts.ts'
import { type Act, DayPart, DayRow, PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { unanswered } from '#shared/contract/inbox-entries.ts'
import type { Today } from '#shared/contract/today.ts'
import { type Entry, failureText } from './today-texts.ts'

const dialogs = () => loadFile(() => import('./entry-dialogs.tsx'))
const ApproveDialog = lazy(() => dialogs().then((file) => ({ default: file.ApproveDialog })))
const CalledBackDialog = lazy(() => dialogs().then((file) => ({ default: file.CalledBackDialog })))
const CardLinkDialog = lazy(() => dialogs().then((file) => ({ default: file.CardLinkDialog })))
const ReplyDialog = lazy(() => dialogs().then((file) => ({ default: file.ReplyDialog })))

const places = {
  'membership-applications': 'applications',
  'coaching-applications': 'coaching',
  contacts: 'contacts',
} as const

function actsOf(entry: Entry): Act[] {
  const approve: Act = { label: 'Approve', dialog: (onClose) => <ApproveDialog entry={entry} onClose={onClose} /> }
  const isMessage = entry.kind === 'contacts'
  const called: Act = {
    label: isMessage ? 'Answered' : 'Called back',
    dialog: (onClose) => <CalledBackDialog entry={entry} onClose={onClose} />,
  }
  return [
    ...(isMessage ? [] : [approve]),
    { label: 'Reply', dialog: (onClose) => <ReplyDialog entry={entry} onClose={onClose} /> },
    ...(isMessage || entry.phone ? [called] : []),
  ]
}

type Person = Omit<Entry, 'kind' | 'name' | 'row'>
const person = ({ id, email, phone, createdAt }: Person): Person => ({ id, email, phone, createdAt })

type EntryProps = { entry: Entry; about: readonly (string | null)[] }

const EntryRow = ({ entry, about }: EntryProps) => (
  <DayRow
    title={entry.name}
    target={{ place: places[entry.kind], search: { q: entry.email } }}
    phone={entry.phone}
    acts={actsOf(entry)}
  >
    {[...about, receivedAt(entry.createdAt)].filter(Boolean).join(' · ')}
  </DayRow>
)

export function AppliedPart({ applications, coaching }: Pick<Today, 'applications' | 'coaching'>) {
  const tierName = useTierNames()
  return (
    <DayPart
      title="Applied"
      count={applications.total + coaching.total}
      tone="open"
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
      {applications.rows.map((row) => {
        const tier = tierName(row.selectedTier)
        const name = `${row.firstName} ${row.lastName}`
        const entry: Entry = { ...person(row), name, kind: 'membership-applications', row, tier }
        return <EntryRow key={row.id} entry={entry} about={[tier, row.trade]} />
      })}
      {coaching.rows.map((row) => {
        const entry: Entry = { ...person(row), name: row.name, kind: 'coaching-applications', row }
        return <EntryRow key={row.id} entry={entry} about={['Coaching']} />
      })}
    </DayPart>
  )
}

/** Enough to know what it’s about. */
const beginningOf = (message: string) => message.split('\n', 1)[0]?.slice(0, 120) ?? ''

/** Members who’ve waited for an answer for more than a day. */
export const QuestionsPart = ({ total, rows }: Today['questions']) => (
  <DayPart
    title="Questions"
    count={total}
    tone="bad"
    all={
      <PlaceLink place="questions" search={{ show: 'waiting' }}>
        All unanswered questions
      </PlaceLink>
    }
  >
    {rows.map((row) => (
      <DayRow key={row.id} title={row.member.name} target={{ place: 'questions', search: { entry: row.id } }}>
        {[beginningOf(row.excerpt), enclosedText(row), standingOf(row)].filter(Boolean).join(' · ')}
      </DayRow>
    ))}
  </DayPart>
)

export const MessagesPart = ({ total, rows }: Today['contacts']) => (
  <DayPart
    title="Messages"
    count={total}
    tone="open"
    all={
      <PlaceLink place="contacts" search={{ show: unanswered }}>
        All unanswered messages
      </PlaceLink>
    }
  >
    {rows.map((row) => (
      <EntryRow
        key={row.id}
        entry={{ ...person({ ...row, phone: null }), name: row.name, kind: 'contacts', row }}
        about={[beginningOf(row.message), row.trade]}
      />
    ))}
  </DayPart>
)

export const FailuresPart = ({ total, rows }: Today['chase']) => (
  <DayPart
    title="Failed payments"
    count={total}
    tone="bad"
    all={
      <PlaceLink place="members" search={{ show: 'payment-due' }}>
        All members with a payment due
      </PlaceLink>
    }
  >
    {rows.map((failure) => (
      <DayRow
        key={failure.memberId}
        title={failure.name}
        target={failure}
        phone={failure.phone}
        acts={[
          { label: 'Ask for a new card', dialog: (onClose) => <CardLinkDialog failure={failure} onClose={onClose} /> },
        ]}
      >
        {failureText(failure)}
      </DayRow>
    ))}
  </DayPart>
)
