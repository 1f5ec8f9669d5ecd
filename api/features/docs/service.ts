import type { AnyElysia } from 'elysia'
import * as v from 'valibot'

/** What the page needs of the document; the rest is there for machines. */
const Operation = v.object({
  security: v.optional(v.array(v.record(v.string(), v.array(v.string())))),
  responses: v.optional(v.record(v.string(), v.unknown()), {}),
})
export const ApiDocument = v.object({ paths: v.record(v.string(), v.record(v.string(), Operation)) })
export type ApiDocument = v.InferOutput<typeof ApiDocument>

const openapi = '3.1.2'
const info = { title: 'The Alliance', version: '1', description: 'The API of the site, the app and the terminal.' }
const securitySchemes = { session: { type: 'apiKey', in: 'cookie', name: 'alliance_session' } }

/** The app's own routes as an OpenAPI document. What makes it is loaded when somebody asks: no start waits for it. */
export async function describeApi(app: AnyElysia): Promise<object> {
  const [{ toOpenAPISchema }, { toJsonSchema }] = await Promise.all([
    import('@elysiajs/openapi'),
    import('@valibot/to-json-schema'),
  ])
  const valibot = (schema: v.GenericSchema) => toJsonSchema(schema, { errorMode: 'ignore' })
  // A call may end like a file: the invoices as CSV.
  const leftOut = { paths: ['/*', /^\/sandbox/], staticFile: false }
  const { paths, components } = toOpenAPISchema(app, leftOut, undefined, { valibot }, openapi)
  return { openapi, info, paths, components: { ...components, securitySchemes } }
}
