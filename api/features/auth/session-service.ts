import { and, desc, eq, lt, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { firstOf } from '#api/db/expressions.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { apiTokens, type EndingCause, endedLogins, knownDevices, sessions } from '#api/db/schema/sessions.ts'
import { AppError } from '#api/errors.ts'
import { markAsSeen } from '#api/http/person-queries.ts'
import type { Owner, Person } from '#api/http/session.ts'
import { apiTokenHash, sessionCookie, sessionHash, sessionLimits } from '#api/http/session-cookies.ts'
import { newToken } from '#api/secrets.ts'
import { type TokenScope, tokenScopes } from '#shared/contract/auth.ts'
import type { ApiToken, ApiTokenRequest } from '#shared/contract/sessions.ts'
import { auditAuth } from './audit-service.ts'

const secondsFromNow = (ctx: Context, seconds: number) => new Date(ctx.now().getTime() + seconds * 1000).toISOString()

/**
 * Logs a person in, with a new token each time, so that one planted in the browser before is worthless. Returns the
 * cookie. `isProven`: by their password.
 */
export function startSession(ctx: Context, userId: string, login: { device?: string | null; isProven?: boolean } = {}) {
  const token = newToken()
  const account = ctx.db.select({ isAdmin: users.isAdmin }).from(users).where(eq(users.id, userId)).get()
  const { idleSeconds, longestSeconds } = sessionLimits(account?.isAdmin ?? false)
  if (login.isProven) markAsSeen.run(ctx, { id: userId, now: ctx.now().toISOString() })
  insertRow(ctx, sessions, {
    sid: sessionHash(ctx, token),
    sess: {},
    expire: secondsFromNow(ctx, idleSeconds),
    userId,
    device: login.device ?? null,
    createdAt: ctx.now().toISOString(),
    provenAt: login.isProven ? ctx.now().toISOString() : null,
  })
  endLeastUsed(ctx, userId, sessionHash(ctx, token))
  return sessionCookie(ctx, token, longestSeconds)
}

/** More than anybody's devices: without an end to them, a right password would fill the disk. */
const mostSessions = 50

/** Ends those past the most that an account may have, of those used at the same time the older; never the one that has just begun. */
function endLeastUsed(ctx: Context, userId: string, newest: string): void {
  const isOther = and(eq(sessions.userId, userId), ne(sessions.sid, newest))
  const kept = ctx.db
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(isOther)
    .orderBy(desc(firstOf(sessions.lastSeenAt, sessions.createdAt)), desc(sql`rowid`))
    .limit(mostSessions - 1)
  auditSurplus(ctx, userId, endFromElsewhere(ctx, and(isOther, notInArray(sessions.sid, kept)), 'surplus').length)
}

function auditSurplus(ctx: Context, userId: string, revoked: number): void {
  if (revoked > 0) audit(ctx, 'system', 'session.revoked', { targetId: userId, detail: { revoked } })
}

/** Returns whether there was one to end. */
export const endSession = (ctx: Context, sid: string): boolean =>
  ctx.db.delete(sessions).where(eq(sessions.sid, sid)).run().changes > 0

/** A browser's person logs out. Nothing is recorded where another request has ended the login before. */
export function logOut(ctx: Context, { sid, id, impersonator }: Person, address: string): void {
  if (sid === null) return
  transact(ctx, () => {
    if (endSession(ctx, sid)) auditAuth(ctx, 'auth.logout', { userId: impersonator?.id ?? id, address })
  })
}

/**
 * Ends logins from elsewhere: when one of these browsers asks again, it is told to delete what it keeps. Returns whose they
 * were.
 */
export function endFromElsewhere(
  ctx: Context,
  where: SQL | undefined,
  cause: EndingCause = 'signed_out',
): { userId: string }[] {
  const ended = ctx.db.delete(sessions).where(where).returning({ sid: sessions.sid, userId: sessions.userId }).all()
  const endedAt = ctx.now().toISOString()
  for (const { sid } of ended) insertIfAbsent(ctx, endedLogins, { sid, endedAt, cause })
  return ended
}

type Ending = { exceptSid?: string | null; cause?: EndingCause }

/** Ends every session and token of an account, except the session named. Returns how many. */
export function endAllSessions(ctx: Context, userId: string, { exceptSid = null, cause }: Ending = {}): number {
  const others = exceptSid === null ? undefined : ne(sessions.sid, exceptSid)
  const ended = endFromElsewhere(ctx, and(eq(sessions.userId, userId), others), cause)
  return ended.length + ctx.db.delete(apiTokens).where(eq(apiTokens.userId, userId)).run().changes
}

/**
 * In the transaction of what a request that had to wait comes to do: its login may have ended meanwhile, and then it is nobody's
 * any more.
 */
export function assertStillLoggedIn(ctx: Context, person: Pick<Person, 'sid' | 'tokenId'>): void {
  if (!isStillLoggedIn(ctx, person))
    throw new AppError('unauthenticated', 'You’ve been logged out, so nothing has changed. Log in again.')
}

export function isStillLoggedIn(ctx: Context, { sid, tokenId }: Pick<Person, 'sid' | 'tokenId'>): boolean {
  const session = ctx.db
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(eq(sessions.sid, sid ?? ''))
  const token = ctx.db
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(eq(apiTokens.id, tokenId ?? ''))
  return session.get() !== undefined || token.get() !== undefined
}

/** Deletes what is known of logins that ended longer ago than a cookie lives. Returns how many. */
export function deleteOldEndings(ctx: Context): number {
  const before = secondsFromNow(ctx, -sessionLimits(false).longestSeconds)
  return ctx.db.delete(endedLogins).where(lt(endedLogins.endedAt, before)).run().changes
}

/** After this a browser that logged in before counts as a stranger's again. */
export function forgetDevices(ctx: Context, userId: string): void {
  ctx.db.delete(knownDevices).where(eq(knownDevices.userId, userId)).run()
}

const tokenDays = 90
/** Of an account. As of sessions, more would be rows without end. */
const mostTokens = 20

type TokenTerms = { scopes?: readonly TokenScope[]; days?: number; isProven?: boolean }

/** Issues a token for the terminal or another program; only its hash is stored. Past the most, the one that ends soonest ends now. */
export function issueApiToken(
  ctx: Context,
  userId: string,
  name: string,
  { scopes = tokenScopes, days = tokenDays, isProven = false }: TokenTerms = {},
) {
  const token = newToken()
  const expiresAt = secondsFromNow(ctx, days * 86_400)
  const id = ctx.newId()
  insertRow(ctx, apiTokens, {
    ...{ id, userId, name, tokenHash: apiTokenHash(ctx, token), expiresAt, scopes: [...scopes] },
    createdAt: ctx.now().toISOString(),
    provenAt: isProven ? ctx.now().toISOString() : null,
  })
  endSoonestTokens(ctx, userId, id)
  return { token, expiresAt }
}

/** By their end, not their age: a program's that has a year is not driven out by logins at the terminal. */
function endSoonestTokens(ctx: Context, userId: string, newest: string): void {
  const isOther = and(eq(apiTokens.userId, userId), ne(apiTokens.id, newest))
  const kept = ctx.db
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(isOther)
    .orderBy(desc(apiTokens.expiresAt), desc(apiTokens.id))
    .limit(mostTokens - 1)
  auditSurplus(
    ctx,
    userId,
    ctx.db
      .delete(apiTokens)
      .where(and(isOther, notInArray(apiTokens.id, kept)))
      .run().changes,
  )
}

/** The password was given again in this session, or over this token. */
export function recordProof(ctx: Context, { sid, tokenId }: Pick<Person, 'sid' | 'tokenId'>): void {
  const provenAt = ctx.now().toISOString()
  const proof = { provenAt, provenAgainAt: provenAt }
  if (sid !== null) ctx.db.update(sessions).set(proof).where(eq(sessions.sid, sid)).run()
  if (tokenId !== null) ctx.db.update(apiTokens).set(proof).where(eq(apiTokens.id, tokenId)).run()
}

/** In the transaction of what asks for a proof each time. */
export function spendProof(ctx: Context, { sid, tokenId }: Pick<Person, 'sid' | 'tokenId'>): void {
  const none = { provenAgainAt: null }
  if (sid !== null) ctx.db.update(sessions).set(none).where(eq(sessions.sid, sid)).run()
  if (tokenId !== null) ctx.db.update(apiTokens).set(none).where(eq(apiTokens.id, tokenId)).run()
}

/** Ends the token of this very request; a browser has none, and logs out instead. */
export function revokeOwnToken(ctx: Context, { id: userId, tokenId }: Person, address: string): void {
  if (tokenId === null) throw new AppError('conflict', 'No token was sent. To end a browser’s login, log out there.')
  transact(ctx, () => {
    const isEnded = ctx.db.delete(apiTokens).where(eq(apiTokens.id, tokenId)).run().changes > 0
    if (isEnded) auditAuth(ctx, 'auth.token_revoked', { userId, address })
  })
}

/** Makes a token for a program of the owner's. A token cannot make one that may do more than it may itself. */
export function makeApiToken(
  ctx: Context,
  { actor, userId, scopes: own }: Owner,
  { name, scopes, days }: ApiTokenRequest,
): ApiToken {
  if (userId === null)
    throw new AppError(
      'conflict',
      'A token belongs to an account. Make it in the browser, or where you are logged in: --api <url>.',
    )
  if (own !== null && scopes.some((scope) => !own.includes(scope))) {
    throw new AppError('forbidden', 'A token can’t create one with more rights than its own.')
  }
  return transact(ctx, () => {
    audit(ctx, actor, 'token.made', { targetId: userId, detail: { name, scopes, days } })
    return { ...issueApiToken(ctx, userId, name, { scopes, days }), name }
  })
}
