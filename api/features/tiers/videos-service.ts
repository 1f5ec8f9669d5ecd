import { eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { videoTiers } from '#api/db/schema/videos.ts'
import type { TierSlug } from '#shared/contract/tier.ts'

/** A new tier begins with the videos another one sees. */
export function seeVideosLike(ctx: Context, slug: TierSlug, like: TierSlug): void {
  ctx.db
    .insert(videoTiers)
    .select(
      ctx.db
        .select({ videoId: videoTiers.videoId, tierSlug: sql`${slug}`.mapWith(videoTiers.tierSlug).as('tierSlug') })
        .from(videoTiers)
        .where(eq(videoTiers.tierSlug, like)),
    )
    .onConflictDoNothing()
    .run()
}
