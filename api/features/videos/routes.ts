import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { cachedResponse } from '#api/http/response-cache.ts'
import { session } from '#api/http/session.ts'
import { MemberVideoList } from '#shared/contract/video.ts'
import { audienceOf, listVideos } from './service.ts'

export const videoRoutes = (ctx: Context) =>
  new Elysia({ name: 'videos' }).use(session(ctx)).get(
    '/api/member-videos',
    ({ member, request, set }) => {
      const audience = audienceOf(member)
      return cachedResponse(ctx, { request, set }, { key: `videos:${audience}`, isPersonal: true }, () =>
        listVideos(ctx, audience),
      )
    },
    { member: true, response: { 200: MemberVideoList, ...errorResponses } },
  )
