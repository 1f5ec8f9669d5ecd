import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'

const proofMinutes = 10
const ownProofMinutes = 2

/**
 * Requires the password within the last minutes. Refunds, permanent deletion and exports mustn't be open to a passer-by at an
 * unlocked browser. A time in the future dates from before the clock was set back.
 */
export function assertProven(ctx: Context, { provenAt }: { provenAt: string | null }): void {
  assertProofWithin(ctx, provenAt, proofMinutes)
}

/** Requires a check made just now, for this. A login doesn't count. */
export function assertProvenAgain(ctx: Context, { provenAgainAt }: { provenAgainAt: string | null }): void {
  assertProofWithin(ctx, provenAgainAt, ownProofMinutes)
}

function assertProofWithin(ctx: Context, at: string | null, minutes: number): void {
  const age = at === null ? Number.NaN : ctx.now().getTime() - Date.parse(at)
  if (age >= 0 && age <= minutes * 60_000) return
  throw new AppError('password_needed', 'Enter your password again to do this.')
}

/** Like `assertProven`, in owners' routes that only need it for some actions. The terminal on this machine isn't asked. */
export function assertOwnerProven(ctx: Context, owner: { userId: string | null; provenAt?: string | null }): void {
  if (owner.userId !== null) assertProven(ctx, { provenAt: owner.provenAt ?? null })
}
