import * as v from 'valibot'
import { honeypotName } from '#shared/contract/form-labels.ts'
import { byEnding, byFormat, byName } from './example-values-rules.ts'

/** As much of JSON Schema as our schemas become. */
export type JsonSchema = {
  type?: string | undefined
  const?: unknown
  default?: unknown
  enum?: unknown[] | undefined
  anyOf?: JsonSchema[] | undefined
  oneOf?: JsonSchema[] | undefined
  properties?: Record<string, JsonSchema> | undefined
  required?: string[] | undefined
  additionalProperties?: JsonSchema | boolean | undefined
  propertyNames?: JsonSchema | undefined
  items?: JsonSchema | boolean | undefined
  minItems?: number | undefined
  format?: string | undefined
  pattern?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
}

const Nested = v.lazy((): v.GenericSchema<unknown, JsonSchema> => JsonSchema)
const Texts = v.optional(v.string())
const Count = v.optional(v.number())
/** Of several types, the first that isn't null. */
const Type = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((types) => [types].flat().find((type) => type !== 'null')),
)
export const JsonSchema: v.GenericSchema<unknown, JsonSchema> = v.object({
  type: v.optional(Type),
  format: Texts,
  pattern: Texts,
  minItems: Count,
  minLength: Count,
  maxLength: Count,
  minimum: Count,
  maximum: Count,
  const: v.optional(v.unknown()),
  default: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  anyOf: v.optional(v.array(Nested)),
  oneOf: v.optional(v.array(Nested)),
  propertyNames: v.optional(Nested),
  properties: v.optional(v.record(v.string(), Nested)),
  required: v.optional(v.array(v.string())),
  additionalProperties: v.optional(v.union([v.boolean(), Nested])),
  items: v.optional(v.union([v.boolean(), Nested])),
})

/** A value that someone might send, for a field of this name. */
export function exampleOf(schema: JsonSchema, name = '', isFull = true): unknown {
  if (schema.const !== undefined) return schema.const
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return exampleOfOptions(options, name, isFull)
  if (schema.type === 'null') return null
  if (schema.type === 'object') return exampleObject(schema, name, isFull)
  if (schema.type === 'array') return exampleList(schema, name, isFull)
  if (schema.type === 'boolean') return byName[name]?.[0] ?? schema.default ?? true
  return (
    [...(byName[name] ?? []), ...(schema.enum ?? [])].find((value) => fits(schema, value)) ??
    exampleOfFormat(schema, name)
  )
}

function exampleOfFormat(schema: JsonSchema, name: string): unknown {
  if (schema.type !== 'integer' && schema.type !== 'number') {
    const ending = byEnding.filter(([end]) => end.test(name)).map(([, value]) => value)
    return [...ending, 'Text', ...byFormat].find((value) => fits(schema, value))
  }
  return [schema.default, schema.minimum, 1].find((value) => value !== undefined && fits(schema, value))
}

function exampleOfOptions(options: readonly JsonSchema[], name: string, isFull: boolean): unknown {
  const known = byName[name]?.find((value) => options.some((option) => option.type !== 'null' && fits(option, value)))
  if (known !== undefined && !options.some(({ type }) => type === 'object' || type === 'array')) return known
  const chosen = options.find(({ type, const: only }) => type !== 'null' && only !== '') ?? options[0] ?? {}
  return exampleOf(chosen, name, isFull)
}

function exampleObject({ properties, required = [], ...schema }: JsonSchema, own: string, isFull: boolean): object {
  if (properties === undefined && typeof schema.additionalProperties === 'object') {
    const key = exampleOf({ type: 'string', ...schema.propertyNames }, 'entry')
    return { [String(key)]: exampleOf(schema.additionalProperties, nameAmong([own], 'value'), isFull) }
  }
  const all = Object.keys(properties ?? {})
  const fields = Object.entries(properties ?? {}).filter(
    ([name]) => required.includes(name) || (isFull && name !== honeypotName),
  )
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, nameAmong(all, name), isFull)]))
}

/** Next to an email address, a name is a person’s; next to bytes, a file’s. */
const nameAmong = (all: readonly string[], name: string): string =>
  all.map((other) => `${other}.${name}`).find((key) => key in byName) ?? name

function exampleList({ items, minItems = 1 }: JsonSchema, name: string, isFull: boolean): unknown[] {
  if (typeof items !== 'object') return []
  if (isAnything(items)) return [...(byName[name] ?? [])]
  return Array.from({ length: Math.max(minItems, 1) }, () => exampleOf(items, name, isFull))
}

const isAnything = (schema: JsonSchema) => Object.values(schema).every((value) => value === undefined)

const typeOf = (value: unknown) => (Number.isInteger(value) ? 'integer' : value === null ? 'null' : typeof value)

function fits(schema: JsonSchema, value: unknown): boolean {
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.some((option) => fits(option, value))
  if (schema.const !== undefined) return schema.const === value
  if (schema.enum !== undefined) return value !== '' && schema.enum.includes(value)
  const type = typeOf(value)
  if (schema.type !== undefined && schema.type !== type && !(schema.type === 'number' && type === 'integer'))
    return false
  if (typeof value === 'number') return value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value)
  return typeof value !== 'string' || fitsText(schema, value)
}

function fitsText(
  { format, pattern = '', minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema,
  text: string,
) {
  if (text.length < minLength || text.length > maxLength || !new RegExp(pattern, 'u').test(text)) return false
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(text)
  return format !== 'email' || text.includes('@')
}

/** The example with all that may be sent, or one field less, or only with what’s needed: the first the schema itself accepts. */
export function acceptedExample(schema: v.GenericSchema, json: JsonSchema): unknown {
  const full = exampleOf(json, 'body')
  const candidates = [full, ...withoutOne(json, full), exampleOf(json, 'body', false)]
  return candidates.find((candidate) => v.is(schema, candidate))
}

function withoutOne({ properties = {}, required = [] }: JsonSchema, full: unknown): unknown[] {
  if (typeof full !== 'object' || full === null) return []
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return optional.map((left) => Object.fromEntries(Object.entries(full).filter(([name]) => name !== left)))
}
