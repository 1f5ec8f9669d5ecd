import { useCallback, useEffect, useMemo, useState } from 'react'
import { type AuthSession, useSession } from '#pwa/features/auth/session-store.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import { formOf } from '#pwa/sync/progress/kept.ts'
import type { KeptMark, ShelfView } from '#pwa/sync/progress/status.ts'
import { savesData } from '#pwa/sync/shelf/network.ts'
import type { Shelf } from '#pwa/sync/shelf/shelf.ts'
import { keptPath } from '#shared/rules/kept-path.ts'
import { captionsAddress } from '#shared/rules/video.ts'
import { useStoredArea } from './use-stored-area.ts'

/** By video: what's on this phone, or on its way here. */
export type KeptMarks = ReadonlyMap<string, KeptMark>

/** Undefined until we've read this phone's store. `form` is what's kept next. */
export function useShelfView(): ShelfView | undefined {
  const stored = useStoredArea()?.shelf
  return useMemo(
    () => stored && { ...stored, shelf: { ...stored.shelf, form: formOf(stored.shelf, savesData()) } },
    [stored],
  )
}

/** What fetches comes in its own file, after the screen is there. */
async function openShelf(session: AuthSession, engine: Engine): Promise<Shelf> {
  return (await loadFile(() => import('#pwa/sync/shelf/open-shelf.ts'))).openShelf(engine, session.sync)
}

/** Without Web Locks a logout couldn't be sure that nothing is written after it. */
export const canKeepHere = (): boolean =>
  'locks' in navigator &&
  'serviceWorker' in navigator &&
  'caches' in globalThis &&
  globalThis.crypto.subtle !== undefined

/** Goes on with what this phone keeps, at each opening. An owner viewing as a member keeps nothing. */
export function useShelfAtWork(session: AuthSession, engine: Engine | null): void {
  useEffect(() => {
    if (engine !== null && !engine.isReadOnly && canKeepHere()) openShelf(session, engine).catch(reportUnlessOffline)
  }, [session, engine])
}

/** Without signal its file may not be here yet; the next opening tries again. */
function reportUnlessOffline(error: unknown): void {
  if (navigator.onLine) reportError(error)
}

/** Runs what the member asks of the shelf, and reports what fails. */
export function useShelf() {
  const session = useSession()
  const engine = useEngine()
  return useCallback(
    async (act: (shelf: Shelf) => Promise<void> | void): Promise<void> => {
      if (session) await act(await openShelf(session, engine))
    },
    [session, engine],
  )
}

/** Only a page under the service worker gets an answer at a kept video's address. */
const hasWorker = () => navigator.serviceWorker?.controller != null

/** The video's address on this phone; undefined while it isn't whole. */
export const keptVideoAddress = (mark: KeptMark | undefined): string | undefined =>
  mark?.whole && hasWorker() ? keptPath.ofVideo(mark.whole) : undefined

/** What a video player gets of it. Sound alone stands in for the picture only without signal. */
const keptToWatch = (mark: KeptMark | undefined, hasSignal: boolean): string | undefined =>
  hasSignal && mark?.whole?.form === 'sound' ? undefined : keptVideoAddress(mark)

/**
 * What a player shows. What it began with plays to its end, since another address would begin it again, unless the signal goes and
 * the video has been kept meanwhile: then `carryOn` moves to the phone's own.
 */
export function useWatched(mark: KeptMark | undefined, hasSignal: boolean) {
  const [keptAddress, setAddress] = useState(() => keptToWatch(mark, hasSignal))
  const here = hasSignal || keptAddress !== undefined ? undefined : keptVideoAddress(mark)
  return { keptAddress, carryOn: here === undefined ? undefined : () => setAddress(here) }
}

/** Where a video's captions are read; undefined if they can't be. */
export function captionsOf(videoId: string, mark: KeptMark | undefined, hasSignal: boolean): string | undefined {
  if (mark?.hasCaptions && hasWorker()) return keptPath.ofCaptions(videoId)
  return hasSignal ? captionsAddress(videoId) : undefined
}
