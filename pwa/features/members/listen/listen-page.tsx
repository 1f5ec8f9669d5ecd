import { useCallback, useEffect, useMemo, useState } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import { VideosOrReason } from '#pwa/features/members/frame/videos-or-reason.tsx'
import { saveListening } from '#pwa/features/members/stored/listen-storage.ts'
import { useVideoList, type VideoList } from '#pwa/features/members/stored/use-member-data.ts'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { keptVideoAddress, useShelfView } from '#pwa/features/members/stored/use-shelf.ts'
import { useRefusedToasts, useVideoProgress } from '#pwa/features/members/videos/use-video-progress.ts'
import { listenTitle } from '#pwa/features/places/account-places.ts'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { type LiveSyncState, useEngine, useLiveSyncState } from '#pwa/sync/hooks.ts'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { type KeptQueue, queueAtOpening, todaysQueue } from '#shared/rules/listen-queue.ts'
import { videosByCategory } from '#shared/rules/video.ts'
import { ListenPlayer } from './listen-player.tsx'
import { ListenQueue } from './listen-queue.tsx'
import { heardNow, useRadio } from './radio.tsx'
import './listen.css'

/** The sound of the next videos, one after the other, for the road. */
export default function ListenPage() {
  return (
    <StoredGate
      page="dashboard"
      title={listenTitle}
      returnTo="/members/listen"
      skeleton={<ListenSkeleton />}
      Page={OpenListen}
    />
  )
}

function OpenListen({ session, userRefresh, onLogout, stored, user }: OpenedArea) {
  const hasAccess = user.isMember || user.isAdmin
  const lock = usePhoneLock({ ...stored, user })
  const sync = useLiveSyncState(stored.sync)
  const videoList = useVideoList({ stored, session, hasAccess, onRefused: userRefresh.retry })
  return (
    <div className="wrap account account--pairs">
      <nav className="account__back" aria-label="Account">
        <TextLink isTap to="/members">
          All videos
        </TextLink>
        <LogoutLink onLogout={onLogout} />
      </nav>
      <h1 className="account__title">{listenTitle}</h1>
      <VideosOrReason
        lock={lock}
        videoList={videoList}
        sync={sync}
        billing={stored.billing}
        skeleton={<Skeleton size="block" />}
      >
        {(content) => <Listen content={content} sync={sync} session={session} kept={stored.listening} />}
      </VideosOrReason>
    </div>
  )
}

type ListenProps = {
  content: NonNullable<VideoList['content']>
  sync: LiveSyncState
  session: AuthSession
  kept: KeptQueue | null
}

function Listen({ content, sync, session, kept }: ListenProps) {
  const { videos, progress, positions } = content
  const { tick } = useVideoProgress(sync)
  useRefusedToasts(sync)
  const addressesOf = useAddresses(content, sync.isOnline)
  const isDone = (id: string) => progress.get(id)?.completed === true
  const canPlay = (id: string) => videos.some((video) => video.id === id && addressesOf(video).length > 0)
  const engine = useEngine()
  // What plays isn't taken away when it's ticked.
  const [first] = useState(() => {
    const today = todaysQueue(videosByCategory(videos), { isDone, canPlay, positions })
    return queueAtOpening(
      kept,
      today.map(({ id }) => id),
      (id) => !isDone(id) || id === heardNow(engine)?.current?.id,
    )
  })
  const [videoIds, setVideoIds] = useState(first.videoIds)
  const queue = useMemo(() => {
    const byId = new Map(videos.map((video) => [video.id, video]))
    return videoIds.flatMap((id) => byId.get(id) ?? [])
  }, [videos, videoIds])
  const heard = useRadio(session, { queue, addressesOf, positions, lastId: first.currentId })
  useKeptQueue({ videoIds, currentId: heard?.current?.id ?? first.currentId }, first)
  const others = videosByCategory(videos)
    .flatMap((category) => category.videos)
    .filter((video) => !queue.includes(video) && addressesOf(video).length > 0)
  if (queue.length === 0 && others.length === 0)
    return (
      <EmptyState title="Nothing to play here" level={2}>
        {sync.isOnline
          ? 'These videos are on another site, which only plays with the picture.'
          : 'Keep a video on this phone while you’re online, and you can listen to it here.'}
      </EmptyState>
    )
  if (heard === null) return <Skeleton size="block" />
  const { current } = heard
  return (
    <>
      <ListenPlayer
        heard={heard}
        isDone={current !== null && isDone(current.id)}
        onComplete={(id) => void tick(id, true)}
      />
      <ListenQueue
        queue={queue}
        others={others}
        isDone={isDone}
        canPlay={canPlay}
        currentId={current?.id ?? null}
        onPlay={heard.play}
        onChange={(changed) => setVideoIds(changed.map(({ id }) => id))}
      />
    </>
  )
}

/** Remembered once it's another than at the opening. */
function useKeptQueue({ videoIds, currentId }: KeptQueue, first: KeptQueue): void {
  const { store } = useEngine()
  useEffect(() => {
    if (videoIds !== first.videoIds || currentId !== first.currentId)
      saveListening(store, { videoIds, currentId }).catch(reportUnlessClosed)
  }, [store, videoIds, currentId, first])
}

/** Where a video's sound is, the best first: on this phone, as sound alone, in its file. */
function useAddresses({ kept }: Pick<ListenProps['content'], 'kept'>, isOnline: boolean) {
  const keepable = useShelfView()?.keepable
  return useCallback(
    ({ id, files = [] }: MemberVideo): readonly string[] => {
      const own = keptVideoAddress(kept.get(id))
      const sound = keepable?.get(id)?.sound?.address
      return [...(own ? [own] : []), ...(isOnline ? [...(sound ? [sound] : []), ...files] : [])]
    },
    [kept, keepable, isOnline],
  )
}

const ListenSkeleton = () => (
  <div className="wrap account" role="status" aria-label="Loading">
    <Skeleton size="title" isShort />
    <Skeleton size="block" />
  </div>
)
