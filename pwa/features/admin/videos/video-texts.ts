import type { AdminVideo, VideoRequest } from '#shared/contract/admin-video.ts'
import { type TierSlug, tierSlugs } from '#shared/contract/tier.ts'
import type { VideoType } from '#shared/contract/video.ts'
import { formatDuration } from '#shared/rules/video.ts'

export const videoTypeLabels: Record<VideoType, string> = {
  wistia: 'Wistia',
  youtube: 'YouTube',
  streamyard: 'StreamYard',
  embed: 'Embed',
}

export const tierLabels: Record<TierSlug, string> = { lite: 'Lite', standard: 'Standard', xl: 'XL' }

export const tiersOf = ({ tierAccess }: Pick<AdminVideo, 'tierAccess'>): string =>
  tierAccess.length === tierSlugs.length
    ? 'All tiers'
    : tierSlugs
        .filter((slug) => tierAccess.includes(slug))
        .map((slug) => tierLabels[slug])
        .join(', ')

export const stateOf = ({ isPublished }: Pick<AdminVideo, 'isPublished'>): string =>
  isPublished ? 'Published' : 'Draft'

/** Every field as a person reads it, to set two versions side by side. */
export const videoFields: readonly [label: string, text: (video: VideoRequest) => string][] = [
  ['Title', ({ title }) => title],
  ['Description', ({ description }) => description ?? ''],
  ['Type', ({ videoType }) => videoTypeLabels[videoType]],
  ['Video ID/URL', ({ videoId }) => videoId],
  ['Player address', ({ embedUrl }) => embedUrl ?? ''],
  ['Category', ({ category }) => category],
  ['Order', ({ orderIndex }) => String(orderIndex)],
  ['Length', ({ duration }) => (duration === null ? '' : formatDuration(duration))],
  ['Tiers', tiersOf],
  ['State', stateOf],
]
