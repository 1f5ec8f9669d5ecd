import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'
import { hasBeenMember } from '#api/features/subscriptions/queries.ts'

const accountByEmail = preparedQuery<{ email: string }>()((db, { email }) =>
  db
    .select({ id: users.id, passwordHash: users.passwordHash, isAdmin: users.isAdmin })
    .from(users)
    .where(eq(users.email, email)),
)

/** `email` must be trimmed and in lower case. */
export const findAccount = (ctx: Context, email: string) => accountByEmail.get(ctx, { email })

/** Whether an address is taken, by an account or as an owner's in the settings. */
export function isKnownAddress(ctx: Context, email: string): boolean {
  const { ownerEmails, simpleAdminEmail } = ctx.settings
  return ownerEmails.includes(email) || simpleAdminEmail === email || findAccount(ctx, email) !== undefined
}

const ownersWordById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ isAdmin: users.isAdmin, accessOverride: users.accessOverride }).from(users).where(eq(users.id, id)),
)

/** An owner's account, one with free access, or one that is or was a member's. A stranger can make hundreds of the others. */
export function isOfOwnerOrMember(ctx: Context, id: string): boolean {
  const account = ownersWordById.get(ctx, { id })
  return account?.isAdmin === true || account?.accessOverride === 'granted' || hasBeenMember(ctx, id)
}
