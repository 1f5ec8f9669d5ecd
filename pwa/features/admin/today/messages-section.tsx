import { receivedAt } from '#pwa/features/admin/inbox/inbox-texts.ts'
import { unanswered } from '#shared/contract/dashboard.ts'
import type { Today } from '#shared/contract/today.ts'
import { DayPart, DayRow, PlaceLink } from './part-section.tsx'

/** What was written to the business and nobody has replied to, or noted anything about. */
export const MessagesPart = ({ total, rows }: Today['contacts']) => (
  <DayPart
    title="Messages"
    count={total}
    tone="open"
    empty="Every message has an answer or a note."
    all={
      <PlaceLink place="contacts" search={{ show: unanswered }}>
        All messages without an answer
      </PlaceLink>
    }
  >
    {rows.map(({ id, name, email, trade, createdAt }) => (
      <DayRow key={id} title={name} target={{ place: 'contacts', search: { q: email } }}>
        {[trade, receivedAt(createdAt)].filter(Boolean).join(' · ')}
      </DayRow>
    ))}
  </DayPart>
)
