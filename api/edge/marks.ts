import type { Context } from '#api/context.ts'
import type { Respond } from '#api/http/request-turns.ts'

/** A CDN keeps what it may for a day at most. We tell it sooner whenever something changes. */
const keptSeconds = 86_400

/** Made from content, tiers, videos and posts, so they change with every version of those. */
const listPaths = /^\/(rss\.xml|podcast\.xml|sitemap\.xml|robots\.txt|manifest\.webmanifest|favicon\.ico)$/
const pictures = /^\/(icons|social|pictures)\//
const media = /^\/(media|photographs)\//

/**
 * Says on each answer whether a CDN may keep it, and under which tag: `surrogate-control` and `surrogate-key`, which a CDN
 * removes. Anything else it must not keep. A wrong Host never fills its store.
 */
export function markForEdge(ctx: Context, respond: Respond): Respond {
  if (ctx.settings.cdn === null) return respond
  const { host } = new URL(ctx.settings.publicUrl)
  return async (request) => {
    const response = await respond(request)
    const tag = request.headers.get('host') === host ? tagOf(request, response) : null
    if (tag === null) return isImmutable(response) ? response : keepNowhere(response, isApi(request))
    response.headers.set('surrogate-control', `max-age=${keptSeconds}`)
    response.headers.set('surrogate-key', tag)
    return response
  }
}

/** The tag an answer is kept under; null if it's a person's, a draft, a secret's or a failure. */
function tagOf({ method, url }: Request, { status, headers }: Response): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  if (status !== 200 && status !== 301 && status !== 304) return null
  const caching = headers.get('cache-control') ?? ''
  if (headers.has('set-cookie') || /no-store|private/.test(caching) || caching === '') return null
  if (isApi({ url })) return null
  const { pathname } = new URL(url)
  if (media.test(pathname)) return 'media'
  if (pictures.test(pathname)) return 'brand'
  if (listPaths.test(pathname) || headers.get('x-page') === 'page' || status === 301) return 'pages'
  return null
}

const isApi = ({ url }: Pick<Request, 'url'>) => new URL(url).pathname.startsWith('/api/')

/** Files whose name is the hash of their content. */
const isImmutable = ({ headers }: Response) => /\bimmutable\b/.test(headers.get('cache-control') ?? '')

/** The browser may still revalidate its own copy of a page, but no one in between keeps one. */
function keepNowhere(response: Response, isApi: boolean): Response {
  const caching = response.headers.get('cache-control') ?? ''
  if (isApi) response.headers.set('cache-control', 'private, no-store')
  else if (!/private|no-store/.test(caching)) response.headers.set('cache-control', 'private, no-cache')
  return response
}
