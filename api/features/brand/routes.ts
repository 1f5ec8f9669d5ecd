import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { BrandFileParams, BrandFileQuery } from '#shared/contract/site-content.ts'
import { respondWithBrandFile } from './response-service.ts'

/** A file has no schema to check. A new object each time, because Elysia mutates a route's options. */
const fileRoute = () => ({
  open: true as const,
  query: BrandFileQuery,
  response: { 200: v.any(), ...errorResponses },
})

export const brandRoutes = (ctx: Context) =>
  new Elysia({ name: 'brand' })
    .use(session(ctx))
    .get('/manifest.webmanifest', (input) => respondWithBrandFile(ctx, input), fileRoute())
    .get('/favicon.ico', (input) => respondWithBrandFile(ctx, input), fileRoute())
    .get('/icons/:file', (input) => respondWithBrandFile(ctx, input), { ...fileRoute(), params: BrandFileParams })
    .get('/social/:file', (input) => respondWithBrandFile(ctx, input), { ...fileRoute(), params: BrandFileParams })
    .get('/pictures/:file', (input) => respondWithBrandFile(ctx, input), { ...fileRoute(), params: BrandFileParams })
