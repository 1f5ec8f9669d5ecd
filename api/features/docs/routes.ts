import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { session } from '#api/http/session.ts'
import { docsPage } from './page.ts'

/** What the page needs of the document; the rest is there for machines. */
const Operation = v.object({
  operationId: v.optional(v.string()),
  security: v.optional(v.array(v.record(v.string(), v.array(v.string())))),
  responses: v.optional(v.record(v.string(), v.unknown()), {}),
})
export const ApiDocument = v.object({ paths: v.record(v.string(), v.record(v.string(), Operation)) })
export type ApiDocument = v.InferOutput<typeof ApiDocument>

/** The browsable page of the API: plain HTML, made from the same document as `/api/docs/json`. */
export const docsRoutes = (ctx: Context, readDocument: () => Promise<unknown>) =>
  new Elysia({ name: 'docs' }).use(session(ctx)).get(
    '/api/docs',
    async () =>
      new Response(docsPage(v.parse(ApiDocument, await readDocument())), {
        headers: { 'content-type': 'text/html; charset=utf-8' },
      }),
    { open: true },
  )
