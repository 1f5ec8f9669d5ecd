import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { session } from '#api/http/session.ts'
import { BrandFileParams, BrandFileQuery } from '#shared/contract/site-content.ts'
import { respondWithBrandFile } from './response-service.ts'

/** A new object each time, because Elysia mutates a route's options. */
const fileRoute = (type: string) => ({
  open: true as const,
  query: BrandFileQuery,
  response: { 200: fileOf(type), ...errorResponses },
})

export const brandRoutes = (ctx: Context) =>
  new Elysia({ name: 'brand' })
    .use(session(ctx))
    .get('/manifest.webmanifest', (input) => respondWithBrandFile(ctx, input), fileRoute('application/manifest+json'))
    .get('/favicon.ico', (input) => respondWithBrandFile(ctx, input), fileRoute('image/x-icon'))
    .get('/icons/:file', (input) => respondWithBrandFile(ctx, input), {
      ...fileRoute('image/*'),
      params: BrandFileParams,
    })
    .get('/social/:file', (input) => respondWithBrandFile(ctx, input), {
      ...fileRoute('image/*'),
      params: BrandFileParams,
    })
    .get('/pictures/:file', (input) => respondWithBrandFile(ctx, input), {
      ...fileRoute('image/*'),
      params: BrandFileParams,
    })
