import type { AnyElysia } from 'elysia'
import type { Context } from './context.ts'
import { features, featuresFor, loadRoutes, type Routes } from './feature-routes.ts'
import { anyPath, createFrame, finishApp, throwNothingHere } from './http/frame.ts'

export type AppOnDemand = { handle(request: Request): Promise<Response> }

/** Loads just the features a request may be for: building all routes takes longer than a short command does. */
export function createAppOnDemand(assemble: (routes: readonly Routes[]) => AnyElysia): AppOnDemand {
  const apps = new Map<string, Promise<AnyElysia>>()
  return {
    async handle(request) {
      const path = URL.parse(request.url)?.pathname ?? '/'
      const matching = featuresFor({ method: request.method, path })
      const key = matching.map((feature) => features.indexOf(feature)).join()
      const app = apps.get(key) ?? loadRoutes(matching).then(assemble)
      apps.set(key, app)
      return (await app).handle(request)
    },
  }
}

export const createTerminalApp = (ctx: Context): AppOnDemand =>
  createAppOnDemand((routes) => {
    const app = createFrame(ctx)
    for (const routesOf of routes) app.use(routesOf(ctx))
    app.all(anyPath, () => throwNothingHere(), { detail: { security: [] } })
    finishApp(app)
    return app
  })
