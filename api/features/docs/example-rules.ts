import * as v from 'valibot'
import { honeypotName } from '#shared/contract/form-labels.ts'

/** As much of a valibot schema as an example needs. */
type Schema = v.GenericSchema & {
  type?: string
  entries?: Record<string, Schema>
  wrapped?: Schema
  item?: Schema
  items?: Schema[]
  options?: unknown[]
  key?: Schema
  value?: Schema
  literal?: unknown
  getter?: (input: unknown) => Schema
}

const id = '01977a3e-5c00-7a10-9c4e-2f6b8d1e0a35'
const time = '2026-07-12T09:00:00.000Z'

/** What a text whose name ends so may hold. */
const byName: readonly (readonly [ending: RegExp, value: string])[] = [
  [/^id$|Id$/, id],
  [/^endsAt$/, '2046-07-12T09:00:00.000Z'],
  [/(^a|A)t$|Time$/, time],
  [/On$|[dD]ay$|[dD]ate$|[fF]rom$|^until$/, '2026-07-12'],
  [/[mM]onth$/, '2026-07'],
  [/[eE]mail$/, 'sam@example.com'],
  [/[uU]rl$|[lL]ink$/, 'https://alliance.example/members'],
]

/** Tried one after the other: a field's own schema takes the first that fits it. */
const values: readonly unknown[] = [
  ...[id, '2026-07-12', time, '2026-07', '2026-Q3', '09:00', 'sam@example.com', '07700 900123', 'LS1 4AP', 'GB'],
  ...['price-every-job', '12', 'A-000042', '123456', 'dQw4w9WgXcQ', 'https://alliance.example/members', '1d'],
  ...['/media/level.webp', '4f'.repeat(32), '2026-07-12-0123456789abcdef', 'hero.title', 'iVBORw0KGgo='],
  ...['in_1Example', 'cus_Example', 'ch_1Example', 'po_1Example', 1, 30, 2026, 1024, true, null],
]

/** The example with all that may be sent, or one field less, or only with what's needed: the first the schema itself accepts. */
export function acceptedExample(schema: v.GenericSchema): unknown {
  const full = exampleOf(schema)
  const needed = exampleOf(schema, '', false)
  const optional = Object.keys(Object(full)).filter((name) => !(name in Object(needed)))
  const oneLess = optional.map((left) =>
    Object.fromEntries(Object.entries(Object(full)).filter(([name]) => name !== left)),
  )
  return [full, ...oneLess, needed].find((example) => v.is(schema, example))
}

/** What's in the schema's own examples, or else made of its parts. Optional fields are left out unless it's full. */
export function exampleOf(schema: Schema, name = '', isFull = true): unknown {
  const examples: readonly unknown[] = v.getExamples(schema)
  const made = examples.find((one) => v.is(schema, one)) ?? composed(schema, name, isFull)
  if (made !== undefined) return made
  const words = name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())
  const named = byName.flatMap(([ending, value]) => (ending.test(name) ? [value] : []))
  return [...named, words || 'Text', ...values].find((value) => v.is(schema, value))
}

function composed(schema: Schema, name: string, isFull: boolean): unknown {
  const { type, entries, wrapped, item, items, options, key, value, literal, getter } = schema
  if (entries !== undefined) return exampleObject(entries, isFull)
  if (wrapped !== undefined) return exampleOf(wrapped, name, isFull)
  if (item !== undefined) return [exampleOf(item, name.replace(/s$/, ''), isFull)]
  if (items !== undefined) return items.map((one) => exampleOf(one, name, isFull))
  if (key !== undefined && value !== undefined) return { [String(exampleOf(key))]: exampleOf(value, '', isFull) }
  if (getter !== undefined) return exampleOf(getter(undefined), name, isFull)
  const made = (options ?? []).map((option) => (isSchema(option) ? exampleOf(option, name, isFull) : option))
  return type === 'intersect' ? Object.assign({}, ...made) : (literal ?? made.find((one) => one !== '' && one !== null))
}

const exampleObject = (entries: Record<string, Schema>, isFull: boolean): object =>
  Object.fromEntries(
    Object.entries(entries)
      .filter(([name, field]) => (isFull ? name !== honeypotName : !v.is(field, undefined)))
      .map(([name, field]) => [name, exampleOf(field, name, isFull)])
      .filter(([, value]) => value !== undefined),
  )

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
