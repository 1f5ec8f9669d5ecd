import { asc, count, eq, lte } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { authenticators, passkeys, recoveryCodes, signInCodes, usedChallenges } from '#api/db/schema/sign-in.ts'
import type { FactorReset } from '#shared/contract/sign-in.ts'

export function listPasskeys({ db }: Context, userId: string) {
  const { id, name, createdAt, lastUsedAt } = passkeys
  return db
    .select({ id, name, createdAt, lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(createdAt), asc(id))
    .all()
}

export const countRecoveryCodes = ({ db }: Context, userId: string): number =>
  db.select({ rows: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId)).get()?.rows ?? 0

/** Removes an account's passkeys, authenticator app and recovery codes, in the caller's transaction. */
export function removeAllFactors(ctx: Context, userId: string): Omit<FactorReset, 'email'> {
  ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run()
  const removed = ctx.db.delete(authenticators).where(eq(authenticators.userId, userId)).returning().all()
  const keys = ctx.db.delete(passkeys).where(eq(passkeys.userId, userId)).run().changes
  return { passkeys: keys, hadAuthenticator: removed.some((one) => one.confirmedAt !== null) }
}

/** Expired ones log no one in, deleted or not. Returns how many of each. */
export function deleteOldCodes(ctx: Context) {
  const now = ctx.now().toISOString()
  return {
    signInCodes: ctx.db.delete(signInCodes).where(lte(signInCodes.expiresAt, now)).run().changes,
    usedChallenges: ctx.db.delete(usedChallenges).where(lte(usedChallenges.expiresAt, now)).run().changes,
  }
}
