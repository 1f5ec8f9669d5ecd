import * as v from 'valibot'
import type { ApiField, ApiOperation, ApiReference } from '#api/documents/api-page.ts'
import { type ErrorCode, errorStatus } from '#shared/contract/error.ts'
import { errorMeanings } from './error-rules.ts'

/** As much of JSON Schema as the page shows of a field. */
type JsonSchema = {
  type?: string | undefined
  description?: string | undefined
  format?: string | undefined
  const?: unknown
  enum?: unknown[] | undefined
  anyOf?: JsonSchema[] | undefined
  oneOf?: JsonSchema[] | undefined
  properties?: Record<string, JsonSchema> | undefined
  required?: string[] | undefined
  items?: JsonSchema | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
}

const Nested = v.lazy((): v.GenericSchema<unknown, JsonSchema> => JsonSchema)
const JsonSchema: v.GenericSchema<unknown, JsonSchema> = v.object({
  type: v.optional(v.string()),
  description: v.optional(v.string()),
  format: v.optional(v.string()),
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  anyOf: v.optional(v.array(Nested)),
  oneOf: v.optional(v.array(Nested)),
  properties: v.optional(v.record(v.string(), Nested)),
  required: v.optional(v.array(v.string())),
  items: v.optional(Nested),
  maxLength: v.optional(v.number()),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
})

const Content = v.record(v.string(), v.object({ schema: v.optional(JsonSchema, {}), example: v.optional(v.unknown()) }))
const Parameter = v.object({
  name: v.string(),
  in: v.string(),
  required: v.optional(v.boolean(), false),
  schema: v.optional(JsonSchema, {}),
  example: v.optional(v.unknown()),
})
const Operation = v.object({
  tags: v.optional(v.array(v.string()), []),
  summary: v.optional(v.string(), ''),
  security: v.array(v.record(v.string(), v.array(v.string()))),
  'x-password': v.optional(v.string()),
  'x-audit': v.optional(v.array(v.string()), []),
  parameters: v.optional(v.array(Parameter), []),
  requestBody: v.optional(v.object({ content: Content })),
  responses: v.optional(v.record(v.string(), v.object({ content: v.optional(Content) })), {}),
})
type Operation = v.InferOutput<typeof Operation>
const ApiDocument = v.object({
  servers: v.tuple([v.object({ url: v.string() })]),
  tags: v.array(v.object({ name: v.string(), description: v.string() })),
  paths: v.record(v.string(), v.record(v.string(), Operation)),
})

/** What the page shows of the OpenAPI document. */
export function describeReference(document: object): ApiReference {
  const { servers, tags, paths } = v.parse(ApiDocument, document)
  const [{ url }] = servers
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const endpoint = { url, method: method.toUpperCase(), path }
      return { tag: operation.tags[0], operation: describeOperation(endpoint, operation) }
    }),
  )
  return {
    address: url,
    groups: tags.map(({ name, description }) => ({
      id: slugOf(name),
      name,
      about: description,
      operations: all.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    errors: errorCodes.map((code) => ({ code, status: errorStatus[code], meaning: errorMeanings[code] })),
  }
}

const errorCodes = Object.keys(errorStatus).filter((code): code is ErrorCode => code in errorStatus)

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/’/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

type Endpoint = { url: string; method: string; path: string }

function describeOperation(endpoint: Endpoint, operation: Operation): ApiOperation {
  const { method, path } = endpoint
  const roles = operation.security[0]?.session ?? []
  const body = bodyOf(operation)
  return {
    id: slugOf(`${method} ${path}`),
    method,
    path,
    sentence: operation.summary,
    body,
    who: whoMayCall(roles),
    password: passwordOf(operation, roles),
    log: operation['x-audit'],
    token: roles.length === 0 ? null : method === 'GET' ? 'read' : 'write',
    parameters: operation.parameters.map(({ name, in: where, required, schema }) => ({
      name,
      isRequired: required,
      holds: `${holds(schema)}, in the ${places[where] ?? where}`,
    })),
    answers: Object.entries(operation.responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, { content }]) => ({ status, example: answerOf(content) })),
    errors: likelyErrors(operation, { roles, hasBody: body !== null }),
    curl: curlOf(endpoint, operation, roles.length > 0),
  }
}

const places: Partial<Record<string, string>> = { path: 'path', query: 'query', header: 'headers' }

function whoMayCall(roles: readonly string[]): string {
  const [role] = roles
  if (role === 'owner') return 'Owners'
  if (role === 'member') return 'Members and owners'
  return role === 'person' ? 'Anyone who’s logged in' : 'Anyone'
}

