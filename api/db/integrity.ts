import { existsSync, statSync } from 'node:fs'
import type { Context } from '#api/context.ts'
import { errorMessage } from '#api/log.ts'
import { programFile } from '#api/project.ts'
import { StartupError } from '#api/settings.ts'
import {
  clearDamageMark,
  damageLine,
  damageMarkOf,
  findProblem,
  isDamaged,
  markDamage,
  recordDamage,
  recordIfLost,
} from './damage.ts'
import { openReadOnly } from './open.ts'

/** So much is checked in some 50 ms. */
const checkedAtOnceBytes = 8 * 1024 * 1024

/**
 * A small database is checked before the server serves, a larger one in a thread while it does already, unless it was found damaged
 * before.
 */
export function checkAtStart(ctx: Context): void {
  const { sqlite } = ctx
  if (sqlite.memory || existsSync(damageMarkOf(sqlite.name)) || statSync(sqlite.name).size <= checkedAtOnceBytes) {
    recordProblem(ctx, findProblem(sqlite))
    if (!sqlite.memory && !isDamaged(ctx)) clearDamageMark(sqlite.name)
  } else
    void checkIntegrity(ctx).catch((error: unknown) =>
      ctx.log.error('database not checked', { reason: errorMessage(error) }),
    )
}

/** The same for a command that holds the folder in the server's place. Throws the line that names the restore. */
export function assertSound(file: string): void {
  const { $client: sqlite } = openReadOnly(file)
  const problem = findProblem(sqlite)
  sqlite.close()
  if (problem !== null) {
    markDamage(file, problem)
    throw new StartupError(damageLine(file, problem))
  }
  clearDamageMark(file)
}

/** Goes through every page of the database, in a thread of its own: a large one takes seconds. */
export async function checkIntegrity(ctx: Context): Promise<{ isDamaged: boolean }> {
  const { sqlite } = ctx
  // What lies at the path now may be sound, and not this database.
  recordIfLost(ctx)
  if (!isDamaged(ctx)) recordProblem(ctx, sqlite.memory ? findProblem(sqlite) : await findProblemInThread(sqlite.name))
  return { isDamaged: isDamaged(ctx) }
}

function recordProblem(ctx: Context, problem: string | null): void {
  if (problem !== null) recordDamage(ctx, problem)
}

function findProblemInThread(file: string): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const worker = new Worker(programFile('api/db/integrity-worker'), { workerData: file })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', (code) => reject(new Error(`The check ended with ${code}.`)))
  return promise
}
