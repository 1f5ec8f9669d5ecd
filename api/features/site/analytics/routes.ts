import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { bareResponse } from '#api/serving/compressed-response.ts'
import { EventCountList } from '#shared/contract/admin-analytics.ts'
import { AnalyticsEvent } from '#shared/contract/analytics.ts'
import { countEvent, countEvents } from './service.ts'

export const analyticsRoutes = (ctx: Context) =>
  new Elysia({ name: 'analytics', tags: ['The public site'] })
    .use(session(ctx))
    .get('/api/admin/analytics/counts', () => countEvents(ctx), {
      owner: true,
      apart: 'report',
      says: 'Counts each kind of event: today, 7 days, 30 days.',
      tags: ['Marketing'],
      response: { 200: EventCountList, ...errorResponses },
    })
    .post(
      '/api/analytics/events',
      async ({ address, body, request, set }) => {
        await countEvent(ctx, body, { address, headers: request.headers })
        return bareResponse(set, 204)
      },
      {
        visitor: true,
        says: 'Counts a visit or an action.',
        body: AnalyticsEvent,
        response: { 204: v.void(), ...errorResponses },
      },
    )
