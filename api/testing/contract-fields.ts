import * as v from 'valibot'
import type { World } from './world.ts'

const Schema = v.custom<v.GenericSchema>(
  (value) => typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema',
)
const Parts = v.object({
  entries: v.optional(v.record(v.string(), Schema), {}),
  item: v.optional(Schema),
  wrapped: v.optional(Schema),
  options: v.optional(v.array(v.unknown()), []),
})

/** The schema's fields by name. A union may have several with one name. */
function fieldsOf(schema: v.GenericSchema, name = ''): [name: string, schema: v.GenericSchema][] {
  const { entries, item, wrapped, options } = v.parse(Parts, schema)
  const below = [item, wrapped, ...options].filter((one) => v.is(Schema, one))
  const named = Object.entries(entries).flatMap(([key, one]) => fieldsOf(one, name === '' ? key : `${name}.${key}`))
  const inside = [...named, ...below.flatMap((one) => fieldsOf(one, name))]
  return inside.length > 0 ? inside : [[name, schema]]
}

export const fieldsOfCalls = (world: World) =>
  world
    .wholeApp()
    .routes.flatMap(({ method, path, hooks: { body, query, params } }) =>
      Object.entries({ body, query, params }).flatMap(([part, asked]) =>
        v.is(Schema, asked) ? fieldsOf(asked).map(([name, field]) => ({ method, path, part, name, field })) : [],
      ),
    )
