import { ApiError, beforeStart } from '#api/sandbox/errors.ts'
import type { FormValue } from '#api/sandbox/resources/form.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import type { Store } from '#api/sandbox/store/store.ts'

/** `original` is the id of the request whose response this repeats. */
export type ApiResponse = { status: number; body: string; isReplay?: boolean; original?: string | null }

/** As at Stripe, keys are stored for 24 hours of wall time. */
const lifetimeMs = 24 * 60 * 60 * 1000

const maxKeyLength = 255

export type KeyedRequest = { key: string; request: string }

function sortKeys(value: FormValue): FormValue {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(sortKeys)
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sortKeys(each)]))
}

/** Two requests are equal if method, path and parameters are, in any order. */
export function fingerprint(method: string, path: string, params: FormValue): string {
  return new Bun.CryptoHasher('sha256').update(`${method} ${path}\n${JSON.stringify(sortKeys(params))}`).digest('hex')
}

export function assertKeyLength(key: string): void {
  if (key.length <= maxKeyLength) return
  throw beforeStart(
    new ApiError(400, {
      type: 'invalid_request_error',
      message: `Idempotency keys must be at most ${maxKeyLength} characters long; yours has ${key.length}.`,
    }),
  )
}

/** The response stored under this key. Throws if the key was used for a different request. */
export function findStoredResponse(store: Store, { key, request }: KeyedRequest): ApiResponse | null {
  store.prepare('DELETE FROM answers WHERE made_at < ?').run(Date.now() - lifetimeMs)
  const row = store
    .prepare<[string], ApiResponse & { request: string; request_id: string | null }>(
      'SELECT request, status, body, request_id FROM answers WHERE key = ?',
    )
    .get(key)
  if (row === undefined) return null
  if (row.request === request) return { status: row.status, body: row.body, isReplay: true, original: row.request_id }
  throw new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  })
}

export function storeResponse(
  { store, request: { id } }: Context,
  { key, request }: KeyedRequest,
  response: ApiResponse,
): void {
  store
    .prepare(
      'INSERT OR REPLACE INTO answers (key, request, status, body, made_at, request_id) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(key, request, response.status, response.body, Date.now(), id)
}
