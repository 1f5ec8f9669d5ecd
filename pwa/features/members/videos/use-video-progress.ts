import { useCallback, useEffect, useRef } from 'react'
import type { ProgressByVideo } from '#pwa/features/members/stored/use-member-data.ts'
import { type LiveSyncState, useEngine } from '#pwa/sync/hooks.ts'
import { loadToasts, useToast } from '#pwa/ui/toast.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'

/** Ticking a video and retrying a refused tick, each with a toast. Neither function changes between renders. */
export function useVideoProgress(state: LiveSyncState) {
  const engine = useEngine()
  const toast = useToast()
  const canSend = useRef(true)
  useEffect(() => {
    canSend.current = state.isOnline && state.paused === null
  }, [state])
  useEffect(() => {
    // The first tick may be made without signal. If the toasts can't load now, that tick tries again.
    loadToasts().catch(() => {})
  }, [])
  const tick = useCallback(
    async (videoId: string, completed: boolean) => {
      try {
        await engine.toggle(videoId, completed)
        const title = completed ? 'Video Completed' : 'Video Marked Incomplete'
        toast({ title, description: canSend.current ? undefined : 'Saved on this phone.', tone: 'ok' })
      } catch (error) {
        toast({ title: tickFailureText(completed), description: 'We couldn’t save it on this phone.', tone: 'bad' })
        reportError(error)
      }
    },
    [engine, toast],
  )
  const retry = useCallback((refusedId: string) => engine.retryRefused(refusedId).catch(reportError), [engine])
  return { tick, retry }
}

export function useRefusedToasts(state: LiveSyncState) {
  const toast = useToast()
  const known = useRef<ReadonlySet<string> | null>(null)
  const { refused } = state
  useEffect(() => {
    const fresh = known.current && refused.find(({ id }) => !known.current?.has(id))
    known.current = new Set(refused.map(({ id }) => id))
    if (fresh) toast({ title: tickFailureText(fresh.completed), description: fresh.message, tone: 'bad' })
  }, [refused, toast])
}

export const countCompleted = (videos: readonly Pick<MemberVideo, 'id'>[], progress: ProgressByVideo): number =>
  videos.filter(({ id }) => progress.get(id)?.completed).length

export function categoriesWithUnsent(
  videos: readonly Pick<MemberVideo, 'id' | 'category'>[],
  progress: ProgressByVideo,
): string[] {
  const open = videos.filter(({ id }) => (progress.get(id)?.tick.kind ?? 'sent') !== 'sent')
  return [...new Set(open.map(({ category }) => category))]
}

export const tickFailureText = (completed: boolean): string =>
  completed ? 'Failed to mark video as completed' : 'Failed to mark video as incomplete'
