import type { Database as Sqlite } from 'better-sqlite3'
import { errorMessage } from '#api/log.ts'
import { isDamageError } from './sqlite-errors.ts'

/** What was found to be damaged in an open database; one that is not in here is sound as far as anybody knows. */
const findings = new WeakMap<Sqlite, string>()

export const isDamaged = ({ sqlite }: { sqlite: Sqlite }): boolean => findings.has(sqlite)

/** What was found, and what helps, in one line for the log and the terminal. */
export const damageLine = (file: string, finding: string): string =>
  `The database is damaged: ${finding.replace(/\s+/g, ' ').trim()}. Stop the server, put a backup in the place of ${file}, and start it again (README, Backup and restore).`

/** The first thing that is wrong with the database's pages; null where they are sound. */
export function findProblem(sqlite: Sqlite): string | null {
  try {
    const finding = sqlite.pragma('quick_check(1)', { simple: true })
    return finding === 'ok' ? null : String(finding)
  } catch (error) {
    if (isDamageError(error)) return errorMessage(error)
    throw error
  }
}

type Damageable = { sqlite: Sqlite; log: { error(message: string): void } }

/**
 * From now on this connection refuses every write: one on top of a damaged page may lose what is still whole, and what is
 * confirmed would go with the restore. Reads go on. Logs it once.
 */
export function recordDamage({ sqlite, log }: Damageable, finding: string): void {
  if (findings.has(sqlite)) return
  findings.set(sqlite, finding)
  sqlite.pragma('query_only = ON')
  log.error(damageLine(sqlite.name, finding))
}

/** Records what a statement met, of whichever request or job it was. */
export function recordIfDamage(ctx: Damageable, error: unknown): void {
  if (isDamageError(error)) recordDamage(ctx, errorMessage(error))
}
