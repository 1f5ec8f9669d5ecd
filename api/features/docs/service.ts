import type { AnyElysia } from 'elysia'
import * as v from 'valibot'
import type { ApiReference } from '#api/documents/api-page.ts'
import { sessionCookieBaseName } from '#api/identity/session-cookies.ts'
import { type CompressedBody, compressBody } from '#api/serving/compressed-response.ts'
import { isPostedForm, sharePath } from '#api/serving/paths.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { acceptedExample, exampleOf } from './example-rules.ts'
import { describeReference } from './reference-service.ts'

/** The groups that routes name as their tag, in the order an owner looks for them, and what each is about. */
const groups: readonly (readonly [name: string, about: string])[] = [
  ['Moving in', 'Members, videos and posts from elsewhere. Each import is a plan first, and can be undone.'],
  ['Members', 'Find a member, change what they have, refund them.'],
  ['Members’ subscriptions', 'What owners do with a membership for its member.'],
  ['Inbox', 'Applications, messages, bookings, and your notes and replies.'],
  ['Calendar', 'Your hours, your calls, and your calendar app.'],
  ['Money', 'MRR, payments, payouts and tier prices.'],
  ['Invoices and VAT', 'Your VAT documents, their checks and their exports.'],
  ['Commission', 'What the sales partner earns, and what you’ve paid them.'],
  ['Stripe', 'Keeping your records and Stripe’s the same.'],
  ['Videos', 'The members’ videos, and the files behind them.'],
  ['Blog and podcast', 'Posts, their earlier versions, and episodes.'],
  ['Content', 'The words of your pages and emails.'],
  ['Marketing', 'Announcements, campaigns, automatic emails and how the site is used.'],
  ['Emails', 'What was sent, and addresses you no longer write to.'],
  ['Owners and logins', 'Who’s logged in, tokens, and viewing the site as a member.'],
  ['Running the site', 'Today, setup, settings, jobs and reports.'],
  ['Sandbox', 'Trying things out, with a clock you can move.'],
  ['Logging in', 'Passwords, codes, passkeys, two-step login and tokens for programs.'],
  ['Your account', 'Your own profile, photo, devices, emails and data.'],
  ['Your membership', 'What a member pays, with which card, and for which tier.'],
  ['Notices', 'What a member’s phone tells them about.'],
  ['Watching videos', 'What members see in their area, and how far they’ve got.'],
  ['Questions', 'What members ask the coach, in words, photos and voice notes.'],
  ['Joining', 'From the application to the first payment, and coming back later.'],
  ['Getting in touch', 'The forms on the public site.'],
  ['Booking a call', 'Free times, and booking, moving or cancelling a call.'],
  ['The public site', 'Words, posts, pictures and what search engines read.'],
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
  return { json: compressBody(JSON.stringify(document)), reference: describeReference(document) }
}

/** A dozen error bodies per route would be nine tenths of the document, so they refer to one. */
const errorReference = { $ref: '#/components/schemas/Error' }

/** The app's routes as an OpenAPI document. Its package is loaded with the first request. */
async function describeApi(app: AnyElysia, { isSandbox, publicUrl }: Site): Promise<object> {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  // OpenAPI 3.1 names its dialect itself.
  const toJson: ToJson = (schema, typeMode) => {
    const { $schema: _, ...json } = toJsonSchema(schema, {
      errorMode: 'ignore',
      typeMode,
      target: 'draft-2020-12',
      overrideSchema: ({ valibotSchema, jsonSchema }) => withTrueDefaults(valibotSchema, asList(jsonSchema)),
    })
    return json
  }
  const control = isSandbox ? [] : [/^\/api\/admin\/sandbox/]
  const leftOut = [/^\/\*$/, /^\/sandbox/, ...control]
  const routes = app.routes.filter(
    ({ path }) => !isPostedForm(path) && path !== sharePath && !leftOut.some((pattern) => pattern.test(path)),
  )
  const tags = groups
    .filter(([name]) => isSandbox || name !== 'Sandbox')
    .map(([name, description]) => ({ name, description }))
  return {
    openapi,
    info,
    servers: [{ url: publicUrl }],
    tags,
    paths: describePaths(routes, toJson),
    components: { schemas: { Error: toJson(ErrorBody, 'output') }, securitySchemes },
  }
}

/** A tuple as a list as long: programs disagree about `prefixItems`, and about `items` beside them. */
function asList<Json extends { prefixItems?: unknown[] | undefined }>({ prefixItems, ...json }: Json) {
  if (prefixItems === undefined) return json
  const items = [...new Map(prefixItems.map((item) => [JSON.stringify(item), item])).values()]
  return {
    ...json,
    items: items.length === 1 ? items[0] : { anyOf: items },
    minItems: prefixItems.length,
    maxItems: prefixItems.length,
  }
}

