import { useCallback, useState } from 'react'
import * as v from 'valibot'
import { useEngine, useSnapshot } from '#pwa/sync/hooks.ts'
import { saveSnapshot } from '#pwa/sync/snapshots.ts'
import { newVisit, standsOpen, withChoice, withWork } from './standing-open.ts'

const snapshotName = 'open-categories'
const Chosen = v.record(v.string(), v.boolean())

/** Which categories stand open, by what the member chose and where work waits; null until the device has answered. */
export const useStandingOpen = (working: readonly string[]) => {
  const { store } = useEngine()
  const kept = useSnapshot(snapshotName, Chosen)
  const [visit, setVisit] = useState(newVisit)
  const now = withWork(visit, working)
  if (now !== visit) setVisit(now)
  const choose = useCallback(
    (category: string, isOpen: boolean) => {
      setVisit((before) => withChoice(before, category, isOpen))
      const value = { ...kept, [category]: isOpen }
      saveSnapshot(store, snapshotName, { value, savedAt: Date.now() }).catch(reportError)
    },
    [store, kept],
  )
  if (kept === undefined) return null
  return { isOpen: (category: string) => standsOpen(kept ?? {}, now, category), choose }
}
