import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { bytesBody, readChunk } from '#api/http/request-body.ts'
import { session } from '#api/http/session.ts'
import {
  AdminMediaQuery,
  ChunkHeaders,
  MediaFileList,
  MediaFile as MediaFileSchema,
  MediaIdParams,
  MediaParams,
  MediaPieces,
  MediaRemoved,
  MediaRoom,
  MediaUpload,
  MediaUploadList,
  NewPicture,
  NewUpload,
} from '#shared/contract/media.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { receiveChunk } from './chunk-service.ts'
import { listLibrary, removeMedia, wholeLibrary } from './library-service.ts'
import { addPicture, respondWithPhotograph } from './photograph-service.ts'
import { piecesOfPrivateMedia, respondWithPrivateMedia, respondWithPublicMedia } from './response-service.ts'
import { beginUpload, finishUpload, listUploads, readUpload, removeUpload, roomOfLibrary } from './upload-service.ts'

/** A new object each time, because Elysia mutates a route's options. */
const fileRoute = () => ({
  params: MediaParams,
  response: { 200: fileOf('*/*'), 206: fileOf('*/*'), ...errorResponses },
})

export const mediaRoutes = (ctx: Context) =>
  new Elysia({ name: 'media', tags: ['The public site'] })
    .use(session(ctx))
    .get('/media/:file', ({ request, params: { file } }) => respondWithPublicMedia(ctx, request, file), {
      open: true,
      says: 'Returns a public picture, video or podcast file.',
      ...fileRoute(),
    })
    .get(
      '/api/media/:file',
      ({ member, request, params: { file } }) => respondWithPrivateMedia(ctx, member, { request, file }),
      {
        member: true,
        says: 'Plays or downloads one of the members’ files.',
        tags: ['Watching videos'],
        ...fileRoute(),
      },
    )
    .get('/api/media/:file/pieces', ({ member, params: { file } }) => piecesOfPrivateMedia(ctx, member, file), {
      member: true,
      says: 'Gives the hash of each piece of a film or sound, so that a phone can keep and check it.',
      tags: ['Watching videos'],
      params: MediaParams,
      response: { 200: MediaPieces, ...errorResponses },
    })
    .get('/photographs/:file', ({ request, params: { file } }) => respondWithPhotograph(ctx, request, file), {
      open: true,
      says: 'Returns a photograph of the site in the size asked for.',
      ...fileRoute(),
    })
    .use(libraryRoutes(ctx))
    .use(uploadRoutes(ctx))

const libraryRoutes = (ctx: Context) =>
  new Elysia({ name: 'media-library', tags: ['Videos'] })
    .use(session(ctx))
    .get(
      '/api/admin/media',
      (call) => respondWithPage(call, listLibrary(ctx, { ...call.query, limit: call.query.limit ?? wholeLibrary })),
      {
        owner: true,
        says: 'Lists the files in your media library.',
        query: AdminMediaQuery,
        response: { 200: MediaFileList, ...errorResponses },
      },
    )
    .get('/api/admin/media/room', () => roomOfLibrary(ctx), {
      owner: true,
      says: 'Shows how much space your files take, and the limit.',
      response: { 200: MediaRoom, ...errorResponses },
    })
    .post('/api/admin/media', ({ owner, body, request: { signal } }) => addPicture(ctx, owner, { body, signal }), {
      owner: 'it can be put back',
      says: 'Uploads a picture.',
      audit: 'media.added',
      body: NewPicture,
      response: { 200: MediaFileSchema, ...errorResponses },
    })
    .delete('/api/admin/media/:id', ({ owner, params: { id } }) => removeMedia(ctx, owner, id), {
      owner: 'the owners put it up themselves',
      says: 'Deletes a file.',
      audit: 'media.removed',
      params: MediaIdParams,
      response: { 200: MediaRemoved, ...errorResponses },
    })

const uploadRoutes = (ctx: Context) =>
  new Elysia({ name: 'media-uploads', tags: ['Videos'] })
    .use(session(ctx))
    .get('/api/admin/media/uploads', () => listUploads(ctx), {
      owner: true,
      says: 'Lists uploads that aren’t finished.',
      response: { 200: MediaUploadList, ...errorResponses },
    })
    .post('/api/admin/media/uploads', ({ owner, body }) => beginUpload(ctx, owner, body), {
      owner: 'it can be put back',
      says: 'Starts the upload of a large file.',
      audit: 'media.upload_begun',
      body: NewUpload,
      response: { 200: MediaUpload, ...errorResponses },
    })
    .get('/api/admin/media/uploads/:id', ({ params: { id } }) => readUpload(ctx, id), {
      owner: true,
      says: 'Shows how much of an upload has arrived.',
      params: MediaIdParams,
      response: { 200: MediaUpload, ...errorResponses },
    })
    .patch(
      '/api/admin/media/uploads/:id',
      ({ params: { id }, headers, request }) =>
        receiveChunk(ctx, { id, offset: headers[offsetHeader], read: () => readChunk(request) }),
      {
        owner: 'it can be put back',
        says: 'Sends the next part of an upload.',
        audit: null,
        params: MediaIdParams,
        headers: ChunkHeaders,
        response: { 200: MediaUpload, ...errorResponses },
        detail: bytesBody(chunkType),
      },
    )
    .post(
      '/api/admin/media/uploads/:id/finish',
      ({ owner, params: { id }, request: { signal } }) => finishUpload(ctx, owner, { id, signal }),
      {
        owner: 'it can be put back',
        says: 'Finishes an upload and adds the file.',
        audit: ['media.added', 'media.replaced'],
        params: MediaIdParams,
        response: { 200: MediaFileSchema, ...errorResponses },
      },
    )
    .delete('/api/admin/media/uploads/:id', ({ owner, params: { id } }) => removeUpload(ctx, owner, id), {
      owner: 'the owners put it up themselves',
      says: 'Cancels an upload.',
      audit: 'media.upload_removed',
      params: MediaIdParams,
      response: { 200: MediaRemoved, ...errorResponses },
    })
