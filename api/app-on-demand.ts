import type { AnyElysia } from 'elysia'
import type { Context } from './context.ts'
import { featurePaths } from './feature-paths.gen.ts'
import { type Feature, loadRoutes, type Routes } from './feature-routes.ts'
import { anyPath, createFrame, finishApp, throwNothingHere } from './http/frame.ts'

export type AppOnDemand = { handle(request: Request): Promise<Response> }

type Assemble = (routes: readonly Routes[], part: { hasPages: boolean }) => AnyElysia

/**
 * Loads just the features a request may be for: building all routes takes longer than a short command does. A listed route needs
 * no pages beside it.
 */
export function createAppOnDemand(assemble: Assemble): AppOnDemand {
  const apps = new Map<string, Promise<AnyElysia>>()
  return {
    async handle(request) {
      const path = URL.parse(request.url)?.pathname ?? '/'
      const chosen = featuresFor({ method: request.method, path })
      const key = String(chosen)
      const hasPages = chosen === 'all' || chosen.length === 0
      const app = apps.get(key) ?? loadRoutes(chosen).then((routes) => assemble(routes, { hasPages }))
      apps.set(key, app)
      // So that one that failed is tried again.
      app.catch(() => apps.delete(key))
      return (await app).handle(request)
    },
  }
}

const listed = Object.entries(featurePaths).map(([route, feature]) => {
  const [method, path = ''] = route.split(' ')
  return { method, path, segments: path.split('/'), feature }
})

function listedFor(method: string, path: string) {
  const parts = path.split('/')
  const isAt = (segment: string, at: number) => segment === parts[at] || segment.startsWith(':')
  const asked = method === 'HEAD' ? 'GET' : method
  return listed.filter(
    (one) => one.method === asked && one.segments.length === parts.length && one.segments.every(isAt),
  )
}

/** Such as `/api/videos/:id`. The one with fewest parameters, as the router takes it. Undefined for a page. */
export const routePattern = (method: string, path: string): string | undefined =>
  listedFor(method, path)
    .map((one) => one.path)
    .toSorted((one, other) => one.split(':').length - other.split(':').length)
    .at(0)

/** A path of the API that isn't listed may be a route written since the last build, so it loads them all. */
export function featuresFor({ method, path }: { method: string; path: string }): readonly Feature[] | 'all' {
  const matching = listedFor(method, path).map(({ feature }) => feature)
  return matching.length === 0 && path.startsWith('/api/') ? 'all' : [...new Set(matching)]
}

export const createTerminalApp = (ctx: Context): AppOnDemand =>
  createAppOnDemand((routes) => {
    const app = createFrame(ctx)
    for (const routesOf of routes) app.use(routesOf(ctx))
    app.all(anyPath, () => throwNothingHere(), { detail: { security: [] } })
    finishApp(app)
    return app
  })
