import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { session } from '#api/http/session.ts'
import { Health, HealthHistory } from '#shared/contract/health.ts'
import { readHealthHistory } from './history-service.ts'
import { readHealth } from './service.ts'

export const healthRoutes = (ctx: Context) =>
  new Elysia({ name: 'health' })
    .use(session(ctx))
    .get('/api/health', () => readHealth(ctx), { open: true, response: { 200: Health } })
    .get('/api/health/history', () => readHealthHistory(ctx), { open: true, response: { 200: HealthHistory } })
