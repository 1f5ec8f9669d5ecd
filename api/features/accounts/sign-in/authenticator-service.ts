import { and, eq, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { authenticators } from '#api/db/schema/sign-in.ts'
import { AppError, notFound } from '#api/errors.ts'
import { auditAuth } from '#api/features/accounts/login/audit-service.ts'
import { removeAllFactors } from '#api/features/accounts/login/factor-queries.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { assertStillLoggedIn, endAllSessions, forgetDevices } from '#api/features/accounts/login/session-service.ts'
import { accountOfOwner, type Member, type Owner } from '#api/identity/person.ts'
import { findAuthenticator, hasSecondFactor } from '#api/identity/second-factor.ts'
import { rateLimits, recordHitsInAdvance, takeBackHits } from '#api/serving/rate-limits.ts'
import { contentOf } from '#api/site/content.ts'
import type { AuthenticatorSetup, FactorReset } from '#shared/contract/sign-in.ts'
import {
  assertMayLoseFactor,
  endOtherSessions,
  makeFirstRecoveryCodes,
  makeRecoveryCodes,
  stepOfCode,
} from './factor-service.ts'
import { queueFactorMail } from './mails.ts'
import { sealSecret } from './sealed-secret-service.ts'

/** The hash's width, as RFC 4226 recommends. */
const secretBytes = 20

/** The owner's account. The machine's own terminal has none. */
export function accountOf(ctx: Context, owner: Owner): Member {
  const person = accountOfOwner(ctx, owner)
  if (person === null) throw new AppError('conflict', 'Set up two-step login in the browser.')
  return person
}

/** A new secret for the owner's app. It counts only after a right code, and the current one stays until then. */
export async function beginAuthenticator(ctx: Context, { id: userId, email }: Member): Promise<AuthenticatorSetup> {
  if (findAuthenticator(ctx, userId) !== undefined)
    throw new AppError('conflict', 'You already have an authenticator app. Remove it first.')
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  const row = { userId, secret: sealSecret(ctx, userId, bytes), lastStep: 0, createdAt: ctx.now().toISOString() }
  upsert(ctx, authenticators, { ...row, confirmedAt: null })
  const { Secret, TOTP } = await import('otpauth')
  const issuer = contentOf(ctx).read().site.brand.name
  const app = new TOTP({ issuer, label: email, secret: new Secret({ buffer: bytes.buffer }) })
  return { secret: app.secret.base32, uri: app.toString() }
}

/** Accepts the first right code. From now on the password isn't enough, and every other browser is logged out. */
export async function confirmAuthenticator(
  ctx: Context,
  person: Member,
  { code, address }: { code: string; address: string },
): Promise<{ recoveryCodes: string[] }> {
  const hits = recordHitsInAdvance(ctx, [rateLimits.factorTries(person.id)], 'Too many wrong codes. Wait 15 minutes.')
  const isWaiting = and(eq(authenticators.userId, person.id), isNull(authenticators.confirmedAt))
  const waiting = ctx.db.select().from(authenticators).where(isWaiting).get()
  if (waiting === undefined) throw new AppError('conflict', 'This setup has ended. Start again.')
  const step = await stepOfCode(ctx, { userId: person.id, sealed: waiting.secret, code })
  if (step === null) {
    const why = 'That’s not the right code. Check your phone’s clock and type the newest code.'
    throw new AppError('invalid', why, { fields: { code: why } })
  }
  takeBackHits(ctx, hits)
  return transact(ctx, () => {
    assertStillLoggedIn(ctx, person)
    const isSame = and(isWaiting, eq(authenticators.secret, waiting.secret))
    const confirmedAt = ctx.now().toISOString()
    const { changes } = ctx.db.update(authenticators).set({ confirmedAt, lastStep: step }).where(isSame).run()
    if (changes === 0) throw new AppError('conflict', 'You’ve set this up in another window. Refresh the page.')
    auditAuth(ctx, 'auth.factor_set', { userId: person.id, address })
    queueFactorMail(ctx, person, { isSet: true })
    endOtherSessions(ctx, person)
    return { recoveryCodes: makeFirstRecoveryCodes(ctx, person.id) }
  })
}

export function removeAuthenticator(ctx: Context, person: Member, address: string): void {
  transact(ctx, () => {
    const { changes } = ctx.db.delete(authenticators).where(eq(authenticators.userId, person.id)).run()
    if (changes === 0) throw notFound('An authenticator app')
    assertMayLoseFactor(ctx, person)
    auditAuth(ctx, 'auth.factor_removed', { userId: person.id, address })
    queueFactorMail(ctx, person, { isSet: false })
  })
}

export function renewRecoveryCodes(ctx: Context, person: Member, address: string): { recoveryCodes: string[] } {
  return transact(ctx, () => {
    if (!hasSecondFactor(ctx, person.id))
      throw new AppError('conflict', 'Set up an authenticator app or a passkey first.')
    auditAuth(ctx, 'auth.recovery_made', { userId: person.id, address })
    return { recoveryCodes: makeRecoveryCodes(ctx, person.id) }
  })
}

/** Works only at the machine: otherwise one owner's stolen login would open the other's account. */
export function resetFactor(ctx: Context, owner: Owner, email: string): FactorReset {
  if (owner.userId !== null) throw new AppError('conflict', 'This only works at the server’s own terminal.')
  return transact(ctx, () => {
    const account = findAccount(ctx, email)
    if (!account?.isAdmin) throw notFound('An owner with this address')
    const removed = removeAllFactors(ctx, account.id)
    endAllSessions(ctx, account.id, { cause: 'factor' })
    forgetDevices(ctx, account.id)
    audit(ctx, owner.actor, 'owner.factor_reset', { targetId: account.id, detail: removed })
    queueFactorMail(ctx, { id: account.id, email }, { isSet: false })
    return { email, ...removed }
  })
}
