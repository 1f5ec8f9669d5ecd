import { useQuery } from '@tanstack/react-query'
import { activityQuery } from '#pwa/features/profile/queries.ts'
import { formatLongDate, londonClock } from '#shared/rules/london.ts'
import type { AccountProps } from './account-section.tsx'
import { AccountSection } from './account-section.tsx'
import { actionText, byText } from './activity-texts.ts'

export default function ActivitySection({ session, user }: AccountProps) {
  const query = useQuery(activityQuery({ session, memberId: user.id }))
  return (
    <AccountSection title="What happened in your account" query={query}>
      {(entries) =>
        entries.length === 0 ? (
          <p>Nothing yet. Logins and changes show up here.</p>
        ) : (
          <ol className="account__rows">
            {entries.map((entry) => (
              <li key={entry.id}>
                <div>
                  <strong>{actionText(entry)}</strong>
                  {entry.reason && <p>Reason: {entry.reason}</p>}
                  <p className="second">
                    {byText(entry)}, {formatLongDate(entry.at)}, {londonClock(entry.at)}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        )
      }
    </AccountSection>
  )
}
