import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { audienceOf } from '#api/identity/audience.ts'
import { cachedResponse } from '#api/serving/kept-answers.ts'
import { contentOf } from '#api/site/content.ts'
import {
  AdminVideoList,
  HostedVideo,
  HostedVideoQuery,
  RemoveVideoQuery,
  VideoCategories,
  VideoCategoriesRequest,
  VideoChangeRequest,
  VideoOrderRequest,
  VideoParams,
  VideoRemoved,
  VideoRequest,
  VideoViewerList,
  VideoViewersQuery,
  WholeVideo,
} from '#shared/contract/admin-video.ts'
import { MemberVideoList, SearchWordList, VideoTextList } from '#shared/contract/video.ts'
import { addVideo, changeVideo, removeVideo } from './admin-service.ts'
import { changeCategories, listCategories } from './categories-service.ts'
import { listAllVideos, readWholeVideo } from './find-service.ts'
import { findHostedVideo } from './host-service.ts'
import { orderVideos } from './order-service.ts'
import { captionsOf, listTexts, listVideos } from './service.ts'
import { listViewers } from './viewers-queries.ts'

export const videoRoutes = (ctx: Context) =>
  new Elysia({ name: 'videos', tags: ['Watching videos'] })
    .use(session(ctx))
    .use(ownerRoutes(ctx))
    .get(
      '/api/member-videos',
      ({ member, request, set }) => {
        const audience = audienceOf(member)
        return cachedResponse(ctx, { request, set }, { key: `videos:${audience}`, isPersonal: true }, () =>
          listVideos(ctx, audience),
        )
      },
      {
        member: true,
        says: 'Lists the videos your tier includes.',
        response: { 200: MemberVideoList, ...errorResponses },
      },
    )
    .get(
      '/api/member-videos/texts',
      ({ member, request, set }) => {
        const audience = audienceOf(member)
        return cachedResponse(ctx, { request, set }, { key: `texts:${audience}`, isPersonal: true }, () =>
          listTexts(ctx, audience),
        )
      },
      {
        member: true,
        says: 'Returns the notes and transcripts of your videos.',
        response: { 200: VideoTextList, ...errorResponses },
      },
    )
    .get(
      '/api/member-videos/search-words',
      ({ request, set }) =>
        cachedResponse(
          ctx,
          { request, set },
          { key: 'search-words', isPersonal: true },
          () => contentOf(ctx).read().searchWords.groups,
        ),
      {
        member: true,
        says: 'Returns words that mean the same, for searching your videos.',
        response: { 200: SearchWordList, ...errorResponses },
      },
    )
    .get(
      '/api/member-videos/:id/captions',
      ({ member, params, set }) => {
        const captions = captionsOf(ctx, audienceOf(member), params.id)
        set.headers['content-type'] = 'text/vtt; charset=utf-8'
        return captions
      },
      {
        member: true,
        says: 'Returns a video’s captions.',
        params: VideoParams,
        response: { 200: fileOf('text/vtt'), ...errorResponses },
      },
    )

const defaultPage = 200

const ownerRoutes = (ctx: Context) =>
  new Elysia({ name: 'admin-videos', tags: ['Videos'] })
    .use(session(ctx))
    .get('/api/admin/videos', () => listAllVideos(ctx), {
      owner: true,
      says: 'Lists the videos, unpublished ones too.',
      response: { 200: AdminVideoList, ...errorResponses },
    })
    .get('/api/admin/videos/hosted', ({ query }) => findHostedVideo(ctx, query), {
      owner: true,
      says: 'Looks up a video’s title and length at its host.',
      query: HostedVideoQuery,
      response: { 200: HostedVideo, ...errorResponses },
    })
    .post(
      '/api/admin/videos',
      ({ owner, body, request: { headers } }) =>
        addVideo(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'it can be put back',
        says: 'Adds a video.',
        audit: 'video.added',
        body: VideoRequest,
        response: { 200: WholeVideo, ...errorResponses },
      },
    )
    .put('/api/admin/videos/order', ({ owner, body }) => orderVideos(ctx, owner, body), {
      owner: 'it can be put back',
      says: 'Sets the order of the videos.',
      audit: 'video.ordered',
      body: VideoOrderRequest,
      response: { 200: AdminVideoList, ...errorResponses },
    })
    .patch(
      '/api/admin/videos/:id',
      ({ owner, params, body }) => changeVideo(ctx, owner, { ...params, request: body }),
      {
        owner: 'it can be put back',
        says: 'Changes a video, its texts, files and downloads.',
        audit: ['video.changed', 'video.texts', 'video.files', 'video.handouts'],
        params: VideoParams,
        body: VideoChangeRequest,
        response: { 200: WholeVideo, ...errorResponses },
      },
    )
    .get('/api/admin/videos/categories', () => listCategories(ctx), {
      owner: true,
      says: 'Lists the categories.',
      response: { 200: VideoCategories, ...errorResponses },
    })
    .put('/api/admin/videos/categories', ({ owner, body }) => changeCategories(ctx, owner, body), {
      owner: 'it can be put back',
      says: 'Adds, renames or reorders the categories.',
      audit: 'video.categories',
      body: VideoCategoriesRequest,
      response: { 200: VideoCategories, ...errorResponses },
    })
    .get(
      '/api/admin/videos/:id/viewers',
      (call) =>
        respondWithPage(
          call,
          listViewers(ctx, call.params.id, { ...call.query, limit: call.query.limit ?? defaultPage }),
        ),
      {
        owner: true,
        apart: 'report',
        says: 'Lists who has watched a video.',
        params: VideoParams,
        query: VideoViewersQuery,
        response: { 200: VideoViewerList, ...errorResponses },
      },
    )
    .get('/api/admin/videos/:id', ({ params }) => readWholeVideo(ctx, params.id), {
      owner: true,
      says: 'Shows a video with its texts, files and downloads.',
      params: VideoParams,
      response: { 200: WholeVideo, ...errorResponses },
    })
    .delete('/api/admin/videos/:id', ({ owner, params, query }) => removeVideo(ctx, owner, { ...params, ...query }), {
      owner: 'the owners put it up themselves',
      says: 'Deletes a video.',
      audit: 'video.removed',
      params: VideoParams,
      query: RemoveVideoQuery,
      response: { 200: VideoRemoved, ...errorResponses },
    })
