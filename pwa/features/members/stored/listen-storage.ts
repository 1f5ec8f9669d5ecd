import * as v from 'valibot'
import { findSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore, Snapshot } from '#pwa/sync/progress/store.ts'
import type { KeptQueue } from '#shared/rules/listen-queue.ts'

const Listening = v.object({ videoIds: v.array(v.string()), currentId: v.nullable(v.string()) })
const name = 'listening'

/** The queue as this phone remembers it. */
export const findListening = (snapshots: readonly Snapshot[]): KeptQueue | null =>
  findSnapshot(snapshots, name, Listening)

export const saveListening = (store: MemberStore, value: KeptQueue): Promise<void> =>
  saveSnapshot(store, name, { value, savedAt: Date.now() })
