import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { SyncRequest, SyncResponse, VideoProgress, VideoProgressList } from '#shared/contract/progress.ts'
import { listProgress, markVideo, syncProgress } from './service.ts'

/** A new object for each route, since Elysia writes the guard of its app into it. */
const marking = () =>
  ({
    member: true,
    params: v.object({ id: v.string() }),
    response: { 200: VideoProgress, ...errorResponses },
  }) as const

/** What is written here waits for other writers by itself, all ticks of a moment together. */
export const progressPrefix = '/api/video-progress'

export const progressRoutes = (ctx: Context) =>
  new Elysia({ prefix: progressPrefix })
    .use(session(ctx))
    .get('/', ({ member }) => listProgress(ctx, member.id), {
      member: true,
      response: { 200: VideoProgressList, ...errorResponses },
    })
    .post('/:id/complete', ({ member, params }) => markVideo(ctx, member, params.id, true), marking())
    .post('/:id/incomplete', ({ member, params }) => markVideo(ctx, member, params.id, false), marking())
    .post('/sync', ({ member, body }) => syncProgress(ctx, member, body), {
      member: true,
      body: SyncRequest,
      response: { 200: SyncResponse, ...errorResponses },
    })
