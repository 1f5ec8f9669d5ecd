import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import {
  AdminEpisode,
  AdminEpisodeList,
  EpisodeChangeRequest,
  EpisodeParams,
  EpisodeRemoved,
  EpisodeRequest,
  RemoveEpisodeQuery,
} from '#shared/contract/podcast.ts'
import { changeEpisode, createEpisode, listEpisodes, readEpisode, removeEpisode } from './service.ts'

export const podcastRoutes = (ctx: Context) =>
  new Elysia({ name: 'podcast', tags: ['Blog and podcast'] })
    .use(session(ctx))
    .get('/api/admin/podcast', () => listEpisodes(ctx), {
      owner: true,
      says: 'Lists the episodes.',
      response: { 200: AdminEpisodeList, ...errorResponses },
    })
    .post(
      '/api/admin/podcast',
      ({ owner, body, request: { headers } }) =>
        createEpisode(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'it can be put back',
        says: 'Adds an episode.',
        audit: 'episode.added',
        body: EpisodeRequest,
        response: { 200: AdminEpisode, ...errorResponses },
      },
    )
    .get('/api/admin/podcast/:id', ({ params }) => readEpisode(ctx, params.id), {
      owner: true,
      says: 'Shows an episode.',
      params: EpisodeParams,
      response: { 200: AdminEpisode, ...errorResponses },
    })
    .patch(
      '/api/admin/podcast/:id',
      ({ owner, params, body }) => changeEpisode(ctx, owner, { ...params, request: body }),
      {
        owner: 'it can be put back',
        says: 'Changes or publishes an episode.',
        audit: 'episode.changed',
        params: EpisodeParams,
        body: EpisodeChangeRequest,
        response: { 200: AdminEpisode, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/podcast/:id',
      ({ owner, params, query }) => removeEpisode(ctx, owner, { ...params, ...query }),
      {
        owner: 'the owners put it up themselves',
        says: 'Deletes an episode.',
        audit: 'episode.removed',
        params: EpisodeParams,
        query: RemoveEpisodeQuery,
        response: { 200: EpisodeRemoved, ...errorResponses },
      },
    )
