import type { TierSlug } from '#shared/contract/tier.ts'
import type { MemberVideo, VideoType } from '#shared/contract/video.ts'

/** The order in which members see the categories; any other follows these. */
export const videoCategories = [
  'Strategy',
  'Money',
  'Time',
  'Marketing',
  'Sales',
  'Service',
  'Systems & Automations',
  'Team',
  'Leadership',
] as const

/** Minutes that count for a video whose length nobody entered. */
const defaultVideoMinutes = 5

export type VideoCategory<Video> = { name: string; isListed: boolean; videos: Video[]; minutes: number }

type Categorised = Pick<MemberVideo, 'category' | 'orderIndex' | 'duration' | 'title'>

/** Videos under their categories, both in order. `minutes` is rounded up. */
export function videosByCategory<Video extends Categorised>(videos: readonly Video[]): VideoCategory<Video>[] {
  const listed: readonly string[] = videoCategories
  const names = [...new Set(videos.map((video) => video.category))]
  const rank = (name: string) => (listed.includes(name) ? listed.indexOf(name) : listed.length)
  names.sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
  return names.map((name) => {
    const own = videos.filter((video) => video.category === name)
    own.sort((one, other) => one.orderIndex - other.orderIndex || one.title.localeCompare(other.title))
    return { name, isListed: listed.includes(name), videos: own, minutes: totalMinutes(own) }
  })
}

export function totalMinutes(videos: readonly Pick<MemberVideo, 'duration'>[]): number {
  return Math.ceil(videos.reduce((sum, video) => sum + (video.duration ?? defaultVideoMinutes), 0))
}

/** Seconds under a minute, whole minutes otherwise. `minutes` may be a fraction. */
export function formatDuration(minutes: number | null): string {
  const length = minutes ?? defaultVideoMinutes
  return length < 1 ? `${Math.round(length * 60)} sec` : `${Math.round(length)} min`
}

/** Whether a tier's members may see a video. */
export const isInTier = (video: { tierAccess: readonly TierSlug[] }, tier: TierSlug) => video.tierAccess.includes(tier)

const hostedPlayers: Record<Exclude<VideoType, 'embed'>, (id: string) => string> = {
  wistia: (id) => `https://fast.wistia.net/embed/iframe/${id}`,
  youtube: (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  streamyard: (id) => `https://streamyard.com/embed/${id}`,
}

/** Hosts whose players may be framed without being configured. */
export const videoHosts = [
  'https://fast.wistia.net',
  'https://www.youtube-nocookie.com',
  'https://streamyard.com',
] as const

/**
 * The address of a video's player, or null where there is none that may be framed: an unknown id, or an embed that is
 * not https.
 */
export function playerAddress(video: Pick<MemberVideo, 'videoType' | 'videoId' | 'embedUrl'>): string | null {
  if (video.videoType === 'embed') {
    const address = video.embedUrl || video.videoId
    return URL.canParse(address) && new URL(address).protocol === 'https:' ? address : null
  }
  if (
    video.embedUrl &&
    URL.canParse(video.embedUrl) &&
    videoHosts.some((host) => new URL(video.embedUrl ?? '').origin === host)
  ) {
    return video.embedUrl
  }
  const isId = video.videoType === 'youtube' ? /^[\w-]{11}$/ : /^[\w-]{1,64}$/
  return isId.test(video.videoId) ? hostedPlayers[video.videoType](video.videoId) : null
}
