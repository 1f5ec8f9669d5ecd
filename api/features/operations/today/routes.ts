import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { Today } from '#shared/contract/today.ts'
import { readToday } from './service.ts'

export const todayRoutes = (ctx: Context) =>
  new Elysia({ name: 'today', tags: ['Running the site'] })
    .use(session(ctx))
    .get('/api/admin/today', () => readToday(ctx), {
      owner: true,
      apart: 'list',
      says: 'Shows what needs you today.',
      response: { 200: Today, ...errorResponses },
    })
