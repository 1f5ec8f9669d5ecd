import type { Context } from '#api/context.ts'
import { askIfStale, isReplaced, replacedSentence } from '#api/copies/replaced.ts'
import type { Respond } from './request-turns.ts'

/** Soon their browser finds the other one. */
const sentence = `${replacedSentence} Try again in a minute.`
const headers = { 'cache-control': 'private, no-store', 'retry-after': '60' }

/** Answers nothing but that, once another machine has taken over: what someone saved here now would be lost. */
export function unlessReplaced(ctx: Context, respond: Respond): Respond {
  if (ctx.settings.copies.store === null) return respond
  const respondNow: Respond = (request) => (isReplaced(ctx) ? replacedResponse(request) : respond(request))
  return (request) => askIfStale(ctx)?.then(() => respondNow(request)) ?? respondNow(request)
}

function replacedResponse({ url }: Request): Response {
  const { pathname } = new URL(url)
  const options = { status: 503, headers }
  if (pathname === '/ready') return Response.json({ ready: false, release: null }, options)
  if (!pathname.startsWith('/api')) return new Response(sentence, options)
  return Response.json({ error: { code: 'busy', message: sentence } }, options)
}
