import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { KeptVideos, Shelf } from '#shared/contract/shelf.ts'
import { readShelf, rememberKept } from './service.ts'

export const shelfRoutes = (ctx: Context) =>
  new Elysia({ name: 'shelf' })
    .use(session(ctx))
    .get('/api/shelf', ({ member }) => readShelf(ctx, member), {
      member: true,
      response: { 200: Shelf, ...errorResponses },
    })
    .put('/api/shelf/kept', ({ member, body }) => rememberKept(ctx, member, body), {
      member: true,
      body: KeptVideos,
      response: { 200: KeptVideos, ...errorResponses },
    })
