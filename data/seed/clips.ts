import type { MediaFormat } from '#shared/values/media.ts'

/** A clip in data/seed/media, made by scripts/samples/clips.ts. Its id is fixed, so that texts can use its address. */
export type ClipSeed = { id: string; file: string; format: MediaFormat; isPublic: boolean }

type Named = { name: string; format: MediaFormat; isPublic: boolean }

const clip = (number: number, { name, format, isPublic }: Named): ClipSeed => ({
  id: `01940000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  file: `${name}.${format}`,
  format,
  isPublic,
})

/** Each as MP4 and WebM: every browser plays one of them. */
const film = (number: number, name: string, isPublic: boolean) => [
  clip(number, { name, format: 'mp4', isPublic }),
  clip(number + 1, { name, format: 'webm', isPublic }),
]

const lessons = {
  office: film(10, 'lesson-office', false),
  van: film(12, 'lesson-van', false),
  customer: film(14, 'lesson-customer', false),
  crew: film(16, 'lesson-crew', false),
}

/** What a category's lessons play until they have a video of their own. */
const clipsByCategory: Partial<Record<string, readonly ClipSeed[]>> = {
  Strategy: lessons.office,
  Money: lessons.office,
  'Systems & Automations': lessons.office,
  Sales: lessons.customer,
  Service: lessons.customer,
  Team: lessons.crew,
  'Guest evenings': lessons.crew,
}
export const lessonClips = (category: string): readonly ClipSeed[] => clipsByCategory[category] ?? lessons.van

export const filmClips = {
  home: film(30, 'film-home', true),
  demo: film(32, 'film-demo', true),
  caseStudy: film(34, 'film-case', true),
}

/** A public page's training videos. They're public copies: the members' rows for the same bytes stay private. */
export const trainingClips = ['van', 'customer', 'crew', 'office'].map((name, at) =>
  film(40 + 2 * at, `lesson-${name}`, true),
)

/** MP3, and Ogg for browsers that only play that. */
const talk = (number: number) => [
  clip(50 + 2 * number, { name: `episode-${number}`, format: 'mp3', isPublic: true }),
  clip(51 + 2 * number, { name: `episode-${number}`, format: 'ogg', isPublic: true }),
]
export const episodeClips = [talk(1), talk(2), talk(3)]

export const clipSeeds: readonly ClipSeed[] = [lessons, filmClips, trainingClips, episodeClips].flatMap((group) =>
  Object.values(group).flat(),
)
