import { useMemo } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { UntilWeak } from '#pwa/features/chrome/until-weak.tsx'
import { type EnteredMember, MemberGate } from '#pwa/features/members/frame/member-gate.tsx'
import { Coming } from '#pwa/features/members/frame/members-skeleton.tsx'
import { AsOf, SyncStatus } from '#pwa/features/members/frame/sync-status.tsx'
import { VideosOrReason } from '#pwa/features/members/frame/videos-or-reason.tsx'
import { useStable, useVideoList, type VideoList } from '#pwa/features/members/stored/use-member-data.ts'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { type StoredArea, useStoredArea } from '#pwa/features/members/stored/use-stored-area.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useTitle } from '#pwa/lib/use-title.ts'
import { useLiveSyncState } from '#pwa/sync/hooks.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import { videosByCategory } from '#shared/rules/video.ts'
import { VideoSection } from './video-section.tsx'
import './video-page.css'

export const VideoPage = ({ slug }: { slug: string }) => (
  <MemberGate page="dashboard" title="Video" returnTo={`/members/videos/${slug}`} skeleton={<VideoSkeleton />}>
    {({ memberId, ...member }) => <VideoArea key={memberId} slug={slug} {...member} />}
  </MemberGate>
)

type AreaProps = Omit<EnteredMember, 'memberId'> & { slug: string }

function VideoArea(props: AreaProps) {
  const stored = useStable(useStoredArea())
  return stored?.user ? (
    <OpenVideo {...props} stored={stored} user={stored.user} />
  ) : (
    <Coming title="Video">
      <VideoSkeleton />
    </Coming>
  )
}

type OpenProps = AreaProps & { stored: StoredArea; user: SessionUser }

function OpenVideo({ slug, session, userRefresh, onLogout, stored, user }: OpenProps) {
  const hasAccess = user.isMember || user.isAdmin
  const lock = usePhoneLock({ ...stored, user })
  const isOpen = lock.kind === 'open' || lock.kind === 'warned'
  const sync = useLiveSyncState(stored.sync)
  const videoList = useVideoList({ stored, session, hasAccess, onRefused: userRefresh.retry })
  const isFound = isOpen && videoList.content?.videos.some((video) => video.slug === slug)
  return (
    <div className="lessons">
      {!isFound && <h1 className="vh">Video</h1>}
      <div className="lessons__top">
        <nav className="lessons__way" aria-label="Account">
          <TextLink isTap to="/members">
            All videos
          </TextLink>
          <LogoutLink onLogout={onLogout} />
        </nav>
        {(hasAccess || sync.pending + sync.commitments + sync.refused.length > 0) && <SyncStatus sync={sync} />}
      </div>
      <AsOf savedAt={stored.listSavedAt ?? stored.userSavedAt} />
      <VideosOrReason
        lock={lock}
        videoList={videoList}
        sync={sync}
        billing={stored.billing}
        skeleton={<VideoSkeleton />}
      >
        {(content) => (
          <FoundVideo
            slug={slug}
            content={content}
            sync={sync}
            isRenewing={videoList.refresh.isBusy && sync.isOnline}
          />
        )}
      </VideosOrReason>
    </div>
  )
}

type FoundProps = {
  slug: string
  content: NonNullable<VideoList['content']>
  sync: ReturnType<typeof useLiveSyncState>
  /** This device's data may be too old to know the video. */
  isRenewing: boolean
}

function FoundVideo({ slug, content: { videos, progress, positions, kept }, sync, isRenewing }: FoundProps) {
  const categories = useMemo(() => videosByCategory(videos), [videos])
  const video = videos.find((one) => one.slug === slug)
  const { name } = useSiteContent().brand
  // When the page opened, the device may not have known the video.
  useTitle(video ? `${video.title}: ${name}` : null)
  if (video === undefined)
    return isRenewing ? <UntilWeak skeleton={<VideoSkeleton />} /> : <VideoMissing isOnline={sync.isOnline} />
  const stoppedAt = positions.get(video.id)?.seconds ?? 0
  return (
    <VideoSection
      key={video.id}
      video={video}
      categories={categories}
      progress={progress}
      stoppedAt={stoppedAt}
      sync={sync}
      kept={kept.get(video.id)}
    />
  )
}

const VideoMissing = ({ isOnline }: { isOnline: boolean }) => (
  <EmptyState
    title={isOnline ? 'We can’t find that video' : 'You need signal'}
    level={2}
    action={
      <ButtonLink to="/members" icon="arrow">
        All videos
      </ButtonLink>
    }
  >
    {isOnline
      ? 'It’s been taken down, or it’s not part of your membership.'
      : 'This video isn’t on your phone yet. Open it once while you’re online.'}
  </EmptyState>
)

const VideoSkeleton = () => (
  <div className="lessons" role="status" aria-label="Loading the video">
    <div className="members__skeleton">
      <Skeleton size="title" isShort />
      <Skeleton size="block" />
      <Skeleton />
    </div>
  </div>
)
