import { type DefinitionBase, Elysia, type MetadataBase, type RouteBase, type SingletonBase } from 'elysia'
import { createAppOnDemand } from './app-on-demand.ts'
import type { Context } from './context.ts'
import { loadRoutes, type Routes } from './feature-routes.ts'
import { docsRoutes } from './features/docs/routes.ts'
import { sandboxRoutes } from './features/sandbox/routes.ts'
import { isPagePath } from './http/canonical-path.ts'
import { anyPath, createFrame, finishApp, throwNothingHere } from './http/frame.ts'
import type { ReadyPages, Site } from './http/page-cache.ts'
import { createPageSource } from './http/page-source.ts'
import { createPageHandler, type PageHandler } from './http/pages.ts'
import { securityHeaders } from './http/security-headers.ts'
import { session } from './http/session.ts'
import { errorMessage } from './log.ts'

export type AppOptions = {
  site?: Site | undefined
  readyPages?: ReadyPages
  /** How long a request waits for Stripe at most. */
  deadlineMs?: number
  /** False for an app of some features alone. */
  hasPages?: boolean
}

type Features = ReturnType<Routes>['~Routes']
type Together<Routes> = (Routes extends unknown ? (routes: Routes) => void : never) extends (all: infer All) => void
  ? All
  : never

/** All routes as one type, for the typed client. Adding up the types feature by feature doubled the compile time each time. */
export type App = Elysia<'', SingletonBase, DefinitionBase, MetadataBase, Together<Features> & RouteBase>

export const createApp = async (ctx: Context, options: AppOptions = {}): Promise<App> =>
  assembleApp(ctx, await loadRoutes(), options)

type ServerApp = {
  listenOn(server: Bun.Server<undefined>): void
  fetch(request: Request): Response | Promise<Response>
}

/** The server's app. Building every route takes a quarter of a start, so it waits until the first response is out. */
export function openApp(ctx: Context, options: AppOptions): ServerApp {
  let listening: Bun.Server<undefined> | null = null
  const assemble = (routes: readonly Routes[], part?: { hasPages: boolean }) => {
    const app = assembleApp(ctx, routes, { ...options, ...part })
    app.server = listening
    return app
  }
  let respond: ServerApp['fetch'] = respondFirst(ctx, assemble, (fetch) => {
    respond = fetch
  })
  return {
    listenOn: (server) => {
      listening = server
    },
    fetch: (request) => respond(request),
  }
}

/** Calls `take` with the full app. If building fails, say out of memory, the next request tries again. */
function respondFirst(
  { log }: Context,
  assemble: (routes: readonly Routes[], part?: { hasPages: boolean }) => App,
  take: (fetch: ServerApp['fetch']) => void,
) {
  const first = createAppOnDemand(assemble)
  let isAssembling = false
  const assembleAll = async () => {
    try {
      take(assemble(await loadRoutes()).fetch)
    } catch (error) {
      log.error('features not put together', { reason: errorMessage(error) })
      isAssembling = false
    }
  }
  return async (request: Request): Promise<Response> => {
    try {
      return await first.handle(request)
    } finally {
      if (!isAssembling) {
        isAssembling = true
        setTimeout(assembleAll)
      }
    }
  }
}

export function assembleApp(
  ctx: Context,
  routes: readonly Routes[],
  { site, readyPages, deadlineMs, hasPages = true }: AppOptions = {},
): App {
  const headers = securityHeaders(ctx, site?.template ?? { hashes: { script: [], style: [] }, document: '' })
  const app = createFrame(ctx, { headers, deadlineMs })
  for (const routesOf of routes) app.use(routesOf(ctx, site))
  if (hasPages) {
    if (ctx.settings.isSandbox) app.use(sandboxRoutes(ctx, site))
    if (ctx.settings.showsApiDocs) {
      app.use(docsRoutes(ctx, () => createApp(ctx, { site, readyPages, deadlineMs }), site))
    }
    const source = createPageSource(ctx)
    app.use(siteRoutes(ctx, createPageHandler(site, source, readyPages)))
  }
  finishApp(app)
  return app
}

const siteRoutes = (ctx: Context, respondWithHtml: PageHandler) =>
  new Elysia({ name: 'site' })
    .use(session(ctx))
    .get(
      anyPath,
      ({ request, set, path }) => (isForPage(request, path) ? respondWithHtml({ request, set }) : throwNothingHere()),
      { open: true },
    )
    .all(anyPath, () => throwNothingHere(), { open: true })

/** Without a sandbox, browsers asking for its pages get the site's own 404. */
const isForPage = ({ headers }: Request, path: string) =>
  isPagePath(path) || (!path.startsWith('/api') && (headers.get('accept') ?? '').includes('text/html'))
