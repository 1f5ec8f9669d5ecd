import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { session } from '#api/http/session.ts'
import { BrandFileParams, BrandFileQuery } from '#shared/contract/site-content.ts'
import { respondWithBrandFile } from './response-service.ts'

/** A new object each time, because Elysia mutates a route's options. */
const fileRoute = (type: string, says: string) => ({
  open: true as const,
  says,
  query: BrandFileQuery,
  response: { 200: fileOf(type), ...errorResponses },
})

export const brandRoutes = (ctx: Context) =>
  new Elysia({ name: 'brand', tags: ['The public site'] })
    .use(session(ctx))
    .get(
      '/manifest.webmanifest',
      (input) => respondWithBrandFile(ctx, input),
      fileRoute('application/manifest+json', 'Returns what a phone needs to install the app.'),
    )
    .get(
      '/favicon.ico',
      (input) => respondWithBrandFile(ctx, input),
      fileRoute('image/x-icon', 'Returns the icon in the browser’s tab.'),
    )
    .get('/icons/:file', (input) => respondWithBrandFile(ctx, input), {
      ...fileRoute('image/*', 'Returns an icon of the app.'),
      params: BrandFileParams,
    })
    .get('/social/:file', (input) => respondWithBrandFile(ctx, input), {
      ...fileRoute('image/*', 'Returns the picture shown when a page is shared.'),
      params: BrandFileParams,
    })
    .get('/pictures/:file', (input) => respondWithBrandFile(ctx, input), {
      ...fileRoute('image/*', 'Returns a drawing in the brand’s colours.'),
      params: BrandFileParams,
    })
