import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { Done } from '#shared/contract/auth.ts'
import { ReportDoneRequest, ReportParams, ReportRequest, ReportResponse } from '#shared/contract/report.ts'
import { endReport, takeReport } from './service.ts'

export const reportRoutes = (ctx: Context) =>
  new Elysia({ name: 'report', tags: ['Running the site'] })
    .use(session(ctx))
    .post('/api/admin/reports/:kind', ({ owner, params, body }) => takeReport(ctx, owner, { ...params, ...body }), {
      owner: 'it tells the other owners what the terminal did',
      says: 'Makes the daily, weekly or monthly report.',
      audit: 'report.made',
      params: ReportParams,
      body: ReportRequest,
      response: { 200: ReportResponse, ...errorResponses },
    })
    .post('/api/admin/reports/:kind/done', ({ owner, params, body }) => endReport(ctx, owner, { ...params, ...body }), {
      owner: 'it tells the other owners what the terminal did',
      says: 'Confirms a report was printed.',
      audit: 'report.printed',
      params: ReportParams,
      body: ReportDoneRequest,
      response: { 200: Done, ...errorResponses },
    })
