import { AsOf } from '#pwa/features/members/frame/sync-status.tsx'
import type { StoredArea } from '#pwa/features/members/stored/use-stored-area.ts'
import { phoneNow } from '#pwa/sync/progress/phone-lock.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { dayMs } from '#shared/rules/durations.ts'
import { lockAfterDays, type PhoneLock } from '#shared/rules/phone-lock.ts'

const remindAfterDays = 3

// Intl's plural rules would be one more file for the members' list to load.
const daysOf = (count: number) => (count === 1 ? '1 day' : `${count} days`)

type Props = { lock: PhoneLock; stored: Pick<StoredArea, 'sync' | 'clock' | 'listSavedAt' | 'userSavedAt'> }

export function PhoneNotices({ lock, stored }: Props) {
  const { waitingSince } = stored.sync
  const days = waitingSince === null ? 0 : Math.floor((phoneNow(stored) - waitingSince) / dayMs)
  return (
    <>
      <AsOf savedAt={stored.listSavedAt ?? stored.userSavedAt} />
      {lock.kind === 'warned' && (
        <Banner role="status" icon="nosignal" title={`${lockAfterDays - lock.daysLeft} days offline`}>
          {`We’ll lock what’s saved on this phone in ${daysOf(lock.daysLeft)}. Open the members’ area while you’re online and it’ll stay.`}
        </Banner>
      )}
      {days >= remindAfterDays && (
        <Banner
          role="status"
          title={`Not sent for ${daysOf(days)}`}
          action={
            <ButtonLink look="line" isSmall to="/members/$place" params={{ place: 'sync' }}>
              See what’s not sent
            </ButtonLink>
          }
        >
          Open this page when you’ve got signal and we’ll send it.
        </Banner>
      )}
    </>
  )
}
