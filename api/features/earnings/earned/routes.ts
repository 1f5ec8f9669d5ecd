import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { Earned, EarnedQuery } from '#shared/contract/earned.ts'
import { earned } from './service.ts'

export const earnedRoutes = (ctx: Context) =>
  new Elysia({ name: 'earned', tags: ['Money'] })
    .use(session(ctx))
    .get('/api/admin/earned', ({ query }) => earned(ctx, query.by), {
      owner: true,
      apart: 'report',
      says: 'Shows what you earned by month, quarter or tax year, checked against Stripe.',
      query: EarnedQuery,
      response: { 200: Earned, ...errorResponses },
    })
