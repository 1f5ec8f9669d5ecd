import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { apiTokens, sessions } from '#api/db/schema/sessions.ts'
import { AppError, memberNotFound, notFound } from '#api/errors.ts'
import type { Owner, Person } from '#api/identity/person.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import type {
  AdminSession,
  AdminSessionQuery,
  RevokeOwnSessionsRequest,
  RevokeSessionsRequest,
} from '#shared/contract/sessions.ts'
import { findAccount } from './queries.ts'
import { endAllSessions, endFromElsewhere, forgetDevices } from './session-service.ts'

/** Enough of the stored hash to name a session, and useless for finding the token. */
const idLength = 16
const shortSid = sql`substr(${sessions.sid}, 1, ${sql.raw(String(idLength))})`.mapWith(sessions.sid)

/** Identifies a page's last row, so that the next page starts after it. Several logins may have the same time. */
export const cursorOf = ({ createdAt, id }: AdminSession) => `${createdAt}~${id}`

function openedBefore(createdAt: AnySQLiteColumn, id: SQL, cursor: string | undefined): SQL | undefined {
  if (cursor === undefined) return undefined
  const [lastAt = '', lastId = ''] = cursor.split('~')
  return sql`(${createdAt}, ${id}) < (${lastAt}, ${lastId})`
}

/** All open logins, newest first. `cursor`: see `cursorOf`. */
export function listSessions(
  ctx: Context,
  { sid, userId }: Pick<Owner, 'sid' | 'userId'>,
  asked: Query,
): AdminSession[] {
  const query = { ...asked, ownerId: asked.own === undefined ? undefined : (userId ?? '') }
  const rows = [
    ...(query.kind === 'terminal' ? [] : browsersOf(ctx, sid, query)),
    ...(query.kind === 'browser' ? [] : terminalsOf(ctx, query)),
  ]
  return rows.sort((one, other) => (cursorOf(one) < cursorOf(other) ? 1 : -1)).slice(0, query.limit)
}

/** All logins of the account, this one first, then by last use. */
export function listOwnSessions(ctx: Context, { id: userId, sid }: Pick<Person, 'id' | 'sid'>) {
  const seenAt = ({ lastSeenAt, createdAt }: AdminSession) => lastSeenAt ?? createdAt
  const rows = listSessions(ctx, { userId, sid }, { own: 'true', limit: 200 })
  return rows.sort((one, other) => {
    if (one.isCurrent !== other.isCurrent) return one.isCurrent ? -1 : 1
    return seenAt(one) < seenAt(other) ? 1 : -1
  })
}

type Query = AdminSessionQuery & { limit: number }
type Listed = Query & { ownerId: string | undefined }

