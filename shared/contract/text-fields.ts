import * as v from 'valibot'

/** Text we take as typed, as long as it has the right format. */
type Plain = 'plain' | 'address' | 'path' | 'email' | 'day' | 'colour' | 'picture' | 'id'

/** An entry of the content as a form shows it, derived from the page's schema alone. */
export type Field =
  /** Words visitors read; with `hasLinks`, [words](address) makes a link. */
  | { kind: 'text'; most: number | null; mayBeEmpty: boolean; hasLinks: boolean }
  | { [Kind in Plain]: { kind: Kind; mayBeEmpty: boolean } }[Plain]
  | { kind: 'number'; least: number | null; most: number | null }
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly string[] }
  | Group
  | { kind: 'list'; item: Field; least: number; most: number | null }
  | { kind: 'variants'; variants: readonly Field[] }

type Group = { kind: 'group'; entries: readonly { name: string; field: Field; isOptional: boolean }[] }

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

const Schema = v.custom<v.GenericSchema>(isSchema)
const Action = v.object({
  type: v.string(),
  requirement: v.optional(v.unknown()),
  metadata: v.optional(v.record(v.string(), v.unknown())),
})
type Action = v.InferOutput<typeof Action>

const Described = v.object({
  type: v.string(),
  entries: v.optional(v.record(v.string(), Schema)),
  item: v.optional(Schema),
  options: v.optional(v.array(v.union([Schema, v.string()]))),
  literal: v.optional(v.unknown()),
  wrapped: v.optional(Schema),
  pipe: v.optional(v.array(v.unknown())),
})
type Described = v.InferOutput<typeof Described>

const known = new WeakMap<v.GenericSchema, Field>()

/** The form field for a schema of the contract's texts. Throws for a kind of schema no form can show. */
export function fieldOf(schema: v.GenericSchema): Field {
  const field = known.get(schema) ?? readField(schema)
  known.set(schema, field)
  return field
}

function readField(schema: v.GenericSchema): Field {
  const said = v.parse(Described, schema)
  const actions = actionsOf(said)
  switch (said.type) {
    case 'string':
      return stringField(actions)
    case 'number':
      return { kind: 'number', least: numberOf(actions, 'min_value'), most: numberOf(actions, 'max_value') }
    case 'boolean':
      return { kind: 'switch' }
    case 'picklist':
      return { kind: 'choice', options: (said.options ?? []).filter((option) => typeof option === 'string') }
    case 'strict_object':
      return groupField(said)
    case 'array':
      return listField(said, actions)
    case 'optional':
      return fieldOf(v.parse(Schema, said.wrapped))
    case 'union':
      return unionField(said)
    default:
      throw new Error(`No form shows ${said.type}.`)
  }
}

/** A pipe begins with its schema, which may itself be a pipe. */
const actionsOf = ({ pipe = [] }: Described): Action[] =>
  pipe.flatMap((one) => (isSchema(one) ? actionsOf(v.parse(Described, one)) : [v.parse(Action, one)]))

const requirementOf = (actions: readonly Action[], type: string) =>
  actions.find((one) => one.type === type)?.requirement

function numberOf(actions: readonly Action[], ...types: string[]): number | null {
  const found = types.map((type) => requirementOf(actions, type)).find((one) => typeof one === 'number')
  return typeof found === 'number' ? found : null
}

function stringField(actions: readonly Action[]): Field {
  const has = (type: string) => actions.some((one) => one.type === type)
  const marked = actions.map(({ metadata }) => metadata?.field).find((field) => field !== undefined)
  const mayBeEmpty = false
  if (marked === 'colour' || marked === 'picture') return { kind: marked, mayBeEmpty }
  if (has('email')) return { kind: 'email', mayBeEmpty }
  if (has('url')) return { kind: 'address', mayBeEmpty }
  if (has('iso_date')) return { kind: 'day', mayBeEmpty }
  if (requirementOf(actions, 'starts_with') === '/') return { kind: 'path', mayBeEmpty }
  if (!has('non_empty')) return { kind: 'plain', mayBeEmpty }
  return { kind: 'text', most: shortestOf(actions), mayBeEmpty, hasLinks: marked === 'links' }
}

