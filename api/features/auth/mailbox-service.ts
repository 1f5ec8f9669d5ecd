import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { users } from '#api/db/schema/people.ts'
import type { EndingCause } from '#api/db/schema/sessions.ts'
import { removeAllFactors } from '#api/features/sign-in/queries.ts'
import { revokeLinks, withdrawEmailChange } from './link-service.ts'
import { endAllSessions, forgetDevices } from './session-service.ts'

type Account = { id: string; email: string }

type Before = {
  /** An owner's passkeys and app are the second factor: a mailbox alone takes them from nobody. */
  keepsFactors?: boolean
  cause?: EndingCause
}

/**
 * In the caller's transaction. An account may have been made by a stranger with somebody else's address: once that person
 * comes to it by their mailbox, nothing that was there before opens it, or takes it to another address.
 */
export function endWhatWasThereBefore(
  ctx: Context,
  { id, email }: Account,
  { keepsFactors, cause }: Before = {},
): void {
  endAllSessions(ctx, id, { cause })
  forgetDevices(ctx, id)
  if (!keepsFactors) removeAllFactors(ctx, id)
  revokeLinks(ctx, email)
  withdrawEmailChange(ctx, id)
  ctx.db
    .update(users)
    .set({ passwordHash: null, resetToken: null, resetTokenExpiry: null, updatedAt: ctx.now().toISOString() })
    .where(eq(users.id, id))
    .run()
}
