import type { Context } from './context.ts'

const lastTurns = new WeakMap<Context, Map<string, Promise<void>>>()

/**
 * Does work that has the same key one after the other, however many tabs ask for it at once: the provider refuses a second
 * request under a key that it is still working on. The rows hold without it; this is so that everybody gets an answer.
 */
export async function withKeyLock<Result>(ctx: Context, key: string, work: () => Promise<Result>): Promise<Result> {
  const turns = lastTurns.get(ctx) ?? new Map<string, Promise<void>>()
  lastTurns.set(ctx, turns)
  const own = (turns.get(key) ?? Promise.resolve()).then(work)
  // The next one comes whether this one succeeds or not.
  const over = own.then(
    () => {},
    () => {},
  )
  turns.set(key, over)
  try {
    return await own
  } finally {
    if (turns.get(key) === over) turns.delete(key)
  }
}
