import { replaceEqualDeep } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import {
  readTagged,
  refreshTexts,
  refreshVideos,
  requestIfChanged,
  saveResponse,
} from '#pwa/sync/progress/snapshots.ts'
import type { ShownProgress } from '#pwa/sync/progress/status.ts'
import type { PositionRow } from '#pwa/sync/progress/store.ts'
import { MemberAnnouncements } from '#shared/contract/announcement.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { MemberCalls } from '#shared/contract/member-calls.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import { changeDismissed, readDismissed } from './dismissed-storage.ts'
import type { ChosenOpen } from './use-open-categories.ts'
import type { KeptMarks } from './use-shelf.ts'
import type { StoredArea } from './use-stored-area.ts'

export type Refresh = { isBusy: boolean; problem: Error | null; retry: () => void }

/** `isForced`: data loaded a moment ago isn't fresh enough. */
type Load = (options: { isForced: boolean }) => Promise<void>

/**
 * Calls `load` now, whenever the signal returns, and on `retry`, but never without signal. Only the last call counts. `load`
 * mustn't change between renders; null: there's nothing to load.
 */
export function useRefresh(load: Load | null): Refresh {
  const [state, setState] = useState<Omit<Refresh, 'retry'>>({ isBusy: true, problem: null })
  const calls = useRef(0)
  const run = useCallback(
    (isForced: boolean) => {
      calls.current += 1
      const call = calls.current
      const settle = (error: unknown) => {
        if (call === calls.current) setState({ isBusy: false, problem: error === null ? null : asProblem(error) })
      }
      if (load === null) return settle(null)
      if (!navigator.onLine) return settle(noSignal)
      // The signal is back; any other problem stays until a call succeeds.
      setState(({ problem }) => ({ isBusy: true, problem: problem === noSignal ? null : problem }))
      load({ isForced }).then(() => settle(null), settle)
    },
    [load],
  )
  const retry = useCallback(() => run(true), [run])
  useEffect(() => {
    run(false)
    window.addEventListener('online', retry)
    return () => {
      calls.current += 1
      window.removeEventListener('online', retry)
    }
  }, [run, retry])
  return { ...state, retry }
}

const noSignal = new RequestError({
  status: 0,
  code: 'offline',
  message: '0: No signal',
  text: 'No signal.',
})

/** Anything but a RequestError is a bug, and we report it as one. */
function asProblem(error: unknown): Error {
  if (!(error instanceof RequestError)) reportUnlessClosed(error)
  return error instanceof Error ? error : new Error(String(error))
}

/** Whether the server said no one is logged in. */
export const isLoggedOut = ({ problem }: Pick<Refresh, 'problem'>): boolean =>
  problem instanceof RequestError && problem.code === 'unauthenticated'

export function useBillingRefresh(session: AuthSession): Refresh {
  const { store } = useEngine()
  const load = useCallback(async () => {
    const requestedAt = Date.now()
    const known = await readTagged(store, 'billing', BillingSubscription)
    const asked = await requestIfChanged(BillingSubscription, known, (options) =>
      session.api.api.billing.subscription.get(options),
    )
    // A change made since has brought a newer response; `requestedAt` lets that one win.
    await saveResponse(store, 'billing', { ...asked, savedAt: Date.now(), requestedAt })
  }, [store, session])
  return useRefresh(load)
}

/** Refreshes the member's calls in the background. Null: without access there are none. */
export function useCallsRefresh(session: AuthSession, hasAccess: boolean): Refresh {
  const { store } = useEngine()
  const load = useMemo(() => {
    if (!hasAccess) return null
    return async () => {
      const known = await readTagged(store, 'calls', MemberCalls)
      const asked = await requestIfChanged(MemberCalls, known, (options) => session.api.api.calendar.mine.get(options))
      await saveResponse(store, 'calls', { ...asked, savedAt: Date.now() })
    }
  }, [store, session, hasAccess])
  return useRefresh(load)
}

/** Notes are for days: an app reopened soon doesn't ask for them again. */
const notesRenewalMs = 10 * 60_000

