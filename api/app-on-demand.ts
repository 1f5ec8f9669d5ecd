import type { AnyElysia } from 'elysia'
import type { Context } from './context.ts'
import { type Feature, features, featuresFor, loadRoutes } from './feature-routes.ts'
import { anyPath, createFrame, finishApp, throwNothingHere } from './http/frame.ts'

/**
 * The API for a program that asks once or twice and ends: the features that a request may be of are loaded and put together
 * when it comes. All of them take longer than a short command does, and more memory than is there before the first collection.
 */
export function createAppOnDemand(ctx: Context): { handle(request: Request): Promise<Response> } {
  const apps = new Map<string, Promise<AnyElysia>>()
  return {
    async handle(request) {
      const matching = featuresFor({ method: request.method, path: new URL(request.url).pathname })
      const key = matching.map((feature) => features.indexOf(feature)).join()
      const app = apps.get(key) ?? assembleApp(ctx, matching)
      apps.set(key, app)
      return (await app).handle(request)
    },
  }
}

async function assembleApp(ctx: Context, chosen: readonly Feature[]): Promise<AnyElysia> {
  const app = createFrame(ctx)
  for (const routesOf of await loadRoutes(chosen)) app.use(routesOf(ctx))
  app.all(anyPath, () => throwNothingHere(), { detail: { security: [] } })
  finishApp(app)
  return app
}
