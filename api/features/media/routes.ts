import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { AdminVideo, VideoParams } from '#shared/contract/admin-video.ts'
import {
  MediaFileList,
  MediaFile as MediaFileSchema,
  MediaIdParams,
  MediaParams,
  MediaRemoved,
  NewPicture,
  VideoFilesRequest,
} from '#shared/contract/media.ts'
import { addPicture, respondWithPhotograph } from './photograph-service.ts'
import { respondWithPrivateMedia, respondWithPublicMedia } from './response-service.ts'
import { removeMedia } from './store-service.ts'
import { changeVideoFiles, listMedia } from './video-files-service.ts'

/** A file has no schema to check. Made anew each time: Elysia changes the options of a route. */
const fileRoute = () => ({ params: MediaParams, response: { 200: v.any(), 206: v.any(), ...errorResponses } })

export const mediaRoutes = (ctx: Context) =>
  new Elysia({ name: 'media' })
    .use(session(ctx))
    .get('/media/:file', ({ request, params: { file } }) => respondWithPublicMedia(ctx, request, file), {
      open: true,
      ...fileRoute(),
    })
    .get(
      '/api/media/:file',
      ({ member, request, params: { file } }) => respondWithPrivateMedia(ctx, member, { request, file }),
      { member: true, ...fileRoute() },
    )
    .get('/photographs/:file', ({ params: { file } }) => respondWithPhotograph(ctx, file), {
      open: true,
      ...fileRoute(),
    })
    .get('/api/admin/media', () => listMedia(ctx), {
      owner: true,
      response: { 200: MediaFileList, ...errorResponses },
    })
    .post('/api/admin/media', ({ owner, body }) => addPicture(ctx, owner, body), {
      owner: true,
      body: NewPicture,
      response: { 200: MediaFileSchema, ...errorResponses },
    })
    .delete('/api/admin/media/:id', ({ owner, params: { id } }) => removeMedia(ctx, owner, id), {
      owner: true,
      params: MediaIdParams,
      response: { 200: MediaRemoved, ...errorResponses },
    })
    .put(
      '/api/admin/videos/:id/files',
      ({ owner, params, body }) => changeVideoFiles(ctx, owner, { ...params, request: body }),
      { owner: true, params: VideoParams, body: VideoFilesRequest, response: { 200: AdminVideo, ...errorResponses } },
    )
