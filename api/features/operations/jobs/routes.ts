import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { JobParams, JobRun, JobRunRequest, JobStates } from '#shared/contract/jobs.ts'
import { listJobs, runJobForOwner } from './service.ts'

export const jobRoutes = (ctx: Context) =>
  new Elysia({ name: 'jobs', tags: ['Running the site'] })
    .use(session(ctx))
    .get('/api/admin/jobs', () => listJobs(ctx), {
      owner: true,
      says: 'Lists the jobs and their last runs.',
      response: { 200: JobStates, ...errorResponses },
    })
    .post(
      '/api/admin/jobs/:name/run',
      ({ owner, params, body, request, server }) => {
        // A job may read every customer at the provider, which takes longer than the server's idle timeout.
        server?.timeout(request, 0)
        return runJobForOwner(ctx, owner, { ...params, all: body?.all === true })
      },
      {
        owner: 'the site does it anyway',
        says: 'Runs a job now.',
        audit: 'job.run',
        params: JobParams,
        body: JobRunRequest,
        response: { 200: JobRun, ...errorResponses },
      },
    )
