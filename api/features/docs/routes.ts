import { type AnyElysia, Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { session } from '#api/http/session.ts'
import { describeApi, renderApiPage } from './service.ts'

const html = { headers: { 'content-type': 'text/html; charset=utf-8' } }

export const docsRoutes = (ctx: Context, readApp: () => AnyElysia) =>
  new Elysia({ name: 'docs' })
    .use(session(ctx))
    .get('/api/docs/json', async () => Response.json(await describeApi(readApp(), ctx.settings)), { open: true })
    .get('/api/docs', async () => new Response(await renderApiPage(readApp(), ctx.settings), html), { open: true })
