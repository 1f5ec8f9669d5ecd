import { useEffect, useState } from 'react'
import type { SessionUser } from '#shared/contract/auth.ts'
import { type PhoneLock, phoneLock } from '#shared/rules/phone-lock.ts'
import type { StoredArea } from './area/use-stored-area.ts'

type Known = Pick<StoredArea, 'userSavedAt' | 'billing' | 'billingSavedAt' | 'sync' | 'clock'> & { user: SessionUser }

/** The later of the device's corrected clock and any time it has seen, so that putting the clock back opens nothing. */
export const phoneNow = ({ clock }: Pick<Known, 'clock'>) => Math.max(Date.now() + clock.offset, clock.at)

export function readPhoneLock(known: Known): PhoneLock {
  const { user, userSavedAt, billing, billingSavedAt, sync, clock } = known
  const syncedAt = sync.lastSyncedAt === null ? 0 : Date.parse(sync.lastSyncedAt)
  return phoneLock(
    {
      user: { hasAccess: user.isMember || user.isAdmin, isOwner: user.isAdmin, savedAt: userSavedAt },
      billing: billing && { ...billing, savedAt: billingSavedAt ?? 0 },
      lastResponseAt: Math.max(syncedAt, userSavedAt + clock.offset),
    },
    phoneNow(known),
  )
}

/** A page may stay open past the end of a membership. */
const checkEveryMs = 60_000

export function usePhoneLock(known: Known): PhoneLock {
  const [, checkAgain] = useState('')
  useEffect(() => {
    const timer = setInterval(() => checkAgain(JSON.stringify(readPhoneLock(known))), checkEveryMs)
    return () => clearInterval(timer)
  }, [known])
  return readPhoneLock(known)
}
