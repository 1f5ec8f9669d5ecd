import type { Context } from '#api/context.ts'
import { type FeedChannel, robots, rss, sitemap } from '#api/documents/feeds.ts'
import { publishedPosts } from '#api/features/blog/queries.ts'
import { databaseVersion } from '#api/http/kept.ts'
import { makeReady, type ReadyBytes } from '#api/http/ready-bytes.ts'

/** What the feeds need of the site. A new `version` throws away everything that was made before. */
export type FeedSource = {
  version: () => number
  channel: () => FeedChannel
  /** The paths that anybody may open, those that vary left out. */
  publicPaths: () => Promise<readonly string[]>
}

export type Feeds = { sitemap(): Promise<ReadyBytes>; rss(): Promise<ReadyBytes>; robots(): Promise<ReadyBytes> }

/** The documents for machines, each made once per version of posts and content. */
export function openFeeds(ctx: Context, source: FeedSource): Feeds {
  const { publicUrl } = ctx.settings
  const keep = (build: () => Promise<string> | string) =>
    keepReady(() => `${databaseVersion(ctx)}.${source.version()}`, build)
  return {
    sitemap: keep(async () => sitemap(publicUrl, await source.publicPaths(), publishedPosts(ctx))),
    rss: keep(() => rss(publicUrl, source.channel(), publishedPosts(ctx))),
    robots: keep(() => robots(publicUrl)),
  }
}

function keepReady(versionNow: () => string, build: () => Promise<string> | string): () => Promise<ReadyBytes> {
  let kept: { version: string; bytes: Promise<ReadyBytes> } | undefined
  return () => {
    const version = versionNow()
    if (kept?.version === version) return kept.bytes
    const making = { version, bytes: Promise.resolve().then(build).then(makeReady) }
    kept = making
    making.bytes.catch(() => {
      if (kept === making) kept = undefined
    })
    return making.bytes
  }
}
