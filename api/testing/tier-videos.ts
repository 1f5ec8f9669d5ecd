import type { World } from './world.ts'

/** The ids of the videos a tier sees, published or not. */
export const videosOfTier = ({ ctx }: World, slug: string): string[] =>
  ctx.sqlite
    .prepare<[string], string>('select videoId from video_tiers where tierSlug = ? order by videoId')
    .pluck()
    .all(slug)
