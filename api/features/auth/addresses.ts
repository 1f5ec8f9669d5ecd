import type { Context } from '#api/context.ts'

/** Whether an e-mail is spoken for: an account's, or one that the settings name as an owner's. */
export function isKnownAddress(ctx: Context, email: string): boolean {
  const { ownerEmails, simpleAdminEmail } = ctx.settings
  if (ownerEmails.includes(email) || simpleAdminEmail === email) return true
  return ctx.sqlite.prepare('select 1 from users where email = ?').get(email) !== undefined
}
