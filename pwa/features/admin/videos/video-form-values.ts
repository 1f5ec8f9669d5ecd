import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'

/** What stands in the form, as the contract reads it. */
export const readVideoForm = (typed: FormValues) => ({
  ...typed,
  orderIndex: Number(typed.orderIndex ?? 0),
  availableFrom: typed.availableFrom || null,
  duration: typed.duration ? Number(typed.duration) : null,
  tierAccess: tierSlugs.filter((slug) => typed[`tier:${slug}`] === 'on'),
  isPublished: typed.isPublished === 'on',
})

const tiersTicked = (isTicked: (slug: (typeof tierSlugs)[number]) => boolean): FormValues =>
  Object.fromEntries(tierSlugs.filter(isTicked).map((slug) => [`tier:${slug}`, 'on']))

/** The key makes one video of a form that is sent twice, because its response was lost. */
export const newVideoValues = (): FormValues => ({
  videoType: 'wistia',
  orderIndex: '0',
  isPublished: 'on',
  key: uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes))),
  ...tiersTicked(() => true),
})

export const valuesOfVideo = (video: AdminVideo): FormValues => ({
  title: video.title,
  description: video.description ?? '',
  videoType: video.videoType,
  videoId: video.videoId,
  embedUrl: video.embedUrl ?? '',
  category: video.category,
  orderIndex: String(video.orderIndex),
  duration: video.duration === null ? '' : String(video.duration),
  availableFrom: video.availableFrom ?? '',
  version: String(video.version),
  ...(video.isPublished ? { isPublished: 'on' } : {}),
  ...tiersTicked((slug) => video.tierAccess.includes(slug)),
})
