import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { JobParams, JobRun, JobRunRequest, JobStates } from '#shared/contract/jobs.ts'
import { listJobs, runJobForOwner } from './service.ts'

export const jobRoutes = (ctx: Context) =>
  new Elysia({ name: 'jobs' })
    .use(session(ctx))
    .get('/api/admin/jobs', () => listJobs(ctx), { owner: true, response: { 200: JobStates, ...errorResponses } })
    .post(
      '/api/admin/jobs/:name/run',
      ({ owner, params, body, request, server }) => {
        // A job may read every customer at the provider, which takes longer than the server's idle timeout.
        server?.timeout(request, 0)
        return runJobForOwner(ctx, owner, { ...params, all: body?.all === true })
      },
      { owner: true, params: JobParams, body: JobRunRequest, response: { 200: JobRun, ...errorResponses } },
    )
