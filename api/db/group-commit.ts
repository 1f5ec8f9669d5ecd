import { whenWritable } from './busy.ts'
import type { Damageable } from './damage.ts'
import { type Sqlite, transact } from './open.ts'

/** One piece of work in a group. `attempt` runs it and returns what to do once the group is on disk. */
type Member = { attempt(): () => void; reject(error: unknown): void }

const groups = new WeakMap<Sqlite, Member[]>()

/**
 * Runs `work` in one transaction with all other work from the same turn of the event loop, so we wait for the disk once. Resolves
 * when it's on disk. Work that throws rolls back its own writes only.
 */
export function transactTogether<Result>(ctx: Damageable, work: () => Result): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const attempt = () => {
    try {
      const result = transact(ctx, work)
      return () => resolve(result)
    } catch (error) {
      return () => reject(error)
    }
  }
  const waiting = groups.get(ctx.sqlite)
  if (waiting) waiting.push({ attempt, reject })
  else {
    const group = [{ attempt, reject }]
    groups.set(ctx.sqlite, group)
    setImmediate(() => void commitGroup(ctx, group))
  }
  return promise
}

async function commitGroup(ctx: Damageable, group: Member[]): Promise<void> {
  try {
    await whenWritable(ctx)
    groups.delete(ctx.sqlite)
    const outcomes = transact(ctx, () => group.map(({ attempt }) => attempt()))
    for (const settle of outcomes) settle()
  } catch (error) {
    groups.delete(ctx.sqlite)
    for (const { reject } of group) reject(error)
  }
}
