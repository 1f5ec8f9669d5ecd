import type { TierList } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import type { VideoType } from '#shared/contract/video.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { formatDuration } from '#shared/rules/video.ts'

export const videoTypeLabels: Record<VideoType, string> = {
  wistia: 'Wistia',
  youtube: 'YouTube',
  streamyard: 'StreamYard',
  embed: 'Another player',
}

export const tiersOf = ({ tierAccess = [] }: Partial<Pick<AdminVideo, 'tierAccess'>>, tierList: TierList): string =>
  tierAccess.length === tierList.slugs.length
    ? 'All tiers'
    : tierList.slugs
        .filter((slug) => tierAccess.includes(slug))
        .map(tierList.nameOf)
        .join(', ')

type State = Pick<AdminVideo, 'isPublished' | 'availableFrom'>

export const isShown = ({ isPublished, availableFrom }: State): boolean =>
  isPublished && (availableFrom === null || availableFrom <= londonDay(new Date()))

export const stateOf = (video: State): string =>
  isShown(video)
    ? 'Published'
    : video.isPublished && video.availableFrom
      ? `From ${formatLongDate(video.availableFrom)}`
      : 'Draft'

export const textsLabel = ({ texts = [] }: Pick<AdminVideo, 'texts'>): string =>
  texts.length === 0 ? 'No notes, transcript or captions yet' : `With ${listFormat.format(texts)}`

export const filesLabel = ({ files = [], handouts = [] }: Pick<AdminVideo, 'files' | 'handouts'>): string =>
  [
    files.length > 0 ? plural(files.length, 'uploaded file') : '',
    handouts.length > 0 ? plural(handouts.length, 'download') : '',
  ]
    .filter(Boolean)
    .join(', ')

const listFormat = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** Counted from 1, as the places in a category are. */
export const orderOf = ({ orderIndex }: Pick<AdminVideo, 'orderIndex'>) => String(orderIndex + 1)

/** Someone who counts from 0 gets the first place too. What’s below is the form’s mistake to name. */
export const readOrder = (typed: string) => (Number(typed) > 0 ? Number(typed) - 1 : Number(typed))

export const videoFields = (tierList: TierList): readonly [label: string, text: (video: AdminVideo) => string][] => [
  ['Title', ({ title }) => title],
  ['Description', ({ description }) => description ?? ''],
  ['Type', ({ videoType }) => videoTypeLabels[videoType]],
  ['Video ID/URL', ({ videoId }) => videoId],
  ['Player address', ({ embedUrl }) => embedUrl ?? ''],
  ['Category', ({ category }) => category],
  ['Order', orderOf],
  ['Length', ({ duration }) => (duration === null ? '' : formatDuration(duration))],
  ['Tiers', (video) => tiersOf(video, tierList)],
  ['State', stateOf],
]
