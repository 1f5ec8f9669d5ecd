import * as v from 'valibot'
import type { Send } from './connection.ts'

const Body = v.object({
  properties: v.optional(v.record(v.string(), v.unknown()), {}),
  anyOf: v.optional(v.array(v.object({ properties: v.optional(v.record(v.string(), v.unknown()), {}) })), []),
})
const Operation = v.object({
  parameters: v.optional(v.array(v.object({ name: v.string(), in: v.string() })), []),
  requestBody: v.optional(v.object({ content: v.record(v.string(), v.object({ schema: Body })) })),
})
const Document = v.object({ paths: v.record(v.string(), v.record(v.string(), Operation)) })

/** `dryRun`: where the call takes it; null if it has none. */
export type ApiOperation = { method: string; path: string; dryRun: 'query' | 'body' | null }

/** The server's calls, from its own document; null if it doesn't show it. */
export async function readOperations(send: Send): Promise<readonly ApiOperation[] | null> {
  const response = await send('/api/docs/json', { method: 'GET', headers: {} })
  if (!response.ok) return null
  const { paths } = v.parse(Document, await response.json())
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      dryRun: dryRunOf(operation),
    })),
  )
}

function dryRunOf({ parameters, requestBody }: v.InferOutput<typeof Operation>): ApiOperation['dryRun'] {
  if (parameters.some((one) => one.in === 'query' && one.name === 'dryRun')) return 'query'
  const schema = requestBody?.content['application/json']?.schema
  const all = schema === undefined ? [] : [schema, ...schema.anyOf]
  return all.some(({ properties }) => 'dryRun' in properties) ? 'body' : null
}

/** The one a path is for: words go before what stands for a value. */
export function operationFor(operations: readonly ApiOperation[], method: string, path: string) {
  const isFor = (one: ApiOperation) =>
    new RegExp(`^${one.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
  const variables = (one: ApiOperation) => one.path.split('{').length
  return operations
    .filter((one) => one.method === method && isFor(one))
    .toSorted((a, b) => variables(a) - variables(b))[0]
}
