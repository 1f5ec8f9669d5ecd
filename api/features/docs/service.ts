import type { AnyElysia } from 'elysia'
import * as v from 'valibot'
import { sessionCookieBaseName } from '#api/http/session-cookies.ts'

/** What the page needs of the document; the rest is there for machines. */
const Operation = v.object({
  security: v.optional(v.array(v.record(v.string(), v.array(v.string())))),
  responses: v.optional(v.record(v.string(), v.unknown()), {}),
})
const ApiDocument = v.object({ paths: v.record(v.string(), v.record(v.string(), Operation)) })

const openapi = '3.1.2'
const info = { title: 'The Alliance', version: '1', description: 'The API of the site, the app and the terminal.' }
const securitySchemes = { session: { type: 'apiKey', in: 'cookie', name: sessionCookieBaseName } }

/** The app's own routes as an OpenAPI document. The packages that make it are loaded when it is requested: no start waits for them. */
export async function describeApi(app: AnyElysia): Promise<object> {
  const [{ toOpenAPISchema }, { toJsonSchema }] = await Promise.all([
    import('@elysiajs/openapi'),
    import('@valibot/to-json-schema'),
  ])
  const valibot = (schema: v.GenericSchema) => toJsonSchema(schema, { errorMode: 'ignore' })
  // `staticFile: false` keeps calls that end like a file, such as the invoices as CSV.
  const leftOut = { paths: ['/*', /^\/sandbox/], staticFile: false }
  const { paths, components } = toOpenAPISchema(app, leftOut, undefined, { valibot }, openapi)
  return { openapi, info, paths, components: { ...components, securitySchemes } }
}

/** The same as a page to browse: plain HTML, without scripts. */
export async function renderApiPage(app: AnyElysia): Promise<string> {
  const { paths } = v.parse(ApiDocument, await describeApi(app))
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security, responses }]) => {
      const role = Object.values(security?.[0] ?? {})[0]?.[0] ?? 'anybody'
      const cells = [method.toUpperCase(), path, role, Object.keys(responses).join(' ')]
      return `<tr>${cells.map((cell) => `<td>${Bun.escapeHTML(cell)}</td>`).join('')}</tr>`
    }),
  )
  return `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>API</title></head>
<body><main><h1>API</h1><p>Schemas of every body and answer: <a href="/api/docs/json">/api/docs/json</a> (OpenAPI).</p>
<table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">For</th><th scope="col">Answers</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></main></body></html>`
}
