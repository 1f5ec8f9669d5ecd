import { and, eq, lt, ne } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { sessions } from '#api/db/schema/sessions.ts'
import { authenticators, recoveryCodes } from '#api/db/schema/sign-in.ts'
import { AppError } from '#api/errors.ts'
import { auditAuth, auditFailure } from '#api/features/accounts/login/audit-service.ts'
import { countRecoveryCodes } from '#api/features/accounts/login/factor-queries.ts'
import { endFromElsewhere } from '#api/features/accounts/login/session-service.ts'
import type { Person } from '#api/identity/person.ts'
import { findAuthenticator, hasSecondFactor, isFactorRequired } from '#api/identity/second-factor.ts'
import { keyedHash } from '#api/secrets.ts'
import { rateLimits, recordHitsInAdvance, takeBackHits } from '#api/serving/rate-limits.ts'
import { queueRecoveryUsedMail } from './mails.ts'
import { unsealSecret } from './sealed-secret-service.ts'

const stepSeconds = 30
const codesAtOnce = 10
/** Without letters and digits that look alike on paper. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 10

type Holder = Pick<Person, 'id' | 'isAdmin' | 'email'>

/** Refuses a login without a code, with a wrong one or a used one, if the owner has a second factor. Members have none. */
export async function assertSecondFactor(
  ctx: Context,
  person: Holder,
  { code, address }: { code: string | undefined; address: string },
): Promise<void> {
  if (!person.isAdmin || !hasSecondFactor(ctx, person.id)) return
  if (code !== undefined) return await proveFactor(ctx, person, { code, address })
  const how = findAuthenticator(ctx, person.id)
    ? 'Enter the code from your authenticator app, or a recovery code.'
    : 'This account logs in with a passkey. Haven’t got it? Type a recovery code.'
  throw new AppError('second_factor_needed', how)
}

/** Counts every wrong code of any kind, so that no one can try them all. */
export async function proveFactor(
  ctx: Context,
  person: Holder,
  { code, address }: { code: string; address: string },
): Promise<void> {
  const limits = [rateLimits.factorTries(person.id)]
  const hits = recordHitsInAdvance(ctx, limits, 'Too many wrong codes. Wait 15 minutes.')
  const isRight = /^\d{6}$/.test(code)
    ? await redeemAuthenticatorCode(ctx, person.id, code)
    : transact(ctx, () => redeemRecoveryCode(ctx, person, { code, address }))
  if (isRight) return takeBackHits(ctx, hits)
  auditFailure(ctx, 'auth.failed', { userId: person.id, address })
  const why = 'That code’s wrong or already used. Wait for the next one and try again.'
  throw new AppError('invalid', why, { fields: { code: why } })
}

/** Accepts a code one step early or late, since clocks differ, but only from a step after the last accepted one. */
async function redeemAuthenticatorCode(ctx: Context, userId: string, code: string): Promise<boolean> {
  const sealed = findAuthenticator(ctx, userId)?.secret
  const step = sealed === undefined ? null : await stepOfCode(ctx, { userId, sealed, code })
  if (step === null) return false
  const isLater = and(eq(authenticators.userId, userId), lt(authenticators.lastStep, step))
  return ctx.db.update(authenticators).set({ lastStep: step }).where(isLater).run().changes === 1
}

type SealedCode = { userId: string; sealed: string; code: string }

export async function stepOfCode(ctx: Context, { userId, sealed, code }: SealedCode): Promise<number | null> {
  const bytes = unsealSecret(ctx, userId, sealed)
  if (bytes === null) return null
  const { Secret, TOTP } = await import('otpauth')
  const timestamp = ctx.now().getTime()
  const delta = new TOTP({ secret: new Secret({ buffer: bytes.buffer }) }).validate({
    token: code,
    timestamp,
    window: 1,
  })
  return delta === null ? null : Math.floor(timestamp / 1000 / stepSeconds) + delta
}

const recoveryHash = (ctx: Context, userId: string, code: string) =>
  keyedHash(ctx, 'recovery-code', `${userId}\0${code}`)

/** Call it in the caller's transaction. */
function redeemRecoveryCode(
  ctx: Context,
  person: Holder,
  { code, address }: { code: string; address: string },
): boolean {
  const isThis = and(eq(recoveryCodes.userId, person.id), eq(recoveryCodes.code, recoveryHash(ctx, person.id, code)))
  if (ctx.db.delete(recoveryCodes).where(isThis).run().changes === 0) return false
  auditAuth(ctx, 'auth.recovery_used', { userId: person.id, address })
  queueRecoveryUsedMail(ctx, person, countRecoveryCodes(ctx, person.id))
  return true
}

/** Replaces the recovery codes with ten new ones, in the caller's transaction. They're shown once and stored as hashes. */
export function makeRecoveryCodes(ctx: Context, userId: string): string[] {
  ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run()
  const codes = Array.from({ length: codesAtOnce }, drawRecoveryCode)
  const createdAt = ctx.now().toISOString()
  for (const code of codes) insertRow(ctx, recoveryCodes, { userId, code: recoveryHash(ctx, userId, code), createdAt })
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

/** The same for a first factor, but existing codes stay valid. */
export const makeFirstRecoveryCodes = (ctx: Context, userId: string): string[] =>
  countRecoveryCodes(ctx, userId) > 0 ? [] : makeRecoveryCodes(ctx, userId)

/** 31 letters go into a byte eight times. Draws again above that, so that none is likelier. */
function drawRecoveryCode(): string {
  const fair = letters.length * 8
  const drawn = [...crypto.getRandomValues(new Uint8Array(codeLength * 2))].filter((byte) => byte < fair)
  if (drawn.length < codeLength) return drawRecoveryCode()
  return drawn
    .slice(0, codeLength)
    .map((byte) => letters[byte % letters.length])
    .join('')
}

/** Call it in the caller's transaction after removing a factor. Recovery codes don't count as one on their own. */
export function assertMayLoseFactor(ctx: Context, { id, isAdmin }: Holder): void {
  if (!isAdmin || hasSecondFactor(ctx, id)) return
  if (isFactorRequired(ctx)) {
    throw new AppError('conflict', 'Every owner needs two-step login. Set up another way first.')
  }
  ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, id)).run()
}

/** A login from before the factor must not outlive its setup. Program tokens stay. */
export function endOtherSessions(ctx: Context, { id, sid }: Pick<Person, 'id' | 'sid'>): void {
  const others = and(eq(sessions.userId, id), sid === null ? undefined : ne(sessions.sid, sid))
  endFromElsewhere(ctx, others, 'factor')
}