/** Refreshes the dashboard's notes, and tells the server which were dismissed on this device. */
export function useNotesRefresh(session: AuthSession, hasAccess: boolean): Refresh {
  const { store } = useEngine()
  const load = useMemo(() => {
    if (!hasAccess) return null
    let isLaunch = true
    return async () => {
      const [ids, known] = await Promise.all([readDismissed(store), store.snapshots.get('notes')])
      const isFresh = isLaunch && ids.length === 0 && known && Date.now() - known.savedAt < notesRenewalMs
      isLaunch = false
      if (isFresh) return
      const { api } = session.api
      const value = await parseResponse(
        MemberAnnouncements,
        ids.length > 0 ? api.announcements['put-away'].put({ ids }) : api.announcements.get(),
      )
      await saveResponse(store, 'notes', { value, savedAt: Date.now() })
      // One dismissed in the meantime is left for the next time.
      if (ids.length > 0) await changeDismissed(store, (waiting) => waiting.filter((id) => !ids.includes(id)))
    }
  }, [store, session, hasAccess])
  return useRefresh(load)
}

type Options = { stored: StoredArea; session: AuthSession; hasAccess: boolean; onRefused: () => void }

/** Video id → progress; a video without an entry has never been ticked. */
export type ProgressByVideo = ReadonlyMap<string, ShownProgress>

/** Null until this device has a list to show. An empty one counts once the server has said it's empty. */
export type VideoList = {
  content: {
    videos: MemberVideo[]
    progress: ProgressByVideo
    positions: ReadonlyMap<string, PositionRow>
    kept: KeptMarks
    chosen: ChosenOpen
  } | null
  refresh: Refresh
}

/** The videos and their progress from this device; refreshes the list in the background. */
export function useVideoList({ stored, session, hasAccess, onRefused }: Options): VideoList {
  const { store } = useEngine()
  const { videos, chosen } = stored
  const progress = useStableEntries(stored.progress)
  const positions = useStableEntries(stored.positions)
  const kept = useStableEntries(stored.kept)
  const [isKnownEmpty, setKnownEmpty] = useState(false)
  const load = useMemo(() => {
    if (!hasAccess) return null
    return async () => {
      const result = await refreshVideos(store, session.sync.fetch, Date.now())
      if (result === 'unauthenticated' || result === 'forbidden') onRefused()
      if (result === 'cached') throw listNotRefreshed()
      if (typeof result === 'string') return
      // In the background, behind what's already on screen.
      refreshTexts(store, session.sync.fetch, result.texts, Date.now()).catch(reportUnlessClosed)
      setKnownEmpty(result.isEmpty)
    }
  }, [store, session, hasAccess, onRefused])
  const refresh = useRefresh(load)
  const content = useMemo(
    () => (videos.length > 0 || isKnownEmpty ? { videos, progress, positions, kept, chosen } : null),
    [videos, progress, positions, kept, chosen, isKnownEmpty],
  )
  return { content, refresh }
}

const listNotRefreshed = () =>
  new RequestError({
    status: 0,
    code: 'offline',
    message: '0: No response',
    text: 'We couldn’t update the videos.',
  })

/**
 * Returns the same object as long as its content is equal. Every step of sending reads this device's store, and most steps change
 * nothing on screen.
 */
export function useStable<Value>(value: Value): Value {
  const last = useRef(value)
  last.current = replaceEqualDeep(last.current, value)
  return last.current
}

/** The same for a map: entry by entry, and the whole map if all entries are equal. */
function useStableEntries<Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  const last = useRef(map)
  if (map !== last.current) last.current = shareEntries(last.current, map)
  return last.current
}

function shareEntries<Value>(before: ReadonlyMap<string, Value>, now: ReadonlyMap<string, Value>) {
  const shared = new Map<string, Value>()
  for (const [videoId, value] of now) shared.set(videoId, replaceEqualDeep(before.get(videoId), value))
  const isSame = before.size === shared.size && [...shared].every(([videoId, value]) => before.get(videoId) === value)
  return isSame ? before : shared
}
