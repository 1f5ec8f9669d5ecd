import { and, desc, eq, ne, notInArray } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { knownDevices } from '#api/db/schema/sessions.ts'
import { AppError } from '#api/errors.ts'
import { type Member, type Person, personById } from '#api/identity/person.ts'
import { deviceCookie, readDeviceCookie } from '#api/identity/session-cookies.ts'
import { keyedHash, newToken } from '#api/secrets.ts'
import {
  assertWithinLimits,
  forgetHits,
  isWithinLimits,
  type Limit,
  loginLimitsOf,
  rateLimits,
  recordHitsInAdvance,
  reserveHits,
  takeBackHits,
} from '#api/serving/rate-limits.ts'
import type { LoginRequest } from '#shared/contract/auth.ts'
import { deviceName } from '#shared/rules/device-name.ts'
import { auditAuth, auditFailure } from './audit-service.ts'
import { hashWhenDue } from './hash-queue-service.ts'
import { isRightPassword } from './password-service.ts'
import { findAccount } from './queries.ts'
import { endSession, recordProof, startSession } from './session-service.ts'

/** `device` is the cookie from an earlier login, `own` the session in which they give their password again. */
export type Caller = {
  address: string
  device: string | undefined
  userId?: string | undefined
  own?: string | null | undefined
}

/** More phones and laptops than anyone has. One more, and the device with the oldest login counts as a stranger again. */
const mostDevices = 10

/** Looked up when an address has no account, so that the work is the same. No account has this id. */
const nobody = '00000000-0000-7000-8000-000000000000'

const deviceHash = (ctx: Context, token: string) => keyedHash(ctx, 'device', token)

const tooMany = 'Too many attempts. Wait 15 minutes or reset your password.'

/**
 * Counts the attempt against several limits just before hashing, so one that's turned away writes nothing, and takes it back if
 * the password is right. A known device or an open login has its own limit instead, so that a stranger's guesses can't lock a
 * member out.
 */
export async function checkLogin(ctx: Context, { email, password }: LoginRequest, caller: Caller): Promise<Person> {
  const user = findAccount(ctx, email)
  const id = user?.id ?? nobody
  const isKnownDevice = isDeviceOf(ctx, id, caller.device)
  assertWithinLimits(ctx, [rateLimits.logins(id)], tooManyLogins)
  const limits = limitsFor(email, caller, isKnownDevice)
  const account = isKnownDevice || caller.userId === user?.id ? user?.id : undefined
  const hashCaller = { address: caller.address, account }
  const release = reserveHits(ctx, limits, tooMany)
  const { isRight, hits } = await hashWhenDue(ctx, hashCaller, async () => {
    release()
    const hits = recordHitsInAdvance(ctx, limits, tooMany)
    return { isRight: await isRightPassword(password, user?.passwordHash ?? null), hits }
  }).finally(release)
  // The password may have changed while we checked it.
  const isUnchanged = findAccount(ctx, email)?.passwordHash === user?.passwordHash
  const person = isRight && isUnchanged && user ? personById(ctx, user.id) : null
  if (person === null) {
    const event = { userId: user?.id ?? null, address: caller.address, email }
    auditFailure(ctx, 'auth.failed', event)
    if (!isWithinLimits(ctx, limits)) auditFailure(ctx, 'auth.locked', event)
    throw new AppError('invalid_credentials', 'That email and password don’t match. Check both and try again.')
  }
  takeBackHits(ctx, hits)
  return person
}

export type Login = { person: Person; before: Person | null; request: Request; address: string }

/** Ends this browser's previous login and remembers it. `how` is audited if it wasn't a password. Returns the cookies. */
export function openLogin(
  ctx: Context,
  { person, before, request, address }: Login,
  { isProven, how }: { isProven: boolean; how?: string },
): string[] {
  return transact(ctx, () => {
    countLogin(ctx, person.id)
    if (before?.sid) endSession(ctx, before.sid)
    auditAuth(ctx, 'auth.login', { userId: person.id, address, ...(how && { name: how }) })
    const device = deviceName(request.headers.get('user-agent'))
    const session = startSession(ctx, person.id, { device, isProven })
    return [session, rememberDevice(ctx, person.id, readDeviceCookie(ctx, request))]
  })
}

