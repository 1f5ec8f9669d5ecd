import type { AnyElysia } from 'elysia'
import type { Context } from './context.ts'
import { features, featuresFor, loadRoutes, type Routes } from './feature-routes.ts'
import { anyPath, createFrame, finishApp, throwNothingHere } from './http/frame.ts'

export type AppOnDemand = { handle(request: Request): Promise<Response> }

/**
 * Loads only the features a request may be for, and builds an app of them. Building all three hundred routes takes longer than a
 * short command does, and a quarter of a server's start.
 */
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
