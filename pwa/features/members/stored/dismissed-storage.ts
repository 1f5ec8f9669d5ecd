import * as v from 'valibot'
import { findSnapshot, readSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore, Snapshot } from '#pwa/sync/progress/store.ts'

/** The announcements a member has dismissed on this device, until the server knows. */
const Ids = v.array(v.string())
const name = 'put-away'

export const findDismissed = (snapshots: readonly Snapshot[]): string[] => findSnapshot(snapshots, name, Ids) ?? []

export const readDismissed = async (store: MemberStore): Promise<string[]> =>
  (await readSnapshot(store, name, Ids)) ?? []

export const changeDismissed = (store: MemberStore, change: (ids: string[]) => string[]): Promise<void> =>
  store.dexie.transaction('rw', store.snapshots, store.meta, async () => {
    const before = await readDismissed(store)
    const value = change(before)
    if (value.length !== before.length) await saveSnapshot(store, name, { value, savedAt: Date.now() })
  })
