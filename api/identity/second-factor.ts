import { and, eq, isNotNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { authenticators, passkeys } from '#api/db/schema/sign-in.ts'
import { AppError } from '#api/errors.ts'
import { siteSettings } from '#api/site/settings.ts'

const passkeyOfUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1),
)

const confirmedAuthenticator = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ secret: authenticators.secret, confirmedAt: authenticators.confirmedAt })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt))),
)

export const findAuthenticator = (ctx: Context, userId: string) => confirmedAuthenticator.get(ctx, { userId })

export const hasSecondFactor = (ctx: Context, userId: string): boolean =>
  passkeyOfUser.get(ctx, { userId }) !== undefined || findAuthenticator(ctx, userId) !== undefined

export const isFactorRequired = (ctx: Context): boolean => siteSettings(ctx).ownersNeedSecondFactor

/** Refuses an owner who hasn't set up the second factor the settings require. */
export function assertFactorSet(ctx: Context, { id, isAdmin }: { id: string; isAdmin: boolean }): void {
  if (!isAdmin || !isFactorRequired(ctx) || hasSecondFactor(ctx, id)) return
  const sentence = 'Every owner needs two-step login. Set yours up under Profile, in a browser.'
  throw new AppError('second_factor_unset', sentence)
}
