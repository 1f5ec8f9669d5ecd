import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { pageStyle } from '#api/documents/plain-page.ts'
import { brandedStyle } from '#api/features/site/brand/service.ts'
import { fontOf, type Site } from '#api/http/page-cache.ts'
import { session } from '#api/http/session.ts'
import { postedFormPaths, sharePath } from '#api/serving/paths.ts'
import { respondToPostedForm } from './posted-service.ts'

/** The public forms' own pages take what a browser without our scripts sends. */
export function postedFormRoutes(ctx: Context, site?: Site) {
  const style = brandedStyle(ctx, fontOf(site), (look) => pageStyle(look, ''))
  const app = new Elysia({ name: 'posted-forms' }).use(session(ctx))
  for (const path of postedFormPaths)
    app.post(path, ({ body, address }) => respondToPostedForm(ctx, { path, body, address, style: style() }), {
      visitor: true,
      body: v.optional(v.string(), ''),
    })
  // Without our service worker we can't keep it for the page that asks. That page says what to do.
  return app.post(sharePath, ({ redirect }) => redirect(sharePath, 303), { open: true })
}
