import type { AnyElysia } from 'elysia'
import * as v from 'valibot'
import type { ApiReference } from '#api/documents/api-page.ts'
import { type CompressedBody, compressBody } from '#api/http/compressed-response.ts'
import { sessionCookieBaseName } from '#api/http/session-cookies.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { accountGroups } from './account-operations-rules.ts'
import { acceptedExample, JsonSchema } from './example-rules.ts'
import { moneyGroups } from './money-operations-rules.ts'
import { peopleGroups } from './people-operations-rules.ts'
import { describeReference } from './reference-service.ts'
import { siteGroups } from './site-operations-rules.ts'
import { visitorGroups } from './visitor-operations-rules.ts'

type OperationGroup = { name: string; about: string; operations: Partial<Record<string, string>> }

/** In the order an owner looks for them. */
const groups: readonly OperationGroup[] = [
  ...peopleGroups,
  ...moneyGroups,
  ...siteGroups,
  ...accountGroups,
  ...visitorGroups,
]

const openapi = '3.1.2'
const info = { title: 'API', version: '1', description: 'The API of the site, the app and the terminal.' }
const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: sessionCookieBaseName },
  token: { type: 'http', scheme: 'bearer' },
}

export type ApiDocs = { json: CompressedBody; reference: ApiReference }

type Site = { isSandbox: boolean; publicUrl: string }

/** The documents for the app's routes, which don't change while the process runs. */
export async function makeDocs(app: AnyElysia, site: Site): Promise<ApiDocs> {
  const document = await describeApi(app, site)
  return { json: compressBody(JSON.stringify(document)), reference: describeReference(document, [...known.keys()]) }
}

/** A dozen error bodies per route would be nine tenths of the document, so they refer to one. */
const errorReference = { $ref: '#/components/schemas/Error' }

/** The app's routes as an OpenAPI document. Loads its packages on request, so startup doesn't wait for them. */
async function describeApi(app: AnyElysia, { isSandbox, publicUrl }: Site): Promise<object> {
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
  const tags = groups
    .filter(({ name }) => isSandbox || name !== 'Sandbox')
    .map(({ name, about }) => ({ name, description: about }))
  return {
    ...{ openapi, info, servers: [{ url: publicUrl }], tags, paths: withGroups(documented) },
    components: { schemas, securitySchemes },
  }
}

type Paths = Record<string, Record<string, unknown> | undefined>

/** The package leaves our own parser's bodies empty, and gives a feature's root a trailing slash, where nothing answers. */
function withBodies(
  app: AnyElysia,
  paths: Record<string, object | undefined>,
  toJson: (schema: v.GenericSchema) => object,
): Paths {
  const canonical: Paths = Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [path.replace(/(?<=.)\/$/, ''), { ...operations }]),
  )
  for (const { method, path, hooks } of app.routes) {
    const written = path.replace(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '')
    const operations: Record<string, unknown> = { ...canonical[written] }
    const operation = operations[method.toLowerCase()]
    const schema: unknown = hooks.body
    if (typeof operation !== 'object' || !isSchema(schema)) continue
    const requestBody = describeBody(schema, toJson(schema))
    canonical[written] = { ...operations, [method.toLowerCase()]: { ...operation, requestBody } }
  }
  return canonical
}

function describeBody(schema: v.GenericSchema, json: object) {
  const type = schema.type === 'string' ? 'text/plain' : 'application/json'
  const example = acceptedExample(schema, v.parse(JsonSchema, json))
  return { required: !v.is(schema, undefined), content: { [type]: { schema: json, example } } }
}

const known = new Map(
  groups.flatMap(({ name, operations }) =>
    Object.entries(operations).map(([key, summary]) => [key, { tags: [name], summary }] as const),
  ),
)
const Guarded = v.object({ security: v.optional(v.array(v.object({ session: v.array(v.string()) })), []) })

/** Adds each operation's group and sentence, and the token that does for a login. */
function withGroups(paths: Paths): Paths {
  const entries = Object.entries(paths).map(([path, operations = {}]) => {
    const written = path.replace(/\{(\w+)\}/g, ':$1')
    const described = Object.entries(operations).map(([method, operation]) => {
      const [guard] = v.parse(Guarded, operation).security
      const token = [...(guard?.session ?? []), method === 'get' ? 'read' : 'write']
      const security = guard === undefined ? [] : [guard, { token }]
      const said = known.get(`${method.toUpperCase()} ${written}`)
      return [method, { ...Object(operation), ...said, security }]
    })
    return [path, Object.fromEntries(described)]
  })
  return Object.fromEntries(entries)
}

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