function passwordOf({ 'x-password': unasked }: Operation, [, proof]: readonly string[]): string | null {
  if (proof !== undefined) return 'Entered in the last ten minutes'
  return unasked?.startsWith('asks when ') ? `Entered in the last ten minutes, ${unasked.slice('asks '.length)}` : null
}

function bodyOf({ requestBody }: Operation): ApiOperation['body'] {
  const [sent] = Object.entries(requestBody?.content ?? {})
  if (sent === undefined) return null
  const [type, { schema, example }] = sent
  return { type, fields: fieldsOf(schema), example: example === undefined ? null : printed(example) }
}

const printed = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Null if it isn’t JSON. */
function answerOf(content: v.InferOutput<typeof Content> | undefined): string | null {
  const example = content?.['application/json']?.example
  return example === undefined ? null : printed(example)
}

/** Fields of a body, those of its parts with a dot between. */
function fieldsOf(schema: JsonSchema, before = ''): ApiField[] {
  const shape = [schema, ...optionsOf(schema)].find(({ properties }) => properties)
  return Object.entries(shape?.properties ?? {}).flatMap(([name, field]) => {
    const own = { name: `${before}${name}`, isRequired: shape?.required?.includes(name) ?? false, holds: holds(field) }
    const inner = field.items ?? field
    return [own, ...fieldsOf(inner, `${own.name}${inner === field ? '' : '[]'}.`)]
  })
}

const optionsOf = ({ anyOf, oneOf }: JsonSchema) => anyOf ?? oneOf ?? []

/** A field’s kind and limits in a few words. */
function holds(schema: JsonSchema): string {
  const options = optionsOf(schema)
  if (options.length > 0) return [...new Set(options.map(holds))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `one of ${schema.enum.filter((one) => one !== '').join(', ')}`
  if (schema.type === 'array') return `list of ${holds(schema.items ?? {})}`
  const kind = schema.description ?? (schema.format === 'date' ? 'day' : kinds[schema.type ?? '']) ?? 'anything'
  const least = schema.minimum === undefined ? '' : ` from ${schema.minimum}`
  const most = schema.maximum === undefined || schema.maximum >= 2 ** 53 - 1 ? '' : ` up to ${schema.maximum}`
  const length = schema.maxLength === undefined ? '' : ` up to ${schema.maxLength} characters`
  return `${kind}${least}${most}${length}`
}

const kinds: Partial<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

/** Those the call can surely get. Any call can get the others, too. */
function likelyErrors(
  operation: Operation,
  { roles, hasBody }: { roles: readonly string[]; hasBody: boolean },
): string[] {
  const { parameters, requestBody, responses } = operation
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  const likely: [ErrorCode, boolean][] = [
    ['malformed', hasBody],
    ['unauthenticated', roles.length > 0],
    ['forbidden', roles.includes('owner') || roles.includes('member')],
    ['password_needed', passwordOf(operation, roles) !== null],
    ['second_factor_unset', roles.includes('owner')],
    ['not_found', parameters.some(({ in: where }) => where === 'path')],
    ['version_conflict', schema?.properties?.version !== undefined],
    ['invalid', hasBody || parameters.length > 0],
  ]
  return likely
    .filter(([code, isLikely]) => isLikely && String(errorStatus[code]) in responses)
    .map(([code]) => `${errorStatus[code]} ${code}`)
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The call as a line for a terminal, with what has to be there. */
function curlOf({ url, method, path }: Endpoint, { parameters, requestBody }: Operation, needsToken: boolean): string {
  const sampleOf = ({ example }: v.InferOutput<typeof Parameter>) => encodeURIComponent(String(example))
  const filled = path.replace(/\{(\w+)\}/g, (whole, name) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name)
    return found === undefined ? whole : sampleOf(found)
  })
  const needed = parameters.filter(({ required }) => required)
  const query = needed.filter((one) => one.in === 'query').map((one) => `${one.name}=${sampleOf(one)}`)
  const headers = needed
    .filter((one) => one.in === 'header')
    .map((one) => `-H ${quoted(`${one.name}: ${sampleOf(one)}`)}`)
  const [type, sent] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const body = sent?.example === undefined ? '--data-binary @file' : `-d ${quoted(compact(sent.example))}`
  return [
    ...[
      `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${url}${filled}${query.length > 0 ? '?' : ''}${query.join('&')}`)}`,
    ],
    ...(needsToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...headers,
    ...(type === undefined ? [] : [`-H ${quoted(`content-type: ${type}`)}`, body]),
  ].join(' \\\n  ')
}

const compact = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
