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
const bothFormats = (number: number, name: string, isPublic: boolean) => [
  clip(number, { name, format: 'mp4', isPublic }),
  clip(number + 1, { name, format: 'webm', isPublic }),
]

const clips = {
  office: bothFormats(10, 'lesson-office', false),
  van: bothFormats(12, 'lesson-van', false),
  customer: bothFormats(14, 'lesson-customer', false),
  crew: bothFormats(16, 'lesson-crew', false),
}

/** What a category's videos play until they have a file of their own. */
const clipsByCategory: Partial<Record<string, readonly ClipSeed[]>> = {
  Strategy: clips.office,
  Money: clips.office,
  'Systems & Automations': clips.office,
  Sales: clips.customer,
  Service: clips.customer,
  Team: clips.crew,
  'Guest evenings': clips.crew,
}
export const memberClips = (category: string): readonly ClipSeed[] => clipsByCategory[category] ?? clips.van

export const publicClips = {
  home: bothFormats(30, 'film-home', true),
  demo: bothFormats(32, 'film-demo', true),
  caseStudy: bothFormats(34, 'film-case', true),
}

/** A public page's training videos. They're public copies: the members' rows for the same bytes stay private. */
export const trainingClips = ['van', 'customer', 'crew', 'office'].map((name, at) =>
  bothFormats(40 + 2 * at, `lesson-${name}`, true),
)

/** MP3, and Ogg for browsers that only play that. */
const talk = (number: number) => [
  clip(50 + 2 * number, { name: `episode-${number}`, format: 'mp3', isPublic: true }),
  clip(51 + 2 * number, { name: `episode-${number}`, format: 'ogg', isPublic: true }),
]
export const episodeClips = [talk(1), talk(2), talk(3)]

export const clipSeeds: readonly ClipSeed[] = [clips, publicClips, trainingClips, episodeClips].flatMap((group) =>
  Object.values(group).flat(),
)
