import type { TierName } from '#pwa/features/admin/tiers/use-tier-names.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { formatDuration, isInTier, videosByCategory } from '#shared/rules/video.ts'

type Props = { tier: TierSlug; tierName: TierName; videos: readonly AdminVideo[]; onWatch: (video: AdminVideo) => void }

/** What a member of this tier sees: published videos of the tier, in the members' order. */
export function VideoPreviewSection({ tier, tierName, videos, onWatch }: Props) {
  const categories = videosByCategory(videos.filter((video) => video.isPublished && isInTier(video, tier)))
  if (categories.length === 0)
    return <EmptyState title="Content Coming Soon">{`${tierName(tier)} members see no video yet.`}</EmptyState>
  return categories.map(({ name, videos, minutes }) => (
    <section key={name} className="vids" aria-label={name}>
      <h3>
        {name}{' '}
        <span className="second">{`${videos.length === 1 ? '1 video' : `${videos.length} videos`} · ${minutes} min`}</span>
      </h3>
      <ol className="plain">
        {videos.map((video) => (
          <li key={video.id} className="vid">
            <div className="vid__what">
              <h4>{video.title}</h4>
              {video.description && <p className="second">{video.description}</p>}
              <p className="vid__meta">{formatDuration(video.duration)}</p>
            </div>
            <Button look="line" isSmall icon="play" aria-label={`Watch: ${video.title}`} onClick={() => onWatch(video)}>
              Watch
            </Button>
          </li>
        ))}
      </ol>
    </section>
  ))
}
