import { type DefinitionBase, Elysia, type MetadataBase, type RouteBase, type SingletonBase } from 'elysia'
import type { Context } from './context.ts'
import { featureRoutes, type Routes } from './feature-routes.ts'
import { docsRoutes } from './features/docs/routes.ts'
import { postedFormRoutes } from './features/inbox/enquiries/posted-routes.ts'
import { sandboxRoutes } from './features/sandbox/routes.ts'
import { anyPath, assertEveryRouteGuarded, createBaseApp, throwNothingHere } from './http/base-app.ts'
import { isPagePath } from './http/canonical-path.ts'
import type { ReadyPages, Site } from './http/page-cache.ts'
import { createPageHandler, type PageHandler } from './http/pages.ts'
import { securityHeaders } from './http/security-headers.ts'
import { session } from './http/session.ts'
import { createPageSource } from './page-source.ts'

export type AppOptions = {
  site?: Site | undefined
  readyPages?: ReadyPages
  /** How long a request waits for Stripe at most. */
  deadlineMs?: number
  /** False for the terminal, which has no pages. */
  hasPages?: boolean
}

type Features = ReturnType<Routes>['~Routes']
type Together<Routes> = (Routes extends unknown ? (routes: Routes) => void : never) extends (all: infer All) => void
  ? All
  : never

/** All routes as one type, for the typed client. Adding up the types feature by feature doubled the compile time each time. */
export type App = Elysia<'', SingletonBase, DefinitionBase, MetadataBase, Together<Features> & RouteBase>

export function createApp(ctx: Context, options: AppOptions = {}): App {
  const { site, readyPages, deadlineMs, hasPages = true } = options
  const headers = securityHeaders(ctx, site?.template ?? { hashes: { script: [], style: [] }, document: '' })
  const app = createBaseApp(ctx, { headers, deadlineMs })
  for (const routesOf of featureRoutes) app.use(routesOf(ctx, site))
  if (ctx.settings.showsApiDocs) app.use(docsRoutes(ctx, () => createApp(ctx, options), site))
  if (hasPages) {
    if (ctx.settings.isSandbox) app.use(sandboxRoutes(ctx, site))
    app.use(postedFormRoutes(ctx, site))
    const source = createPageSource(ctx)
    app.use(siteRoutes(ctx, createPageHandler(site, source, readyPages)))
  } else {
    app.all(anyPath, () => throwNothingHere(), { detail: { security: [] } })
  }
  assertEveryRouteGuarded(app.routes)
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
