import { and, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { knownDevices } from '#api/db/schema/sessions.ts'
import { AppError } from '#api/errors.ts'
import { assertWithinLimits, type Limit, rateLimits, recordHit } from '#api/http/rate-limits.ts'
import { type Person, personById } from '#api/http/session.ts'
import { deviceCookie } from '#api/http/session-cookies.ts'
import { keyedHash, newToken } from '#api/secrets.ts'
import type { LoginRequest } from '#shared/contract/auth.ts'
import { isRightPassword } from './password-service.ts'
import { findAccount } from './queries.ts'

/** Where a login comes from. `device` is the token in the cookie of a browser that logged in before. */
export type Caller = { address: string; device: string | undefined }

const deviceHash = (ctx: Context, token: string) => keyedHash(ctx, 'device', token)

const tooMany = 'Too many wrong tries. Wait a while, or set a new password by the link below the form.'

/**
 * Checks e-mail and password. Wrong ones are counted against several limits; a known device has one of its own and
 * skips the others, so that a stranger's guesses lock no member out.
 */
export async function checkLogin(ctx: Context, { email, password }: LoginRequest, caller: Caller): Promise<Person> {
  const user = findAccount(ctx, email)
  const limits = limitsFor(ctx, user?.id ?? null, { email, caller })
  assertWithinLimits(ctx, limits, tooMany)
  const isRight = await isRightPassword(password, user?.passwordHash ?? null)
  // Guesses that are sent all at once pass the first check together: those that finish over the limit are refused as
  // well.
  assertWithinLimits(ctx, limits, tooMany)
  // The password may have been changed while this one was being checked.
  const isUnchanged = findAccount(ctx, email)?.passwordHash === user?.passwordHash
  const person = isRight && isUnchanged && user ? personById(ctx, user.id) : null
  if (person === null) {
    for (const limit of limits) recordHit(ctx, limit)
    throw new AppError('invalid_credentials', 'That e-mail and password do not match. Please check both and try again.')
  }
  return person
}

function limitsFor(ctx: Context, userId: string | null, { email, caller }: { email: string; caller: Caller }): Limit[] {
  if (userId !== null && caller.device !== undefined && isKnownDevice(ctx, userId, caller.device)) {
    return [rateLimits.loginFromDevice(email, caller.device)]
  }
  const { address } = caller
  return [
    rateLimits.loginFromAddress(email, address),
    rateLimits.loginToAccount(email),
    rateLimits.anyLoginFromAddress(address),
  ]
}

function isKnownDevice(ctx: Context, userId: string, token: string): boolean {
  const { tokenHash } = knownDevices
  const device = ctx.db
    .select({ tokenHash })
    .from(knownDevices)
    .where(and(eq(tokenHash, deviceHash(ctx, token)), eq(knownDevices.userId, userId)))
    .get()
  return device !== undefined
}

/** Whether we gave this token to a browser, for any account. */
function isIssuedDevice(ctx: Context, token: string): boolean {
  const { tokenHash } = knownDevices
  const hash = deviceHash(ctx, token)
  return ctx.db.select({ tokenHash }).from(knownDevices).where(eq(tokenHash, hash)).get() !== undefined
}

/**
 * Remembers this browser for the account, and returns its cookie, which outlives a logout. A token that we never issued
 * is replaced.
 */
export function rememberDevice(ctx: Context, userId: string, device: string | undefined): string {
  const token = device !== undefined && isIssuedDevice(ctx, device) ? device : newToken()
  const createdAt = ctx.now().toISOString()
  insertIfAbsent(ctx, knownDevices, { tokenHash: deviceHash(ctx, token), userId, createdAt })
  return deviceCookie(ctx, token)
}
