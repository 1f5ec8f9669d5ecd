import type { AnyElysia } from 'elysia'
import * as v from 'valibot'
import { type CompressedBody, compressBody } from '#api/http/compressed-response.ts'
import { sessionCookieBaseName } from '#api/http/session-cookies.ts'
import { ErrorBody } from '#shared/contract/error.ts'

const Operation = v.object({
  security: v.optional(v.array(v.record(v.string(), v.array(v.string())))),
  responses: v.optional(v.record(v.string(), v.unknown()), {}),
})
const ApiDocument = v.object({ paths: v.record(v.string(), v.record(v.string(), Operation)) })

const openapi = '3.1.2'
const info = { title: 'API', version: '1', description: 'The API of the site, the app and the terminal.' }
const securitySchemes = { session: { type: 'apiKey', in: 'cookie', name: sessionCookieBaseName } }

export type ApiDocs = { json: CompressedBody; page: CompressedBody }

/** The documents for the app's routes, which don't change while the process runs. */
export async function makeDocs(app: AnyElysia, site: { isSandbox: boolean }): Promise<ApiDocs> {
  const document = await describeApi(app, site)
  return { json: compressBody(JSON.stringify(document)), page: compressBody(renderApiPage(document)) }
}

/** A dozen error bodies per route would be nine tenths of the document, so they refer to one. */
const errorReference = { $ref: '#/components/schemas/Error' }

/** The app's routes as an OpenAPI document. Loads its packages on request, so startup doesn't wait for them. */
async function describeApi(app: AnyElysia, { isSandbox }: { isSandbox: boolean }): Promise<object> {
  const [{ toOpenAPISchema }, { toJsonSchema }] = await Promise.all([
    import('@elysiajs/openapi'),
    import('@valibot/to-json-schema'),
  ])
  const toJson = (schema: v.GenericSchema) => toJsonSchema(schema, { errorMode: 'ignore' })
  const valibot = (schema: v.GenericSchema) => (schema === ErrorBody ? errorReference : toJson(schema))
  // `staticFile: false` keeps routes that look like files, such as the invoices CSV.
  const control = isSandbox ? [] : [/^\/api\/admin\/sandbox/]
  const leftOut = { paths: ['/*', /^\/sandbox/, ...control], staticFile: false }
  const { paths, components } = toOpenAPISchema(app, leftOut, undefined, { valibot }, openapi)
  const documented = withBodies(app, paths, (schema) =>
    toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' }),
  )
  const schemas = { ...components.schemas, Error: toJson(ErrorBody) }
  return { openapi, info, paths: documented, components: { schemas, securitySchemes } }
}

type Paths = Record<string, object | undefined>

/** The package leaves our own parser's bodies empty, and gives a feature's root a trailing slash, where nothing answers. */
function withBodies(app: AnyElysia, paths: Paths, toJson: (schema: v.GenericSchema) => object): Paths {
  const canonical = Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [path.replace(/(?<=.)\/$/, ''), { ...operations }]),
  )
  for (const { method, path, hooks } of app.routes) {
    const written = path.replace(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '')
    const operations: Record<string, unknown> = { ...canonical[written] }
    const operation = operations[method.toLowerCase()]
    const schema: unknown = hooks.body
    if (typeof operation !== 'object' || !isSchema(schema)) continue
    const type = schema.type === 'string' ? 'text/plain' : 'application/json'
    const required = !v.is(schema, undefined)
    const requestBody = { required, content: { [type]: { schema: toJson(schema) } } }
    canonical[written] = { ...operations, [method.toLowerCase()]: { ...operation, requestBody } }
  }
  return canonical
}

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

function renderApiPage(document: object): string {
  const { paths } = v.parse(ApiDocument, document)
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
