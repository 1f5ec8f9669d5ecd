import { useCallback, useState } from 'react'
import * as v from 'valibot'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { findSnapshot, readSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore, Snapshot } from '#pwa/sync/progress/store.ts'

/** From this index on, categories start closed. */
export const firstClosedIndex = 3

export type OpenByName = Readonly<Record<string, boolean>>

/** The member's earlier choices, stored on this device; null if they've never made one. */
export type ChosenOpen = OpenByName | null

/** What was opened and closed since the page opened, and the categories with a waiting or refused tick. */
export type Visit = { shown: OpenByName; unsent: readonly string[] }

export const newVisit: Visit = { shown: {}, unsent: [] }

export const isCategoryOpen = (chosen: OpenByName, { shown }: Visit, category: string): boolean =>
  shown[category] ?? chosen[category] ?? false

/** A tick that has just become unsent opens its category for the rest of the visit, unless the member closes it. */
export function openCategoriesOfUnsent(visit: Visit, unsent: readonly string[]): Visit {
  const fresh = unsent.filter((category) => !visit.unsent.includes(category))
  if (fresh.length === 0 && unsent.length === visit.unsent.length) return visit
  return { unsent, shown: { ...visit.shown, ...Object.fromEntries(fresh.map((category) => [category, true])) } }
}

export const withChoice = (visit: Visit, category: string, isOpen: boolean): Visit => ({
  ...visit,
  shown: { ...visit.shown, [category]: isOpen },
})

const snapshotName = 'open-categories'
const Chosen = v.record(v.string(), v.boolean())

export const findChosenOpen = (snapshots: readonly Snapshot[]): ChosenOpen =>
  findSnapshot(snapshots, snapshotName, Chosen)

export function useOpenCategories(unsent: readonly string[], chosen: ChosenOpen) {
  const { store } = useEngine()
  const [visit, setVisit] = useState(newVisit)
  const now = openCategoriesOfUnsent(visit, unsent)
  if (now !== visit) setVisit(now)
  const choose = useCallback(
    (category: string, isOpen: boolean) => {
      setVisit((before) => withChoice(before, category, isOpen))
      saveChoice(store, { [category]: isOpen }).catch(reportUnlessClosed)
    },
    [store],
  )
  return { isOpen: (category: string) => isCategoryOpen(chosen ?? {}, now, category), choose }
}

/** In one transaction: a second choice may come before the first is read back. */
const saveChoice = (store: MemberStore, choice: OpenByName): Promise<void> =>
  store.dexie.transaction('rw', store.snapshots, store.meta, async () => {
    const value = { ...(await readSnapshot(store, snapshotName, Chosen)), ...choice }
    await saveSnapshot(store, snapshotName, { value, savedAt: Date.now() })
  })
