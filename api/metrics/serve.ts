import type { Context } from '#api/context.ts'
import { isPagePath } from '#api/http/canonical-path.ts'
import type { Respond } from '#api/http/request-turns.ts'
import { isSameSecret } from '#api/secrets.ts'
import type { Settings } from '#api/settings.ts'
import type { OpenMeter } from './prometheus.ts'

/** Null where neither a port nor a token was set: then nothing is counted. */
export async function openMetrics({ metrics }: Settings): Promise<OpenMeter | null> {
  if (metrics.port === undefined && metrics.token === undefined) return null
  return (await import('./prometheus.ts')).openMeter()
}

/** A route of the app, such as GET `/api/videos/:id`. */
type Route = { method: string; path: string }

type Watching = { meter: OpenMeter | null; routes: readonly Route[] }

/** Times and logs every request, and answers `/metrics` to a program with the token. Does nothing if neither is wanted. */
export function watchRequests(ctx: Context, { meter, routes }: Watching, respond: Respond): Respond {
  const { log, settings } = ctx
  if (meter === null && settings.logLevel !== 'debug') return respond
  const routeOf = createRouteFinder(routes)
  return async (request) => {
    const from = performance.now()
    const { pathname } = new URL(request.url)
    if (meter !== null && pathname === '/metrics' && settings.metrics.token !== undefined) {
      return scrapeWithToken(ctx, meter, request)
    }
    const response = await respond(request)
    const seconds = (performance.now() - from) / 1000
    const { status, headers } = response
    const seen = {
      method: methods.has(request.method) ? request.method : 'other',
      route: routeOf(request.method, pathname),
      status,
    }
    meter?.responded({ ...seen, seconds })
    log.debug('request', { ...seen, ms: Math.round(seconds * 1000), requestId: headers.get('x-request-id') })
    return response
  }
}

function scrapeWithToken(ctx: Context, meter: OpenMeter, { headers }: Request): Response | Promise<Response> {
  const given = headers.get('authorization') ?? ''
  if (isSameSecret(given, `Bearer ${ctx.settings.metrics.token}`)) return scrape(ctx, meter)
  return new Response('This needs the METRICS_TOKEN.', { status: 401, headers: noStore })
}

/** Only this machine reaches it. It needs no token. */
export function listenForScrapes(ctx: Context, meter: OpenMeter | null): Bun.Server<undefined> | null {
  const { port } = ctx.settings.metrics
  if (meter === null || port === undefined) return null
  return Bun.serve({
    port,
    hostname: '127.0.0.1',
    development: false,
    fetch: ({ url }) =>
      new URL(url).pathname === '/metrics' ? scrape(ctx, meter) : new Response('Not here.', { status: 404 }),
  })
}

const noStore = { 'cache-control': 'private, no-store' }

const scrape = async (ctx: Context, meter: OpenMeter) =>
  new Response(await meter.scrape(ctx), { headers: { ...noStore, 'content-type': meter.contentType } })

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * The pattern of the route that a request is for, the one with the fewest parameters, as the router takes it. An address that isn't
 * a route counts as `other`: a label for each made-up address would fill the memory.
 */
function createRouteFinder(routes: readonly Route[]): (method: string, path: string) => string {
  const listed = routes
    .filter(({ path }) => !path.includes('*'))
    .map(({ method, path }) => ({ method, path, segments: path.split('/') }))
    .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)
  return (method, path) => {
    const asked = method === 'HEAD' ? 'GET' : method
    const parts = path.split('/')
    const isAt = (segment: string, at: number) => segment === parts[at] || segment.startsWith(':')
    const found = listed.find(
      (one) => one.method === asked && one.segments.length === parts.length && one.segments.every(isAt),
    )
    if (found !== undefined) return found.path
    if (/\.[a-z0-9]+$/.test(path)) return 'file'
    return isPagePath(path) ? 'page' : 'other'
  }
}
