import type { Context } from '#api/context.ts'
import { assertProven } from '#api/http/request-checks.ts'
import type { Person } from '#api/http/session.ts'
import type { SignInWays } from '#shared/contract/sign-in.ts'
import { countRecoveryCodes, findAuthenticator, listPasskeys } from './queries.ts'
import { isFactorRequired } from './required-factor-service.ts'

/** How this person gets into their account. */
export const signInWays = (ctx: Context, { id, hasPassword, isAdmin }: Person): SignInWays => ({
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

/** A new key to an account, and taking one away, is for a person who has shown lately who they are. */
export function assertMayChangeWays(ctx: Context, person: Person): void {
  if (person.hasPassword) assertProven(ctx, person)
}
