import { isDamageError, isShortRead } from '#api/db/sqlite-errors.ts'
import { errorMessage } from '#api/log.ts'
import type { DoctorFinding } from '#shared/contract/today.ts'

/**
 * `remedy` is null if none of our commands fixes it. `isUnset`: fine without, though what it checks isn’t there. `parts`: what an
 * owner reads in its place, such as one for each member.
 */
export type Check = {
  name: string
  state: 'ok' | 'warning' | 'failed'
  message: string
  remedy: Remedy | null
  isUnset?: true
  parts?: readonly Part[]
}

export type Part = Pick<DoctorFinding, 'message' | 'member' | 'renewsOn'>

/**
 * `isSafe`: `doctor --fix` may run it after a yes; others need a person to look first. `hasPlan`: it takes `--dry-run`. `isNamed`:
 * the message says what it does, with the command.
 */
export type Remedy = { command: string; isSafe: boolean; hasPlan: boolean; isNamed?: true }

export const runs = (command: string): Remedy => ({ command, isSafe: true, hasPlan: false })
export const runsPlanned = (command: string): Remedy => ({ command, isSafe: true, hasPlan: true })
export const shows = (command: string): Remedy => ({ command, isSafe: false, hasPlan: false })

export const named = (remedy: Remedy): Remedy => ({ ...remedy, isNamed: true })

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message, remedy: null })

/** Fine, but it says no: no tick is shown beside it. */
export const unset = (name: string, message: string): Check => ({ ...ok(name, message), isUnset: true })

export const warning = (name: string, message: string, remedy: Remedy | null = null): Check => ({
  name,
  state: 'warning',
  message,
  remedy,
})

export const failed = (name: string, message: string, remedy: Remedy | null = null): Check => ({
  name,
  state: 'failed',
  message,
  remedy,
})

export function runCheck(name: string, check: () => Check): Check {
  try {
    return check()
  } catch (error) {
    return failedBy(name, error)
  }
}

export async function runAsyncCheck(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    return failedBy(name, error)
  }
}

/** A short read may go away with a restart of the server, so it doesn't ask for a backup yet. */
const failedBy = (name: string, error: unknown) =>
  failed(name, errorMessage(error), isDamageError(error) && !isShortRead(error) ? shows('backup list') : null)

/** `a, b, c and 4 more`. */
export function firstFew(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
