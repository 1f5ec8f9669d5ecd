import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'

const proofMinutes = 10

/**
 * Refuses a login that has not given its password within the last minutes: what gives money away, removes for ever or opens the
 * whole business is not for whoever finds a browser open. A time in the future is from before the clock was set back.
 */
export function assertProven(ctx: Context, { provenAt }: { provenAt: string | null }): void {
  const age = provenAt === null ? Number.NaN : ctx.now().getTime() - Date.parse(provenAt)
  if (age >= 0 && age <= proofMinutes * 60_000) return
  throw new AppError('password_needed', 'This needs your password again. Nothing has been done yet.')
}
