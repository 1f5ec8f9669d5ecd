/** The product with its response cache cleared before each request, as if every request followed a change. */
import { createApp } from '#api/app.ts'
import { openContext } from '#api/context.ts'
import { readBuiltSite } from '#api/http/pages.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { readSettings } from '#api/settings.ts'

const ctx = openContext(readSettings(process.env))
const app = createApp(ctx, { site: readBuiltSite() })
app.onRequest(() => invalidateResponses(ctx)).listen({ hostname: ctx.settings.host, port: ctx.settings.port })
console.log(`ready http://127.0.0.1:${ctx.settings.port}`)