function browsersOf(ctx: Context, sid: string | null, { email, ownerId, cursor, limit }: Listed): AdminSession[] {
  const { createdAt, lastSeenAt, device, expire: expiresAt } = sessions
  const isListed = and(
    gt(expiresAt, ctx.now().toISOString()),
    ofAccount(email, ownerId),
    openedBefore(createdAt, shortSid, cursor),
  )
  return ctx.db
    .select({ id: shortSid, email: users.email, isOwner: users.isAdmin, device, createdAt, lastSeenAt, expiresAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(isListed)
    .orderBy(desc(createdAt), desc(shortSid))
    .limit(limit)
    .all()
    .map((row) => ({ ...row, kind: 'browser', name: null, scopes: null, isCurrent: sid?.startsWith(row.id) ?? false }))
}

function terminalsOf(ctx: Context, { email, ownerId, cursor, limit }: Listed): AdminSession[] {
  const { id, name, scopes, createdAt, expiresAt } = apiTokens
  const isListed = and(
    gt(expiresAt, ctx.now().toISOString()),
    ofAccount(email, ownerId),
    openedBefore(createdAt, sql`${id}`, cursor),
  )
  return ctx.db
    .select({ id, name, scopes, email: users.email, isOwner: users.isAdmin, createdAt, expiresAt })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(isListed)
    .orderBy(desc(createdAt), desc(id))
    .limit(limit)
    .all()
    .map((row) => ({ ...row, kind: 'terminal', device: null, lastSeenAt: null, isCurrent: false }))
}

const ofAccount = (email: string | undefined, id: string | undefined) =>
  and(email === undefined ? undefined : eq(users.email, email), id === undefined ? undefined : eq(users.id, id))

/** Ends one login, or all of an account's, along with the devices it knew. Returns how many ended. */
export function revokeSessions(ctx: Context, owner: Owner, request: RevokeSessionsRequest): { revoked: number } {
  const { actor } = owner
  return transact(ctx, () => {
    if ('id' in request) {
      assertMayEnd(ctx, owner, holderOf(ctx, request.id))
      return { revoked: revokeOne(ctx, actor, request.id) }
    }
    if ('others' in request) return { revoked: revokeOthers(ctx, owner) }
    const account = findAccount(ctx, request.email)
    if (account === undefined) throw memberNotFound('An account with this address')
    assertMayEnd(ctx, owner, account.id)
    const revoked = endAllSessions(ctx, account.id)
    forgetDevices(ctx, account.id)
    audit(ctx, actor, 'session.revoked', { targetId: account.id, detail: { revoked } })
    return { revoked }
  })
}

/** Another owner would be shut out. One's own logins, and a member's, are ended without being asked. */
function assertMayEnd(ctx: Context, owner: Owner, userId: string | undefined): void {
  if (userId === undefined || userId === owner.userId) return
  const account = ctx.db.select({ isAdmin: users.isAdmin }).from(users).where(eq(users.id, userId)).get()
  if (account?.isAdmin === true) assertOwnerProven(ctx, owner)
}

const holderOf = ({ db }: Context, id: string): string | undefined =>
  db.select({ userId: sessions.userId }).from(sessions).where(eq(shortSid, id)).get()?.userId ??
  db.select({ userId: apiTokens.userId }).from(apiTokens).where(eq(apiTokens.id, id)).get()?.userId

/** For a member: ends one of their logins by its id, or all but the current one. */
export function revokeOwnSessions(
  ctx: Context,
  { id: userId, sid }: Pick<Person, 'id' | 'sid'>,
  request: RevokeOwnSessionsRequest,
): { revoked: number } {
  const actor = `user:${userId}`
  return transact(ctx, () => ({
    revoked: 'id' in request ? revokeOne(ctx, actor, request.id, userId) : revokeOthers(ctx, { actor, userId, sid }),
  }))
}

/** If a token asks, it ends with the others. */
function revokeOthers(ctx: Context, { actor, userId, sid }: Pick<Owner, 'actor' | 'userId' | 'sid'>): number {
  if (userId === null) throw new AppError('conflict', 'No one’s logged in here. Name an account.')
  const revoked = endAllSessions(ctx, userId, { exceptSid: sid })
  forgetDevices(ctx, userId)
  audit(ctx, actor, 'session.revoked', { targetId: userId, detail: { revoked } })
  return revoked
}

/** With `ofUser`, only if the login is that account's. */
function revokeOne(ctx: Context, actor: string, id: string, ofUser?: string): number {
  const isOfUser = (userId: AnySQLiteColumn) => (ofUser === undefined ? undefined : eq(userId, ofUser))
  const [session] = endFromElsewhere(ctx, and(eq(shortSid, id), isOfUser(sessions.userId)))
  const isToken = and(eq(apiTokens.id, id), isOfUser(apiTokens.userId))
  const [token] = ctx.db.delete(apiTokens).where(isToken).returning({ userId: apiTokens.userId }).all()
  const ended = session ?? token
  if (ended === undefined) throw notFound('A login with this id')
  audit(ctx, actor, 'session.revoked', { targetId: ended.userId, detail: { revoked: 1 } })
  return 1
}