/** A wrong one ends no login and counts against this session only: strangers can't block it, a thief gets ten attempts. */
export async function provePassword(ctx: Context, person: Member, password: string, caller: Caller): Promise<void> {
  try {
    await checkLogin(
      ctx,
      { email: person.email, password },
      { ...caller, userId: person.id, own: person.sid ?? person.tokenId },
    )
  } catch (error) {
    throw error instanceof AppError ? refusalOfProof(error) : error
  }
  storeProof(ctx, person, caller.address)
}

const tooManyLogins = 'You’ve logged in too many times. Wait 15 minutes.'

/** Call it in the transaction that writes the login or proof. Refuses anyone over the limit. */
export function countLogin(ctx: Context, userId: string): void {
  recordHitsInAdvance(ctx, [rateLimits.logins(userId)], tooManyLogins)
}

export function storeProof(ctx: Context, person: Member, address: string): void {
  transact(ctx, () => {
    countLogin(ctx, person.id)
    recordProof(ctx, person)
    auditAuth(ctx, 'auth.proved', { userId: person.id, address })
  })
}

function refusalOfProof(error: AppError): AppError {
  if (error.code === 'rate_limited') {
    return new AppError('rate_limited', 'Too many attempts. Wait 15 minutes.', {
      retryAfter: error.retryAfter ?? 60,
    })
  }
  const why = 'That’s not your password. Check it and try again.'
  return error.code === 'invalid_credentials' ? new AppError('invalid', why, { fields: { password: why } }) : error
}

function limitsFor(email: string, { address, device, own }: Caller, isKnownDevice: boolean): Limit[] {
  if (isKnownDevice && device !== undefined) return [rateLimits.loginFromDevice(email, device)]
  if (own) return [rateLimits.loginFromDevice(email, own)]
  return [rateLimits.loginFromAddress(email, address), rateLimits.loginToAccount(email), ...loginLimitsOf(address)]
}

/**
 * Lets in someone who opened a mailed link. Call it in the same transaction, after `endWhatWasThereBefore`. Attempts from their
 * address and requested codes no longer count. Since the guessing may go on, their browser becomes a known device. Returns its
 * cookie. Wrong second-factor codes stay counted, or access to the mailbox would give an attacker more guesses.
 */
export function letBackIn(
  ctx: Context,
  { userId, email }: { userId: string; email: string },
  { address, device }: Caller,
): string {
  forgetHits(ctx, [
    ...[rateLimits.codesToAccount(email), rateLimits.codesFromAddress(email, address)],
    rateLimits.loginFromAddress(email, address),
    ...(device === undefined ? [] : [rateLimits.loginFromDevice(email, device)]),
  ])
  return rememberDevice(ctx, userId, device)
}

function isDeviceOf(ctx: Context, userId: string, token: string | undefined): boolean {
  if (token === undefined) return false
  const { tokenHash } = knownDevices
  const device = ctx.db
    .select({ tokenHash })
    .from(knownDevices)
    .where(and(eq(tokenHash, deviceHash(ctx, token)), eq(knownDevices.userId, userId)))
    .get()
  return device !== undefined
}

function isIssuedDevice(ctx: Context, token: string): boolean {
  const { tokenHash } = knownDevices
  const hash = deviceHash(ctx, token)
  return ctx.db.select({ tokenHash }).from(knownDevices).where(eq(tokenHash, hash)).get() !== undefined
}

/** Remembers this browser for the account and returns its cookie, which outlives a logout. Replaces a token we never issued. */
export function rememberDevice(ctx: Context, userId: string, device: string | undefined): string {
  const token = device !== undefined && isIssuedDevice(ctx, device) ? device : newToken()
  const tokenHash = deviceHash(ctx, token)
  upsert(ctx, knownDevices, { tokenHash, userId, createdAt: ctx.now().toISOString() })
  const isOther = and(eq(knownDevices.userId, userId), ne(knownDevices.tokenHash, tokenHash))
  const kept = ctx.db
    .select({ tokenHash: knownDevices.tokenHash })
    .from(knownDevices)
    .where(isOther)
    .orderBy(desc(knownDevices.createdAt))
    .limit(mostDevices - 1)
  ctx.db
    .delete(knownDevices)
    .where(and(isOther, notInArray(knownDevices.tokenHash, kept)))
    .run()
  return deviceCookie(ctx, token)
}