/** A field whose default its own schema refuses, to word what's missing, is a required one to a program. */
function withTrueDefaults<Json extends { required?: string[]; default?: unknown }>(schema: object, json: Json): Json {
  const entries = 'entries' in schema ? Object.entries(Object(schema.entries)) : []
  const needed = entries.filter(([, field]) => isDefaultRefused(field)).map(([name]) => name)
  if (needed.length > 0) return { ...json, required: [...(json.required ?? []), ...needed] }
  return isDefaultRefused(schema) ? { ...json, default: undefined } : json
}

function isDefaultRefused(schema: unknown): boolean {
  if (!isSchema(schema) || !('wrapped' in schema) || !isSchema(schema.wrapped)) return false
  const byDefault: unknown = v.getDefault(schema)
  return byDefault !== undefined && !v.is(schema.wrapped, byDefault)
}

type ToJson = (schema: v.GenericSchema, typeMode: 'input' | 'output') => object
type Paths = Record<string, Record<string, unknown> | undefined>

/** A feature's root has a trailing slash, where nothing answers. */
function describePaths(routes: AnyElysia['routes'], toJson: ToJson): Paths {
  const paths: Paths = {}
  for (const { method, path, hooks } of routes) {
    const written = path.replace(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '')
    const parameters = (['params', 'query', 'headers'] as const).flatMap((part) =>
      describeParameters(part, hooks[part], toJson),
    )
    const operation = {
      ...hooks.detail,
      security: describeSecurity(method, hooks.detail),
      operationId: `${method.toLowerCase()}${path.split('/').map(idPart).join('')}`,
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(isSchema(hooks.body) ? { requestBody: describeBody(hooks.body, toJson(hooks.body, 'input')) } : {}),
      responses: describeAnswers(hooks.response, toJson),
    }
    paths[written] = { ...paths[written], [method.toLowerCase()]: operation }
  }
  return paths
}

const Guarded = v.object({ security: v.optional(v.array(v.object({ session: v.array(v.string()) })), []) })

/** The guard’s, and the token that does for a login. */
function describeSecurity(method: string, detail: unknown): object[] {
  const [guard] = v.parse(Guarded, detail).security
  return guard === undefined ? [] : [guard, { token: [...guard.session, method === 'GET' ? 'read' : 'write'] }]
}

const idPart = (part: string) => part.replace(/^(:?)(.?)/, (_, by, first) => `${by && 'By'}${first.toUpperCase()}`)

const parameterPlaces = { params: 'path', query: 'query', headers: 'header' }

function describeParameters(part: keyof typeof parameterPlaces, schema: unknown, toJson: ToJson): object[] {
  if (!isSchema(schema)) return []
  const examples = Object(exampleOf(schema))
  return fieldsOf(toJson(schema, 'input')).flatMap(({ properties, required }) =>
    Object.entries(properties).map(([name, field]) => ({
      name,
      in: parameterPlaces[part],
      required: part === 'params' || required.includes(name),
      schema: field,
      example: examples[name],
    })),
  )
}

const Fields = v.object({
  properties: v.optional(v.record(v.string(), v.unknown()), {}),
  required: v.optional(v.array(v.string()), []),
  allOf: v.optional(v.array(v.unknown()), []),
})

function fieldsOf(json: unknown): v.InferOutput<typeof Fields>[] {
  const own = v.parse(Fields, json)
  return [own, ...own.allOf.flatMap(fieldsOf)]
}

function describeBody(schema: v.GenericSchema, json: object) {
  const type = schema.type === 'string' ? 'text/plain' : 'application/json'
  const example = acceptedExample(schema)
  return { required: !v.is(schema, undefined), content: { [type]: { schema: json, example } } }
}

const describeAnswers = (answers: Record<string, v.GenericSchema>, toJson: ToJson) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => {
      const content = describeContent(schema, toJson)
      return [status, { description: `Response for status ${status}`, ...(content === null ? {} : { content }) }]
    }),
  )

const Files = v.object({ contentTypes: v.array(v.string()) })

/** Null for an answer without a body, such as a redirect. */
function describeContent(schema: v.GenericSchema, toJson: ToJson): object | null {
  if (schema === ErrorBody) return { 'application/json': { schema: errorReference } }
  if (schema.type === 'void') return null
  const files = v.safeParse(Files, v.getMetadata(schema))
  if (!files.success) return { 'application/json': { schema: toJson(schema, 'output'), example: exampleOf(schema) } }
  return Object.fromEntries(files.output.contentTypes.map((type) => [type, { schema: fileSchema(type) }]))
}

function fileSchema(type: string): object {
  if (type.endsWith('json')) return { type: 'object' }
  return type.startsWith('text/') || type.endsWith('xml') ? { type: 'string' } : { type: 'string', format: 'binary' }
}

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
