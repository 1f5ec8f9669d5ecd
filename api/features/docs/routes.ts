import { type AnyElysia, Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { apiPage, apiPageStyle } from '#api/documents/api-page.ts'
import type { PageStyle } from '#api/documents/plain-page.ts'
import { brandedStyle } from '#api/features/site/brand/service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { fontOf, type Site } from '#api/http/page-cache.ts'
import { session } from '#api/http/session.ts'
import { type CompressedBody, compressBody, compressedResponse } from '#api/serving/compressed-response.ts'
import { type ApiDocs, makeDocs } from './service.ts'

const cacheControl = 'private, no-cache'
const json = { headers: { 'content-type': 'application/json', 'cache-control': cacheControl } }
const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl }

export function docsRoutes(ctx: Context, readApp: () => AnyElysia | Promise<AnyElysia>, site?: Site) {
  let made: Promise<ApiDocs> | undefined
  const makeAll = async () => makeDocs(await readApp(), ctx.settings)
  const docs = () => {
    made ??= makeAll().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
  const styleNow = brandedStyle(ctx, fontOf(site), apiPageStyle)
  let page: { style: PageStyle; body: CompressedBody } | undefined
  const pageIn = (style: PageStyle, { reference }: ApiDocs) => {
    if (page?.style !== style) page = { style, body: compressBody(apiPage(style, reference)) }
    return page.body
  }
  return new Elysia({ name: 'docs', tags: ['The public site'] })
    .use(session(ctx))
    .get(
      '/api/docs/json',
      async ({ request, set }) => compressedResponse({ request, set }, (await docs()).json, json),
      {
        open: true,
        says: 'Returns this page as an OpenAPI document.',
        response: { 200: fileOf('application/json'), ...errorResponses },
      },
    )
    .get(
      '/api/docs',
      async ({ request, set }) => {
        const style = styleNow()
        const headers = { ...html, 'content-security-policy': style.policy }
        return compressedResponse({ request, set }, pageIn(style, await docs()), { headers })
      },
      { open: true, says: 'Shows this page.', response: { 200: fileOf('text/html'), ...errorResponses } },
    )
}
