import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { TierSlug } from '#shared/contract/tier.ts'
import { jsonOf } from './expressions.ts'
import type { HasDb } from './query.ts'
import { membershipTiers } from './schema/tiers.ts'
import { memberVideos, videoTiers } from './schema/videos.ts'

/** Which tiers see a video, in display order. Nested in another `sql`, or Drizzle drops the table names. */
export const tiersOfVideo = sql`${sql`(select json_group_array(slug) from (
  select ${videoTiers.tierSlug} as slug from ${videoTiers} join ${membershipTiers} on ${membershipTiers.slug} = ${videoTiers.tierSlug}
  where ${videoTiers.videoId} = ${memberVideos.id} order by ${membershipTiers.orderIndex}))`}`.mapWith(
  jsonOf(v.array(TierSlug)),
)

/** The same in any order and unparsed, where parsing would take as long as reading the row. */
export const unparsedTiersOfVideo =
  sql`${sql`(select json_group_array(${videoTiers.tierSlug}) from ${videoTiers} where ${videoTiers.videoId} = ${memberVideos.id})`}`.mapWith(
    String,
  )

/** Call it in the caller's transaction. */
export function setVideoTiers({ db }: HasDb, videoId: string, slugs: readonly TierSlug[]): void {
  db.delete(videoTiers).where(eq(videoTiers.videoId, videoId)).run()
  const rows = [...new Set(slugs)].map((tierSlug) => ({ videoId, tierSlug }))
  if (rows.length > 0) db.insert(videoTiers).values(rows).run()
}
