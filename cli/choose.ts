import { usageError } from './exit-codes.ts'

/** Reads a path such as `email`, `plan.total` or `payments.number`. A list gives the part of each entry. */
function partAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...more] = path
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((one) => partAt(one, path))
  if (typeof value !== 'object' || value === null) return undefined
  return partAt(Reflect.get(value, name), more)
}

export function fieldsOf(given: string): string[] {
  const fields = given.split(',').map((field) => field.trim())
  if (fields.some((field) => !/^[A-Za-z]\w*(\.\w+)*$/.test(field))) throw usageError(`${given} isn’t a list of fields.`)
  return fields
}

/** The value with only these fields, named as requested. A list gives each of its entries that way. */
export function chooseFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => chooseFields(one, fields))
  return Object.fromEntries(
    fields.map((field) => {
      const part = partAt(value, field.split('.'))
      if (part === undefined) throw unknownField(field, namesOf(value))
      return [field, part]
    }),
  )
}

const namesOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []

export const unknownField = (field: string, names: readonly string[]) =>
  usageError(`There’s no field ${field}. There are: ${names.join(', ')}.`)

/** The jq paths scripts use most: `.email`, `.[]`, `.[0].email`, `.payments[].number`. No expressions. */
export function readPath(value: unknown, path: string): unknown[] {
  const steps = [...path.matchAll(/\.?([A-Za-z_]\w*)|\.?\[(\d*)\]|^\.$/g)]
  if (steps.map(([takeStep]) => takeStep).join('') !== path || path === '') {
    throw usageError(`--jq reads paths such as '.[].email' or '.plan.total', not ${path}.`)
  }
  return steps.reduce<unknown[]>(
    (found, [, name, index]) => {
      if (name !== undefined) assertNamed(found, name)
      return found.flatMap((one) => takeStep(one, name, index))
    },
    [value],
  )
}

/** Refuses a name no entry has, since a typo would print a list of `null`. A field only some have is `null` for the others. */
function assertNamed(values: readonly unknown[], name: string): void {
  if (values.some(Array.isArray)) throw usageError(`A list has no field ${name}, each of it may: '.[].${name}'.`)
  const names = new Set(values.flatMap(namesOf))
  if (names.size > 0 && !names.has(name)) throw unknownField(name, [...names])
}

function takeStep(value: unknown, name: string | undefined, index: string | undefined): unknown[] {
  if (name !== undefined)
    return [typeof value === 'object' && value !== null ? (Reflect.get(value, name) ?? null) : null]
  if (index === undefined) return [value]
  if (index !== '') return [Array.isArray(value) ? (value[Number(index)] ?? null) : null]
  return Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : []
}
