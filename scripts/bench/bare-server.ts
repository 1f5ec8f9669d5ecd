/**
 * The product's HTTP server without jobs or sandbox, so Stripe must already run elsewhere. With `UNCACHED`, its kept answers are
 * dropped before each request, as if every request followed a change.
 */
import { createApp } from '#api/app.ts'
import { openContext } from '#api/context.ts'
import { readBuiltSite } from '#api/http/pages.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { readSettings } from '#api/settings.ts'

const ctx = openContext(readSettings(process.env))
const app = createApp(ctx, { site: readBuiltSite() })
if (process.env.UNCACHED) app.onRequest(() => invalidateResponses(ctx))
app.listen({ hostname: ctx.settings.host, port: ctx.settings.port })
console.log(`ready http://127.0.0.1:${ctx.settings.port}`)
