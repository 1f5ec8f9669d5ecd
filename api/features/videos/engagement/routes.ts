import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { CohortList, EngagementQuery, VideoFiguresList, VisitFigures } from '#shared/contract/engagement.ts'
import { readRetention, readVideos, readVisits } from './service.ts'

export const engagementRoutes = (ctx: Context) =>
  new Elysia({ name: 'engagement', tags: ['Marketing'] })
    .use(session(ctx))
    .get('/api/admin/watching', ({ query }) => readVisits(ctx, query), {
      owner: true,
      apart: 'report',
      says: 'Shows visits day by day, and conversion.',
      query: EngagementQuery,
      response: { 200: VisitFigures, ...errorResponses },
    })
    .get('/api/admin/watching/retention', () => readRetention(ctx), {
      owner: true,
      apart: 'report',
      says: 'Shows retention by the month people joined.',
      response: { 200: CohortList, ...errorResponses },
    })
    .get('/api/admin/watching/lessons', () => readVideos(ctx), {
      owner: true,
      apart: 'report',
      says: 'Shows how far members get in each video.',
      response: { 200: VideoFiguresList, ...errorResponses },
    })
