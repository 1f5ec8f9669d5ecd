import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { lockAfterDays, type PhoneLock } from '#shared/rules/phone-lock.ts'
import type { StoredArea } from './area/use-stored-area.ts'
import { AsOf } from './sync-status-section.tsx'
import { phoneNow } from './use-phone-lock.ts'

const dayMs = 24 * 60 * 60_000
/** Days after which a member is reminded of what still waits on this phone. */
const remindAfterDays = 3

// The rule for plurals would be one more file for the members' list to load.
const daysOf = (count: number) => (count === 1 ? '1 day' : `${count} days`)

type Props = { lock: PhoneLock; stored: Pick<StoredArea, 'sync' | 'clock' | 'listSavedAt' | 'userSavedAt'> }

/** What this phone has not done for too long: sent what waits on it, or reached the site at all. */
export function PhoneNotices({ lock, stored }: Props) {
  const { waitingSince } = stored.sync
  const days = waitingSince === null ? 0 : Math.floor((phoneNow(stored) - waitingSince) / dayMs)
  return (
    <>
      <AsOf savedAt={stored.listSavedAt ?? stored.userSavedAt} />
      {lock.kind === 'warned' && (
        <Banner role="status" icon="nosignal" title={`${lockAfterDays - lock.daysLeft} days without reaching the site`}>
          {`In ${daysOf(lock.daysLeft)} this phone locks your videos. Open the members’ area once with signal, and they stay.`}
        </Banner>
      )}
      {days >= remindAfterDays && (
        <Banner
          role="status"
          title={`Waiting on this phone for ${daysOf(days)}`}
          action={
            <ButtonLink look="line" isSmall to="/members/$place" params={{ place: 'sync' }}>
              See what waits
            </ButtonLink>
          }
        >
          Open this page when you have signal, and it sends itself.
        </Banner>
      )}
    </>
  )
}
