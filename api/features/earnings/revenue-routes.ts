import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { Page } from '#shared/contract/fields.ts'
import { MovementParams, RevenueMovementList } from '#shared/contract/provider-comparison.ts'
import {
  Mrr,
  ReopenMonthsRequest,
  RevenueClock,
  RevenueMonthList,
  RevenueMonthsQuery,
} from '#shared/contract/revenue.ts'
import { reopenMonths } from './reopen-service.ts'
import { readClock } from './revenue/clock-service.ts'
import { movementsOfMonth } from './revenue/month-queries.ts'
import { revenueMonths } from './revenue/month-service.ts'
import { monthlyRevenue } from './revenue/mrr-service.ts'

const defaultPage = 500
const defaultMonths = 24

export const revenueRoutes = (ctx: Context) =>
  new Elysia({ name: 'revenue', tags: ['Money'] })
    .use(session(ctx))
    .get(
      '/api/admin/mrr',
      (call) => {
        const { limit = defaultPage, cursor } = call.query
        const { mrr, next, total } = monthlyRevenue(ctx, { limit, cursor })
        respondWithPage(call, { rows: mrr.subscriptionDetails, next, total: () => total })
        return mrr
      },
      {
        owner: true,
        apart: 'report',
        says: 'Shows MRR, and which subscriptions count.',
        query: Page,
        response: { 200: Mrr, ...errorResponses },
      },
    )
    .get('/api/admin/revenue-movements/:month', ({ params }) => movementsOfMonth(ctx, params.month), {
      owner: true,
      apart: 'report',
      says: 'Lists what changed MRR in a month, member by member.',
      params: MovementParams,
      response: { 200: RevenueMovementList, ...errorResponses },
    })
    .get('/api/admin/revenue-months', ({ query }) => revenueMonths(ctx, query.limit ?? defaultMonths), {
      owner: true,
      apart: 'report',
      says: 'Shows MRR month by month: new, upgrades, downgrades, churn.',
      query: RevenueMonthsQuery,
      response: { 200: RevenueMonthList, ...errorResponses },
    })
    .get('/api/admin/revenue-months/clock', () => readClock(ctx), {
      owner: true,
      says: 'Shows months a wrong clock closed too early.',
      response: { 200: RevenueClock, ...errorResponses },
    })
    .post('/api/admin/revenue-months/reopen', ({ owner, body }) => reopenMonths(ctx, owner, body), {
      provenOwner: true,
      says: 'Opens those months again, or confirms they’re right.',
      audit: 'clock.confirmed',
      body: ReopenMonthsRequest,
      response: { 200: RevenueClock, ...errorResponses },
    })