function shortestOf(actions: readonly Action[]): number | null {
  const all = actions.flatMap(({ type, requirement }) =>
    type === 'max_length' && typeof requirement === 'number' ? [requirement] : [],
  )
  return all.length === 0 ? null : Math.min(...all)
}

const groupField = ({ entries = {} }: Described): Group => ({
  kind: 'group',
  entries: Object.entries(entries).map(([name, schema]) => ({
    name,
    // The program refers to a thing by its id, so people don't type one.
    field: name === 'id' ? { kind: 'id', mayBeEmpty: false } : fieldOf(schema),
    isOptional: v.parse(Described, schema).type === 'optional',
  })),
})

const listField = ({ item }: Described, actions: readonly Action[]): Field => ({
  kind: 'list',
  item: fieldOf(v.parse(Schema, item)),
  least: numberOf(actions, 'length', 'min_length') ?? 0,
  most: numberOf(actions, 'length', 'max_length'),
})

function unionField({ options = [] }: Described): Field {
  const schemas = options.filter((option) => typeof option !== 'string')
  const shapes = schemas.filter((schema) => v.parse(Described, schema).type !== 'literal').map(fieldOf)
  const mayBeEmpty = schemas.some((schema) => v.parse(Described, schema).literal === '')
  const [first] = shapes
  if (first === undefined) throw new Error('No form shows a choice without a shape.')
  if (shapes.length > 1) return { kind: 'variants', variants: shapes }
  return 'mayBeEmpty' in first ? { ...first, mayBeEmpty } : first
}

const isGroupValue = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Which shape a value has; the first if it has none. */
export function variantOf(variants: readonly Field[], value: unknown): number {
  return Math.max(
    variants.findIndex((field) => hasShape(field, value)),
    0,
  )
}

function hasShape(field: Field, value: unknown): boolean {
  if (field.kind !== 'group') return typeof value === 'string'
  if (!isGroupValue(value)) return false
  const names = field.entries.map(({ name }) => name)
  const isWhole = field.entries.every(({ name, isOptional }) => isOptional || Object.hasOwn(value, name))
  return isWhole && Object.keys(value).every((name) => names.includes(name))
}

/** The words in a value that visitors read, each with the names that lead to it. */
export function textsIn(field: Field, value: unknown, entry = ''): [entry: string, text: string][] {
  const below = (name: string | number) => (entry === '' ? String(name) : `${entry}.${name}`)
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? [[entry, value]] : []
    case 'group':
      return isGroupValue(value)
        ? field.entries.flatMap((one) => textsIn(one.field, value[one.name], below(one.name)))
        : []
    case 'list':
      return Array.isArray(value) ? value.flatMap((item, at) => textsIn(field.item, item, below(at))) : []
    case 'variants': {
      const shape = field.variants[variantOf(field.variants, value)]
      return shape === undefined ? [] : textsIn(shape, value, entry)
    }
    default:
      return []
  }
}

export function blankOf(field: Field, newId: () => string): unknown {
  switch (field.kind) {
    case 'number':
      return field.least ?? 0
    case 'switch':
      return false
    case 'choice':
      return field.options[0]
    case 'group': {
      const entries = field.entries.filter(({ isOptional }) => !isOptional)
      return Object.fromEntries(entries.map((one) => [one.name, blankOf(one.field, newId)]))
    }
    case 'list':
      return Array.from({ length: field.least }, () => blankOf(field.item, newId))
    case 'variants':
      return field.variants[0] === undefined ? '' : blankOf(field.variants[0], newId)
    case 'id':
      return newId()
    case 'colour':
      return '#ffdc00'
    default:
      return ''
  }
}
