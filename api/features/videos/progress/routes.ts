import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { progressPrefix } from '#api/http/request-body.ts'
import { session } from '#api/http/session.ts'
import { taggedResponse } from '#api/serving/kept-answers.ts'
import {
  SyncRequest,
  SyncResponse,
  serverTimeHeader,
  VideoProgress,
  VideoProgressList,
} from '#shared/contract/progress.ts'
import { isUnchanged, markVideo, progressAsJson, syncProgress } from './service.ts'

/** A new object for each route, because Elysia writes its app's guard into it. */
const marking = (says: string) =>
  ({
    member: true,
    says,
    params: v.object({ id: v.string() }),
    response: { 200: VideoProgress, ...errorResponses },
  }) as const

export const progressRoutes = (ctx: Context) =>
  new Elysia({ prefix: progressPrefix, tags: ['Watching videos'] })
    .use(session(ctx))
    .get('/', ({ member, request, set }) => taggedResponse({ request, set }, progressAsJson(ctx, member.id)), {
      member: true,
      says: 'Lists the videos you’ve finished.',
      response: { 200: VideoProgressList, ...errorResponses },
    })
    .post(
      '/:id/complete',
      ({ member, params }) => markVideo(ctx, member, params.id, true),
      marking('Marks a video as finished.'),
    )
    .post(
      '/:id/incomplete',
      ({ member, params }) => markVideo(ctx, member, params.id, false),
      marking('Marks a video as not finished.'),
    )
    .post(
      '/sync',
      async ({ member, body, set, status }) => {
        const response = await syncProgress(ctx, member, body)
        if (!isUnchanged(body, response)) return response
        // There's no body, so the usual headers don't apply.
        set.headers = { [serverTimeHeader]: response.serverTime }
        return status(204, undefined)
      },
      {
        member: true,
        says: 'Sends a phone’s ticks and positions, and returns what’s new.',
        body: SyncRequest,
        response: { 200: SyncResponse, 204: v.void(), ...errorResponses },
      },
    )
