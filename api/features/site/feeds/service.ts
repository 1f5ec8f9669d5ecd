import type { Context } from '#api/context.ts'
import { type FeedChannel, renderRobots, renderRss, renderSitemap } from '#api/documents/feeds.ts'
import { type FeedEpisode, type PodcastChannel, podcastFeed } from '#api/documents/podcast-feed.ts'
import { publishedPosts } from '#api/features/site/blog/queries.ts'
import { type EpisodeRow, publishedEpisodes } from '#api/features/site/podcast/queries.ts'
import { type CompressedBody, compressBody } from '#api/serving/compressed-response.ts'
import { cacheVersion } from '#api/serving/kept-answers.ts'
import { contentOf } from '#api/site/content.ts'
import { episodePicture } from '#shared/contract/podcast.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { mediaAddress, mediaTypes } from '#shared/values/media.ts'

/** What feeds need from the site. A new `version` invalidates everything cached. */
export type FeedSource = {
  version: () => number
  channel: () => FeedChannel
  podcast: () => PodcastChannel
  publicPaths: () => Promise<readonly string[]>
}

export type Feeds = {
  sitemap(): Promise<CompressedBody>
  rss(): Promise<CompressedBody>
  podcast(): Promise<CompressedBody>
  robots(): Promise<CompressedBody>
}

/** Sitemap, feeds and robots.txt, each written once per version of posts and content. */
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

/** Where to report a security fault (RFC 9116). It holds for 90 days from when it's read, because it must say until when. */
export function securityText(ctx: Context): string {
  const { publicUrl } = ctx.settings
  const contact = contentOf(ctx).read().site.brand.email
  return [
    `Contact: ${contact === '' ? `${publicUrl}/contact` : `mailto:${contact}`}`,
    `Expires: ${new Date(ctx.now().getTime() + 90 * dayMs).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

function toFeedEpisode(row: EpisodeRow): FeedEpisode {
  const { mediaId, mediaFormat, publishedAt, createdAt, ...episode } = row
  return {
    ...episode,
    picture: episodePicture(row),
    publishedAt: publishedAt ?? createdAt,
    // Apple recognises M4A by this type only; as a file it uses the registered one.
    type: mediaFormat === 'm4a' ? 'audio/x-m4a' : mediaTypes[mediaFormat],
    path: mediaAddress({ id: mediaId, format: mediaFormat, isPublic: true }),
  }
}

/** Concurrent requests share one write. A failed one isn't cached. */
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
