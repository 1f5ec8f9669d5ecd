import { createHash } from 'node:crypto'
import { ApiError } from '#api/stripe/sandbox/http/errors.ts'
import type { Store } from '#api/stripe/sandbox/store/store.ts'

export type Answer = { status: number; body: string; replayed?: boolean }

/** Keys are kept for 24 hours of wall time, as Stripe keeps them. */
const KEPT = 24 * 60 * 60 * 1000

export type KeyedRequest = { key: string; request: string }

/** What two requests must share to count as the same. */
export function fingerprint(method: string, path: string, body: string): string {
  return createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex')
}

/** The answer this key got before; an error when it came with another request. */
export function earlierAnswer(store: Store, { key, request }: KeyedRequest): Answer | null {
  store.prepare('DELETE FROM answers WHERE made_at < ?').run(Date.now() - KEPT)
  const row = store
    .prepare<[string], Answer & { request: string }>('SELECT request, status, body FROM answers WHERE key = ?')
    .get(key)
  if (row === undefined) return null
  if (row.request === request) return { status: row.status, body: row.body, replayed: true }
  throw new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  })
}

export function keepAnswer(store: Store, { key, request }: KeyedRequest, answer: Answer): void {
  store
    .prepare('INSERT OR REPLACE INTO answers (key, request, status, body, made_at) VALUES (?, ?, ?, ?, ?)')
    .run(key, request, answer.status, answer.body, Date.now())
}
