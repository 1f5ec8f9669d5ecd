import { and, desc, eq, lt, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { firstOf } from '#api/db/expressions.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { apiTokens, type EndingCause, endedLogins, knownDevices, sessions } from '#api/db/schema/sessions.ts'
import { AppError } from '#api/errors.ts'
import type { Member, Owner, Person } from '#api/identity/person.ts'
import { markAsSeen } from '#api/identity/person-queries.ts'
import { apiTokenHash, sessionCookie, sessionHash } from '#api/identity/session-cookies.ts'
import { sessionLimits } from '#api/identity/session-limits.ts'
import { newToken } from '#api/secrets.ts'
import type { TokenScope } from '#shared/contract/auth.ts'
import type { ApiToken, ApiTokenRequest } from '#shared/contract/sessions.ts'
import { auditAuth } from './audit-service.ts'

const secondsFromNow = (ctx: Context, seconds: number) => new Date(ctx.now().getTime() + seconds * 1000).toISOString()

/** Always creates a new token, so that one planted in the browser is worthless. `isProven`: they gave their password. */
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

/** More than anyone's devices. Without a limit, a right password could fill the disk. */
const mostSessions = 50

/** Ends the least recently used sessions past the limit, older ones first, but never the new one. */
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

/** Returns whether it ended one. */
export const endSession = (ctx: Context, sid: string): boolean =>
  ctx.db.delete(sessions).where(eq(sessions.sid, sid)).run().changes > 0

/** Records nothing if another request already ended the login. */
export function logOut(ctx: Context, { sid, id, impersonator }: Person, address: string): void {
  if (sid === null) return
  transact(ctx, () => {
    if (endSession(ctx, sid)) auditAuth(ctx, 'auth.logout', { userId: impersonator?.id ?? id, address })
  })
}

/** Ends logins from elsewhere. On their next request, those browsers are told to delete what they keep. Returns whose they were. */
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

/** Ends all an account's sessions and tokens, except the session named. Returns how many. */
export function endAllSessions(ctx: Context, userId: string, { exceptSid = null, cause }: Ending = {}): number {
  const others = exceptSid === null ? undefined : ne(sessions.sid, exceptSid)
  const ended = endFromElsewhere(ctx, and(eq(sessions.userId, userId), others), cause)
  return ended.length + ctx.db.delete(apiTokens).where(eq(apiTokens.userId, userId)).run().changes
}

/** For the transaction of a request that had to wait: throws if its login has ended in the meantime. */
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

/** Deletes records of logins that ended longer ago than a cookie lives. Returns how many. */
export function deleteOldEndings(ctx: Context): number {
  const before = secondsFromNow(ctx, -sessionLimits(false).longestSeconds)
  return ctx.db.delete(endedLogins).where(lt(endedLogins.endedAt, before)).run().changes
}

/** After this, browsers that logged in before count as strangers again. */
export function forgetDevices(ctx: Context, userId: string): void {
  ctx.db.delete(knownDevices).where(eq(knownDevices.userId, userId)).run()
}

const tokenDays = 90
/** Per account. Limited for the same reason as sessions. */
const mostTokens = 20

type TokenTerms = { scopes?: readonly TokenScope[]; days?: number; isProven?: boolean }

/** Issues a token and stores only its hash. Past the limit, ends the one that expires soonest. */
export function issueApiToken(
  ctx: Context,
  userId: string,
  name: string,
  { scopes = ['read', 'write'], days = tokenDays, isProven = false }: TokenTerms = {},
) {
  const token = newToken()
  const expiresAt = secondsFromNow(ctx, days * 86_400)
  const id = ctx.newId()
  insertRow(ctx, apiTokens, {
    id,
    userId,
    name,
    tokenHash: apiTokenHash(ctx, token),
    expiresAt,
    scopes: [...scopes],
    createdAt: ctx.now().toISOString(),
    provenAt: isProven ? ctx.now().toISOString() : null,
  })
  endSoonestTokens(ctx, userId, id)
  return { token, expiresAt }
}

/** By expiry, not age, so that terminal logins don't push out a program's one-year token. */
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

export function recordProof(ctx: Context, { sid, tokenId }: Pick<Person, 'sid' | 'tokenId'>): void {
  const provenAt = ctx.now().toISOString()
  const proof = { provenAt, provenAgainAt: provenAt }
  if (sid !== null) ctx.db.update(sessions).set(proof).where(eq(sessions.sid, sid)).run()
  if (tokenId !== null) ctx.db.update(apiTokens).set(proof).where(eq(apiTokens.id, tokenId)).run()
}

/** Call it in the transaction of an action that needs a proof every time. */
export function spendProof(ctx: Context, { sid, tokenId }: Pick<Person, 'sid' | 'tokenId'>): void {
  const none = { provenAgainAt: null }
  if (sid !== null) ctx.db.update(sessions).set(none).where(eq(sessions.sid, sid)).run()
  if (tokenId !== null) ctx.db.update(apiTokens).set(none).where(eq(apiTokens.id, tokenId)).run()
}

/** Ends the token of this request. A browser has none, and logs out instead. */
export function revokeOwnToken(ctx: Context, { id: userId, tokenId }: Member, address: string): void {
  if (tokenId === null) throw new AppError('conflict', 'No token was sent. To end a browser’s login, log out there.')
  transact(ctx, () => {
    const isEnded = ctx.db.delete(apiTokens).where(eq(apiTokens.id, tokenId)).run().changes > 0
    if (isEnded) auditAuth(ctx, 'auth.token_revoked', { userId, address })
  })
}

/**
 * Creates a token for an owner's program. A token can't create one with more rights than its own: one that reads and has just
 * proved the password, as this route asks, gets those files anyway.
 */
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
  const given = own?.includes('read') ? [...own, 'files'] : own
  if (given !== null && scopes.some((scope) => !given.includes(scope))) {
    throw new AppError('forbidden', 'A token can’t create one with more rights than its own.')
  }
  return transact(ctx, () => {
    audit(ctx, actor, 'token.made', { targetId: userId, detail: { name, scopes, days } })
    return { ...issueApiToken(ctx, userId, name, { scopes, days }), name }
  })
}
