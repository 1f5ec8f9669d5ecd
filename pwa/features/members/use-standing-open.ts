import { useCallback, useState } from 'react'
import * as v from 'valibot'
import { useEngine, useSnapshot } from '#pwa/sync/hooks.ts'
import { readSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import { type ChosenOpen, newVisit, type OpenByName, standsOpen, withChoice, withWork } from './standing-open.ts'

const snapshotName = 'open-categories'
const Chosen = v.record(v.string(), v.boolean())

export const useChosenOpen = (): ChosenOpen | undefined => useSnapshot(snapshotName, Chosen)

/** Which categories stand open, by what the member chose and where work waits. */
export function useStandingOpen(working: readonly string[], chosen: ChosenOpen) {
  const { store } = useEngine()
  const [visit, setVisit] = useState(newVisit)
  const now = withWork(visit, working)
  if (now !== visit) setVisit(now)
  const choose = useCallback(
    (category: string, isOpen: boolean) => {
      setVisit((before) => withChoice(before, category, isOpen))
      keepChoice(store, { [category]: isOpen }).catch(reportError)
    },
    [store],
  )
  return { isOpen: (category: string) => standsOpen(chosen ?? {}, now, category), choose }
}

/** In one transaction: two choices may follow each other faster than the first is read back. */
const keepChoice = (store: MemberStore, choice: OpenByName): Promise<void> =>
  store.dexie.transaction('rw', store.snapshots, store.meta, async () => {
    const value = { ...(await readSnapshot(store, snapshotName, Chosen)), ...choice }
    await saveSnapshot(store, snapshotName, { value, savedAt: Date.now() })
  })
