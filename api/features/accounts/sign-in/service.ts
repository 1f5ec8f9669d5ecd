import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { auditAuth } from '#api/features/accounts/login/audit-service.ts'
import { countRecoveryCodes, listPasskeys } from '#api/features/accounts/login/factor-queries.ts'
import type { Login } from '#api/features/accounts/login/login-service.ts'
import { proveMailbox } from '#api/features/accounts/login/mailbox-service.ts'
import { type Member, personById } from '#api/identity/person.ts'
import { assertProven } from '#api/identity/proof.ts'
import { findAuthenticator, isFactorRequired } from '#api/identity/second-factor.ts'
import type { SignInWays } from '#shared/contract/sign-in.ts'

export const signInWays = (ctx: Context, { id, hasPassword, isAdmin }: Member): SignInWays => ({
  hasPassword,
  passkeys: listPasskeys(ctx, id),
  secondFactor: isAdmin
    ? {
        isRequired: isFactorRequired(ctx),
        authenticatorSince: findAuthenticator(ctx, id)?.confirmedAt ?? null,
        recoveryCodes: countRecoveryCodes(ctx, id),
      }
    : null,
})

/** Runs before we log in someone with a mailed code, which proves their mailbox. Returns the updated person. */
export function proveByCode(ctx: Context, { person, before, address }: Omit<Login, 'request'>) {
  return transact(ctx, () => {
    const { isPasswordRemoved } = proveMailbox(ctx, person, before)
    if (isPasswordRemoved) auditAuth(ctx, 'auth.password_removed', { userId: person.id, address })
    return { isPasswordRemoved, person: personById(ctx, person.id) ?? person }
  })
}

/** Adding or removing a key needs a recent proof. */
export function assertMayChangeWays(ctx: Context, person: Member): void {
  if (person.hasPassword) assertProven(ctx, person)
}
