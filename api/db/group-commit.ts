import { whenWritable, withoutDisk } from './busy.ts'
import { type Damageable, recordIfDamage } from './damage.ts'
import { type Sqlite, transact } from './open.ts'

/** One piece of work in a group. `attempt` runs it and returns what to do once the group is on disk. `isNote`: as `noteTogether`. */
type Member = { attempt(): () => void; reject(error: unknown): void; isNote: boolean }

const groups = new WeakMap<Sqlite, Member[]>()

/**
 * Runs `work` in one transaction with all other work from the same turn of the event loop, so we wait for the disk once. Resolves when it's
 * on disk. Work that throws rolls back its own writes only.
 */
export function transactTogether<Result>(ctx: Damageable, work: () => Result): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  join(ctx, work, { resolve, reject, isNote: false })
  return promise
}

/**
 * The same for what nobody waits for and may be lost with the power, such as a visit: alone, it doesn't wait for the disk. Two
 * transactions for each of a thousand people who come in one evening took as long as all else that they asked for.
 */
export const noteTogether = (ctx: Damageable, work: () => void): void =>
  join(ctx, work, { resolve: () => undefined, reject: (error) => recordIfDamage(ctx, error), isNote: true })

type Settled<Result> = Omit<Member, 'attempt'> & { resolve(result: Result): void }

function join<Result>(ctx: Damageable, work: () => Result, { resolve, reject, isNote }: Settled<Result>): void {
  const attempt = () => {
    try {
      const result = transact(ctx, work)
      return () => resolve(result)
    } catch (error) {
      return () => reject(error)
    }
  }
  const member = { attempt, reject, isNote }
  const waiting = groups.get(ctx.sqlite)
  if (waiting) waiting.push(member)
  else {
    const group = [member]
    groups.set(ctx.sqlite, group)
    setImmediate(() => void commitGroup(ctx, group))
  }
}

async function commitGroup(ctx: Damageable, group: Member[]): Promise<void> {
  try {
    await whenWritable(ctx)
    groups.delete(ctx.sqlite)
    const commit = () => transact(ctx, () => group.map(({ attempt }) => attempt()))
    const outcomes = group.every(({ isNote }) => isNote) ? withoutDisk(ctx.sqlite, commit) : commit()
    for (const settle of outcomes) settle()
  } catch (error) {
    groups.delete(ctx.sqlite)
    for (const { reject } of group) reject(error)
  }
}
