import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { session } from '#api/http/session.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'
import { type CompressedBody, compressedResponse, type HandlerInput } from '#api/serving/compressed-response.ts'
import { createFeeds, type FeedSource, securityText } from './service.ts'

export function feedRoutes(ctx: Context, source: FeedSource) {
  const { sitemap, rss, podcast, robots } = createFeeds(ctx, source)
  return (
    new Elysia({ name: 'feeds', tags: ['The public site'] })
      .use(session(ctx))
      .get(
        '/sitemap.xml',
        serveFeed('application/xml', sitemap),
        feedRoute('application/xml', 'Lists the public pages for search engines.'),
      )
      .get(
        '/rss.xml',
        serveFeed('application/rss+xml', rss),
        feedRoute('application/rss+xml', 'Returns the blog as a feed.'),
      )
      .get(
        '/podcast.xml',
        serveFeed('application/rss+xml', podcast),
        feedRoute('application/rss+xml', 'Returns the podcast as a feed.'),
      )
      .get(
        '/robots.txt',
        serveFeed('text/plain', robots),
        feedRoute('text/plain', 'Tells search engines where they may look.'),
      )
      .get(
        '/.well-known/security.txt',
        ({ set }) => respondWithText(set, securityText(ctx)),
        feedRoute('text/plain', 'Says where to report a security fault.'),
      )
      // Where a password manager sends someone whose password has leaked (W3C, a well-known URL for changing passwords).
      .get('/.well-known/change-password', ({ redirect }) => redirect('/members/sign-in', 303), {
        open: true,
        says: 'Leads to where you change your password.',
        response: { 303: v.void(), ...errorResponses },
      })
  )
}

function respondWithText(set: HandlerInput['set'], text: string): string {
  Object.assign(set.headers, { 'content-type': 'text/plain; charset=utf-8' })
  return text
}

/** A new object each time, because Elysia mutates a route's options. */
const feedRoute = (type: string, says: string) => ({
  open: true as const,
  says,
  response: { 200: fileOf(type), ...errorResponses },
})

function serveFeed(type: string, document: () => Promise<CompressedBody>) {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-cache',
    'content-security-policy': closedPolicy,
  }
  return async ({ request, set }: HandlerInput) => compressedResponse({ request, set }, await document(), { headers })
}
