import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { closedPolicy } from '#api/http/closed-policy.ts'
import { type CompressedBody, compressedResponse, type HandlerInput } from '#api/http/compressed-response.ts'
import type { Site } from '#api/http/page-cache.ts'
import { createFeedSource } from '#api/http/page-source.ts'
import { session } from '#api/http/session.ts'
import { createFeeds } from './service.ts'

export function feedRoutes(ctx: Context, site?: Site) {
  const { sitemap, rss, podcast, robots } = createFeeds(ctx, createFeedSource(ctx, site))
  return new Elysia({ name: 'feeds' })
    .use(session(ctx))
    .get('/sitemap.xml', serveFeed('application/xml', sitemap), { open: true })
    .get('/rss.xml', serveFeed('application/rss+xml', rss), { open: true })
    .get('/podcast.xml', serveFeed('application/rss+xml', podcast), { open: true })
    .get('/robots.txt', serveFeed('text/plain', robots), { open: true })
}

function serveFeed(type: string, document: () => Promise<CompressedBody>) {
  const headers = {
    ...{ 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' },
    'content-security-policy': closedPolicy,
  }
  return async ({ request, set }: HandlerInput) => compressedResponse({ request, set }, await document(), { headers })
}
