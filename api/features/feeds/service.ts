import type { Context } from '#api/context.ts'
import { type FeedChannel, renderRobots, renderRss, renderSitemap } from '#api/documents/feeds.ts'
import { type FeedEpisode, type PodcastChannel, podcastFeed } from '#api/documents/podcast-feed.ts'
import { publishedPosts } from '#api/features/blog/queries.ts'
import { type EpisodeRow, publishedEpisodes } from '#api/features/podcast/queries.ts'
import { type CompressedBody, compressBody } from '#api/http/compressed-response.ts'
import { cacheVersion } from '#api/http/response-cache.ts'
import { episodePicture } from '#shared/contract/podcast.ts'
import { mediaAddress, mediaTypes } from '#shared/rules/media.ts'

/** What the feeds need of the site. A new `version` throws away everything that was written before. */
export type FeedSource = {
  version: () => number
  channel: () => FeedChannel
  podcast: () => PodcastChannel
  /** The paths that anybody may open, without those that have a parameter. */
  publicPaths: () => Promise<readonly string[]>
}

export type Feeds = {
  sitemap(): Promise<CompressedBody>
  rss(): Promise<CompressedBody>
  podcast(): Promise<CompressedBody>
  robots(): Promise<CompressedBody>
}

/** The documents for machines, each written once for each version of posts and content. */
export function createFeeds(ctx: Context, source: FeedSource): Feeds {
  const { publicUrl } = ctx.settings
  const cached = (write: () => Promise<string> | string) =>
    cacheByVersion(() => `${cacheVersion(ctx)}.${source.version()}`, write)
  return {
    sitemap: cached(async () => renderSitemap(publicUrl, await source.publicPaths(), publishedPosts(ctx))),
    rss: cached(() => renderRss(publicUrl, source.channel(), publishedPosts(ctx))),
    podcast: cached(() => podcastFeed(publicUrl, source.podcast(), publishedEpisodes(ctx).map(toFeedEpisode))),
    robots: cached(() => renderRobots(publicUrl)),
  }
}

function toFeedEpisode(row: EpisodeRow): FeedEpisode {
  const { mediaId, mediaFormat, publishedAt, createdAt, ...episode } = row
  return {
    ...episode,
    picture: episodePicture(row),
    publishedAt: publishedAt ?? createdAt,
    // Apple knows M4A by this name alone; as a file it has the registered one.
    type: mediaFormat === 'm4a' ? 'audio/x-m4a' : mediaTypes[mediaFormat],
    path: mediaAddress({ id: mediaId, format: mediaFormat, isPublic: true }),
  }
}

/** Requests that come while the document is written share it; one that could not be written is not cached. */
function cacheByVersion(
  readVersion: () => string,
  write: () => Promise<string> | string,
): () => Promise<CompressedBody> {
  let cached: { version: string; body: Promise<CompressedBody> } | undefined
  return () => {
    const version = readVersion()
    if (cached?.version === version) return cached.body
    const made = { version, body: Promise.resolve().then(write).then(compressBody) }
    cached = made
    made.body.catch(() => {
      if (cached === made) cached = undefined
    })
    return made.body
  }
}
