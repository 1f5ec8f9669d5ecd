import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { SyncRequest, SyncResponse, VideoProgress, VideoProgressList } from '#shared/contract/progress.ts'
import { listProgress, markVideo, syncProgress, type Ticker } from './service.ts'

/** A new object for each route, since Elysia writes the guard of its app into it. */
const marking = () =>
  ({
    member: true,
    params: v.object({ id: v.string() }),
    response: { 200: VideoProgress, ...errorResponses },
  }) as const

const prefix = '/api/video-progress'
export const syncPath = `${prefix}/sync`

/** Without changes it is a read, and waits for no other writer. */
async function syncWhenWritable(ctx: Context, member: Ticker, request: SyncRequest): Promise<SyncResponse> {
  if (request.changes.length > 0) await whenWritable(ctx)
  return syncProgress(ctx, member, request)
}

export const progressRoutes = (ctx: Context) =>
  new Elysia({ prefix })
    .use(session(ctx))
    .get('/', ({ member }) => listProgress(ctx, member.id), {
      member: true,
      response: { 200: VideoProgressList, ...errorResponses },
    })
    .post('/:id/complete', ({ member, params }) => markVideo(ctx, member, params.id, true), marking())
    .post('/:id/incomplete', ({ member, params }) => markVideo(ctx, member, params.id, false), marking())
    .post('/sync', ({ member, body }) => syncWhenWritable(ctx, member, body), {
      member: true,
      body: SyncRequest,
      response: { 200: SyncResponse, ...errorResponses },
    })
