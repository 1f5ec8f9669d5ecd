import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { taggedResponse, toTaggedJson } from '#api/serving/kept-answers.ts'
import { VideoParams } from '#shared/contract/admin-video.ts'
import { KeptVideos, Shelf } from '#shared/contract/shelf.ts'
import { VersionParams, VersionRequest, VideoVersions } from '#shared/contract/video-versions.ts'
import { readShelf, rememberKept } from './service.ts'
import { askForVersion, giveVersion, readVersions, removeVersion } from './versions-service.ts'

export const shelfRoutes = (ctx: Context) =>
  new Elysia({ name: 'shelf', tags: ['Watching videos'] })
    .use(session(ctx))
    .use(ownerRoutes(ctx))
    .get(
      '/api/shelf',
      ({ member, request, set }) => taggedResponse({ request, set }, toTaggedJson(Shelf, readShelf(ctx, member))),
      {
        member: true,
        says: 'Lists the videos this phone may keep, with their files, and what it told us it keeps.',
        response: { 200: Shelf, ...errorResponses },
      },
    )
    .put('/api/shelf/kept', ({ member, body }) => rememberKept(ctx, member, body), {
      member: true,
      says: 'Tells us which videos this phone keeps.',
      body: KeptVideos,
      response: { 200: KeptVideos, ...errorResponses },
    })

const ownerRoutes = (ctx: Context) =>
  new Elysia({ name: 'shelf-versions', tags: ['Videos'] })
    .use(session(ctx))
    .get('/api/admin/videos/:id/versions', ({ params: { id } }) => readVersions(ctx, id), {
      owner: true,
      says: 'Shows a video’s light video and audio, and how many phones keep it.',
      params: VideoParams,
      response: { 200: VideoVersions, ...errorResponses },
    })
    .put(
      '/api/admin/videos/:id/versions/:form',
      ({ owner, params, body }) => giveVersion(ctx, owner, { ...params, ...body }),
      {
        owner: 'it can be put back',
        says: 'Uses a file of yours as a video’s light video or audio.',
        audit: 'video.version_given',
        params: VersionParams,
        body: VersionRequest,
        response: { 200: VideoVersions, ...errorResponses },
      },
    )
    .delete('/api/admin/videos/:id/versions/:form', ({ owner, params }) => removeVersion(ctx, owner, params), {
      owner: 'the owners put it up themselves',
      says: 'Removes a video’s light video or audio.',
      audit: 'video.version_removed',
      params: VersionParams,
      response: { 200: VideoVersions, ...errorResponses },
    })
    .post('/api/admin/videos/:id/versions/:form/make', ({ owner, params }) => askForVersion(ctx, owner, params), {
      owner: 'it can be put back',
      says: 'Makes a light video or audio that was removed or failed.',
      audit: 'video.version_asked',
      params: VersionParams,
      response: { 200: VideoVersions, ...errorResponses },
    })
