import { useEffect, useState } from 'react'
import { readPhoneLock } from '#pwa/sync/progress/phone-lock.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import type { PhoneLock } from '#shared/rules/phone-lock.ts'
import type { StoredArea } from './use-stored-area.ts'

type Known = Pick<StoredArea, 'userSavedAt' | 'billing' | 'billingSavedAt' | 'sync' | 'clock'> & { user: SessionUser }

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
