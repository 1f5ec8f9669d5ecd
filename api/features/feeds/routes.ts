import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { type Asked, answerReady, type ReadyBytes } from '#api/http/ready-bytes.ts'
import { session } from '#api/http/session.ts'
import { type FeedSource, openFeeds } from './service.ts'

/** The addresses where search engines and feed readers look. */
export function feedRoutes(ctx: Context, source: FeedSource) {
  const { sitemap, rss, robots } = openFeeds(ctx, source)
  return new Elysia({ name: 'feeds' })
    .use(session(ctx))
    .get('/sitemap.xml', serve('application/xml', sitemap), { open: true })
    .get('/rss.xml', serve('application/rss+xml', rss), { open: true })
    .get('/robots.txt', serve('text/plain', robots), { open: true })
}

function serve(type: string, document: () => Promise<ReadyBytes>) {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' }
  return async ({ request, set }: Asked) => answerReady({ request, set }, await document(), { headers })
}
