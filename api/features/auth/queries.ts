import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'

const accountByEmail = preparedQuery<{ email: string }>()((db, { email }) =>
  db
    .select({ id: users.id, passwordHash: users.passwordHash, isAdmin: users.isAdmin })
    .from(users)
    .where(eq(users.email, email)),
)

/** The account with this address, which must be trimmed and in lower case. */
export const findAccount = (ctx: Context, email: string) => accountByEmail.get(ctx, { email })

/** Whether an address is taken: by an account, or because the settings name it as an owner's. */
export function isKnownAddress(ctx: Context, email: string): boolean {
  const { ownerEmails, simpleAdminEmail } = ctx.settings
  return ownerEmails.includes(email) || simpleAdminEmail === email || findAccount(ctx, email) !== undefined
}
