import { useMemo, useState } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { refreshVideos } from '#pwa/sync/progress/snapshots.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import type { ProgressByVideo } from './shelf.ts'
import type { ChosenOpen } from './standing-open.ts'
import { type Refresh, useRefresh } from './use-refresh.ts'
import { useSameProgress } from './use-same.ts'

/** What this device keeps of the list; each is undefined until it has answered. */
export type KeptList = {
  videos: MemberVideo[] | undefined
  progress: ProgressByVideo | undefined
  chosen: ChosenOpen | undefined
}

type Options = { kept: KeptList; session: AuthSession; hasAccess: boolean; onRefused: () => void }

/** Null until this device has a list to show; an empty one counts once the server has said that it is empty. */
export type VideoShelf = {
  content: { videos: MemberVideo[]; progress: ProgressByVideo; chosen: ChosenOpen } | null
  refresh: Refresh
}

/** The videos and how far they are, as this device keeps them; the list is renewed behind. */
export function useVideoShelf({ kept, session, hasAccess, onRefused }: Options): VideoShelf {
  const { store } = useEngine()
  const { videos, chosen } = kept
  const progress = useSameProgress(kept.progress)
  const [isNoneYet, setNoneYet] = useState(false)
  const renew = useMemo(() => {
    if (!hasAccess) return null
    return async () => {
      const result = await refreshVideos(store, session.sync.fetch, Date.now())
      if (result === 'unauthenticated' || result === 'forbidden') onRefused()
      if (result === 'cached') throw noAnswer()
      if (result === 'fresh') setNoneYet((await store.videos.count()) === 0)
    }
  }, [store, session, hasAccess, onRefused])
  const refresh = useRefresh(renew)
  const content = useMemo(() => {
    if (videos === undefined || progress === undefined || chosen === undefined) return null
    return videos.length > 0 || isNoneYet ? { videos, progress, chosen } : null
  }, [videos, progress, chosen, isNoneYet])
  return { content, refresh }
}

const noAnswer = () =>
  new RequestError({
    status: 0,
    code: 'offline',
    message: '0: No answer',
    text: 'The list of videos could not be renewed.',
  })
