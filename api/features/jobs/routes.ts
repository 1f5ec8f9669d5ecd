import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { jobStates } from '#api/jobs/run.ts'
import { JobParams, JobRun, JobRunRequest, JobStates } from '#shared/contract/jobs.ts'
import { runForOwner } from './service.ts'

export const jobRoutes = (ctx: Context) =>
  new Elysia({ name: 'jobs' })
    .use(session(ctx))
    .get('/api/admin/jobs', () => jobStates(ctx), { owner: true, response: { 200: JobStates, ...errorResponses } })
    .post(
      '/api/admin/jobs/:name/run',
      ({ owner, params, body, request, server }) => {
        // It may ask the provider about everybody: longer than a silent connection is kept otherwise.
        server?.timeout(request, 0)
        return runForOwner(ctx, owner, { ...params, all: body?.all === true })
      },
      { owner: true, params: JobParams, body: JobRunRequest, response: { 200: JobRun, ...errorResponses } },
    )
