import { useEffect, useMemo } from 'react'
import * as v from 'valibot'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { findSnapshot, readSnapshot, saveSnapshot, saveTogether } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore, Snapshot } from '#pwa/sync/progress/store.ts'

/** The videos the member knew before this visit (`known`), and those they know now (`latest`). `at` is ms since 1970. */
const Visit = v.object({ known: v.array(v.string()), latest: v.array(v.string()), at: v.number() })
export type Visit = v.InferOutput<typeof Visit>

const snapshotName = 'visit'

export const findVisit = (snapshots: readonly Snapshot[]): Visit | null => findSnapshot(snapshots, snapshotName, Visit)

/** After this long away, a new visit starts. */
const awayMs = 4 * 60 * 60_000

/** The visit continued with this list; on the first one nothing counts as new. */
export function nextVisit(before: Visit | null, ids: readonly string[], now: number): Visit {
  if (before === null) return { known: [...ids], latest: [...ids], at: now }
  const latest = [...new Set([...before.latest, ...ids])]
  const isAnother = now - before.at > awayMs
  return { known: isAnother ? before.latest : before.known, latest, at: now }
}

/** The videos added since the member's last visit. */
export function useNewVideos(videos: readonly { id: string }[], visit: Visit | null): ReadonlySet<string> {
  const { store } = useEngine()
  useEffect(() => {
    saveVisit(
      store,
      videos.map(({ id }) => id),
    ).catch(reportUnlessClosed)
  }, [store, videos])
  return useMemo(() => {
    const known = new Set(visit?.known)
    return new Set(visit === null ? [] : videos.flatMap(({ id }) => (known.has(id) ? [] : [id])))
  }, [videos, visit])
}

const saveVisit = (store: MemberStore, ids: readonly string[]): Promise<void> =>
  saveTogether(store, async () => {
    const now = Date.now()
    const value = nextVisit(await readSnapshot(store, snapshotName, Visit), ids, now)
    await saveSnapshot(store, snapshotName, { value, savedAt: now })
  })
