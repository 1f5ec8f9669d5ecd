import { useCallback, useEffect, useRef } from 'react'
import { track } from '#pwa/lib/track.ts'
import { useEngine, type useSyncState } from '#pwa/sync/hooks.ts'
import { loadToasts, useToast } from '#pwa/ui/toast.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { tickFailure } from './shelf.ts'

type State = ReturnType<typeof useSyncState>

/** Ticking and trying again, each said in a toast; neither changes between renders. */
export function useTicks(state: State, videos: readonly MemberVideo[]) {
  const engine = useEngine()
  const toast = useToast()
  const canSend = useRef(true)
  const shown = useRef(videos)
  useEffect(() => {
    canSend.current = state === undefined || (state.isOnline && state.paused === null)
    shown.current = videos
  }, [state, videos])
  useEffect(() => {
    // The first tick may come when the signal has gone. Without it now, it comes with that tick.
    loadToasts().catch(() => {})
  }, [])
  const tick = useCallback(
    async (videoId: string, completed: boolean) => {
      try {
        await engine.toggle(videoId, completed)
        const title = completed ? 'Video Completed' : 'Video Marked Incomplete'
        if (completed) countCompletion(shown.current, videoId)
        toast({ title, description: canSend.current ? undefined : 'Saved on this phone.', tone: 'ok' })
      } catch (error) {
        toast({ title: tickFailure(completed), description: 'It could not be kept on this phone.', tone: 'bad' })
        reportError(error)
      }
    },
    [engine, toast],
  )
  const retry = useCallback((refusedId: string) => engine.retryRefused(refusedId).catch(reportError), [engine])
  return { tick, retry }
}

function countCompletion(videos: readonly MemberVideo[], videoId: string) {
  const video = videos.find(({ id }) => id === videoId)
  if (video) track({ name: 'video_complete', videoName: video.title })
}

/** Says aloud what the server has refused since the page was opened; the row keeps saying it. */
export function useRefusalToasts(state: State) {
  const toast = useToast()
  const known = useRef<ReadonlySet<string> | null>(null)
  const refused = state?.refused
  useEffect(() => {
    if (refused === undefined) return
    const fresh = known.current && refused.find(({ id }) => !known.current?.has(id))
    known.current = new Set(refused.map(({ id }) => id))
    if (fresh) toast({ title: tickFailure(fresh.completed), description: fresh.message, tone: 'bad' })
  }, [refused, toast])
}
