import { type AnyElysia, Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { compressedResponse } from '#api/http/compressed-response.ts'
import { session } from '#api/http/session.ts'
import { type ApiDocs, makeDocs } from './service.ts'

const cacheControl = 'private, no-cache'
const json = { headers: { 'content-type': 'application/json', 'cache-control': cacheControl } }
const html = { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl } }

export function docsRoutes(ctx: Context, readApp: () => AnyElysia | Promise<AnyElysia>) {
  let made: Promise<ApiDocs> | undefined
  const makeAll = async () => makeDocs(await readApp(), ctx.settings)
  const docs = () => {
    made ??= makeAll().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
  return new Elysia({ name: 'docs' })
    .use(session(ctx))
    .get(
      '/api/docs/json',
      async ({ request, set }) => compressedResponse({ request, set }, (await docs()).json, json),
      {
        open: true,
      },
    )
    .get('/api/docs', async ({ request, set }) => compressedResponse({ request, set }, (await docs()).page, html), {
      open: true,
    })
}
