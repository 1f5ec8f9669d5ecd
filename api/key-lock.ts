import { type Context, perContext } from './context.ts'
import { AppError } from './errors.ts'

/** For each key the end of the newest work. */
const lastWork = perContext(() => new Map<string, Promise<void>>())

/**
 * Runs work that has the same key one after the other, however many tabs ask for it at once: the provider refuses a
 * second request under an idempotency key that it is still working on. The rows stay right without this lock; it makes
 * sure that every tab gets a response. It is our own because the mutexes of async-mutex and p-queue have no keys: the
 * map and its cleanup, which are most of these lines, would remain.
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

/** Where only so many are let in; `message` and the seconds after which to come again are for those who find it full. */
export type Room = { name: string; most: number; message: string; retryAfter: number }

/** For each room those who are in it. */
const taken = perContext(() => new Map<string, number>())

/** Does the work where there is a place for it. Else it is refused at once, before anything is read or waited for. */
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
