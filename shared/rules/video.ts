import type { TierSlug } from '#shared/contract/tier.ts'
import type { MemberVideo, VideoType } from '#shared/contract/video.ts'

/** The order members see categories in until the owners choose another. Any other category comes after these. */
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

const defaultVideoMinutes = 5

export type VideoCategory<Video> = { name: string; isListed: boolean; videos: Video[]; minutes: number }

type Categorised = Pick<MemberVideo, 'category' | 'orderIndex' | 'duration' | 'title'>

export function inCategoryOrder<Video extends { category: string }>(
  videos: readonly Video[],
  order: readonly string[],
): Video[] {
  const ranks = new Map(order.map((name, rank) => [name, rank]))
  const rank = ({ category }: Video) => ranks.get(category) ?? order.length
  const byName = (one: string, other: string) => (one === other ? 0 : one.localeCompare(other))
  return videos.toSorted((one, other) => rank(one) - rank(other) || byName(one.category, other.category))
}

/** The videos by category, in the order the list first names them, and by position within one. `minutes` is rounded up. */
export function videosByCategory<Video extends Categorised>(videos: readonly Video[]): VideoCategory<Video>[] {
  const listed: readonly string[] = videoCategories
  const names = [...new Set(videos.map((video) => video.category))]
  return names.map((name) => {
    const own = videos.filter((video) => video.category === name)
    own.sort((one, other) => one.orderIndex - other.orderIndex || one.title.localeCompare(other.title))
    return { name, isListed: listed.includes(name), videos: own, minutes: totalMinutes(own) }
  })
}

/** The next video in the list, across categories; null after the last. */
export function nextVideo<Video extends { id: string }>(
  categories: readonly Pick<VideoCategory<Video>, 'videos'>[],
  { id }: Pick<Video, 'id'>,
): Video | null {
  const all = categories.flatMap(({ videos }) => videos)
  return all[all.findIndex((video) => video.id === id) + 1] ?? null
}

export type VideoToContinue<Video> = { video: Video; seconds: number }

/** What to continue with: the video they last left unfinished, where they stopped, or else the first that isn't done. */
export function videoToContinue<Video extends { id: string }>(
  categories: readonly Pick<VideoCategory<Video>, 'videos'>[],
  isDone: (id: string) => boolean,
  positions: ReadonlyMap<string, { seconds: number; at: number }>,
): VideoToContinue<Video> | null {
  const open = categories.flatMap(({ videos }) => videos).filter(({ id }) => !isDone(id))
  const begun = open.flatMap((video) => {
    const position = positions.get(video.id)
    return position && position.seconds > 0 ? [{ video, ...position }] : []
  })
  const last = begun.toSorted((one, other) => other.at - one.at)[0]
  if (last) return { video: last.video, seconds: last.seconds }
  return open[0] ? { video: open[0], seconds: 0 } : null
}

export function positionInCategory<Video extends { id: string }>(
  categories: readonly VideoCategory<Video>[],
  { id }: Pick<Video, 'id'>,
) {
  const category = categories.find(({ videos }) => videos.some((video) => video.id === id))
  const at = category?.videos.findIndex((video) => video.id === id) ?? -1
  return {
    number: at + 1,
    count: category?.videos.length ?? 0,
    previous: category?.videos[at - 1] ?? null,
    next: category?.videos[at + 1] ?? null,
  }
}

export function totalMinutes(videos: readonly Pick<MemberVideo, 'duration'>[]): number {
  return Math.ceil(videos.reduce((sum, video) => sum + (video.duration ?? defaultVideoMinutes), 0))
}

/** `45 sec` for less than a minute, else `12 min`. `minutes` may be a fraction. */
export function formatDuration(minutes: number | null): string {
  const length = minutes ?? defaultVideoMinutes
  return length < 1 ? `${Math.round(length * 60)} sec` : `${Math.round(length)} min`
}

/** `2:05`, or `1:02:05` from an hour on. */
export function formatPosition(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** The video that a question is about, with the second it stood at. */
export const videoAskedAt = ({ title, seconds }: { title: string; seconds: number }): string =>
  seconds > 0 ? `${title}, at ${formatPosition(seconds)}` : title

/** From this share of a video on, we ask the member whether it's done. */
export const nearlyDone = 0.9

export const isInTier = (video: { tierAccess: readonly TierSlug[] }, tier: TierSlug) => video.tierAccess.includes(tier)

const hostedPlayers: Record<Exclude<VideoType, 'embed'>, (id: string) => string> = {
  wistia: (id) => `https://fast.wistia.net/embed/iframe/${id}`,
  youtube: (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  streamyard: (id) => `https://streamyard.com/embed/${id}`,
}

/** The hosts whose players we embed without the option EMBED_HOSTS. */
export const videoHosts = [
  'https://fast.wistia.net',
  'https://www.youtube-nocookie.com',
  'https://streamyard.com',
] as const

/** The address of a video's player; null if we can't embed it, because the id is malformed or the address isn't https. */
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

export const videoAddress = ({ slug }: Pick<MemberVideo, 'slug'>) => `/members/videos/${slug}`

export const captionsAddress = (videoId: string) => `/api/member-videos/${videoId}/captions`
