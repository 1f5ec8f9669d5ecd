import { type Context, perContext } from '#api/context.ts'
import { AppError } from '#api/errors.ts'

/** For each key, the end of the latest work. */
const lastWork = perContext(() => new Map<string, Promise<void>>())

/**
 * Runs work with the same key one at a time, however many tabs send it: Stripe rejects a second request under an idempotency key
 * that's still in progress. The rows are correct without this lock. It makes sure every tab gets a response. We don't use
 * async-mutex or p-queue because they have no keys, so the map and its cleanup (most of these lines) would still be ours.
 */
export async function withKeyLock<Result>(ctx: Context, key: string, work: () => Promise<Result>): Promise<Result> {
  const waiting = lastWork(ctx)
  const own = (waiting.get(key) ?? Promise.resolve()).then(work)
  // The next work starts whether this one succeeds or not.
  const end = own.then(
    () => {},
    () => {},
  )
  waiting.set(key, end)
  try {
    return await own
  } finally {
    if (waiting.get(key) === end) waiting.delete(key)
  }
}

/** A limit on how many run together. Callers who find it full get `message`, and may retry after `retryAfter` seconds. */
export type Room = { name: string; most: number; message: string; retryAfter: number }

const taken = perContext(() => new Map<string, number>())

/** Does the work if there's a place free. Otherwise it throws straight away, before reading anything. */
export async function withPlace<Result>(
  ctx: Context,
  { name, most, message, retryAfter }: Room,
  work: () => Promise<Result>,
): Promise<Result> {
  const places = taken(ctx)
  const before = places.get(name) ?? 0
  if (before >= most) throw new AppError('busy', message, { retryAfter })
  places.set(name, before + 1)
  try {
    return await work()
  } finally {
    const left = (places.get(name) ?? 1) - 1
    if (left > 0) places.set(name, left)
    else places.delete(name)
  }
}
