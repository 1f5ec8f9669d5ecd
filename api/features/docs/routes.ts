import { type AnyElysia, Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { session } from '#api/http/session.ts'
import { docsPage } from './page.ts'
import { ApiDocument, describeApi } from './service.ts'

/** The OpenAPI document, and a browsable page made from it: plain HTML, without anybody's script. */
export const docsRoutes = (ctx: Context, readApp: () => AnyElysia) =>
  new Elysia({ name: 'docs' })
    .use(session(ctx))
    .get('/api/docs/json', async () => Response.json(await describeApi(readApp())), { open: true })
    .get('/api/docs', async () => htmlOf(docsPage(v.parse(ApiDocument, await describeApi(readApp())))), { open: true })

const htmlOf = (page: string) => new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
