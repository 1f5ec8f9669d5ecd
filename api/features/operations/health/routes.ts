import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { session } from '#api/http/session.ts'
import { thisRelease } from '#api/release.ts'
import { Health, HealthHistory, Readiness } from '#shared/contract/health.ts'
import { readHealthHistory } from './history-service.ts'
import { isReady, readHealth } from './service.ts'

export const healthRoutes = (ctx: Context) =>
  new Elysia({ name: 'health', tags: ['The public site'] })
    .use(session(ctx))
    .get('/api/health', () => readHealth(ctx), {
      open: true,
      says: 'Shows whether the site is up and its jobs run.',
      response: { 200: Health },
    })
    .get('/api/health/history', () => readHealthHistory(ctx), {
      open: true,
      says: 'Lists what didn’t work in the last 90 days.',
      response: { 200: HealthHistory },
    })
    .get(
      '/ready',
      ({ set }) => {
        const ready = isReady(ctx)
        set.headers['cache-control'] = 'no-store'
        if (!ready) set.status = 503
        return { ready, release: thisRelease()?.name ?? null }
      },
      {
        open: true,
        says: 'Says whether the server takes requests, for what starts and updates it.',
        response: { 200: Readiness, 503: Readiness },
      },
    )
