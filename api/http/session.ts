import { eq, sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { isDamaged } from '#api/db/damage.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'
import { apiTokens, sessions } from '#api/db/schema/sessions.ts'
import { statement } from '#api/db/statement.ts'
import { AppError } from '#api/errors.ts'
import { type Access, accessFrom, joinedMembership, membershipFields } from '#api/features/access/queries.ts'
import { keyedHash } from '#api/secrets.ts'
import { clientAddress } from './client-address.ts'
import { readSessionCookie } from './session-cookies.ts'
import { seenEverySeconds, sessionLimits } from './session-limits.ts'

/** Who makes the request, and what they may do now. */
export type Person = {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  phone: string | null
  businessName: string | null
  trade: string | null
  profileImageUrl: string | null
  isAdmin: boolean
  hasPassword: boolean
  membershipStartDate: string | null
  createdAt: string
  access: Access
  /** The session of this request; null where an API token was sent. */
  sid: string | null
}

const personFields = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  phone: users.phone,
  businessName: users.businessName,
  trade: users.trade,
  profileImageUrl: users.profileImageUrl,
  isAdmin: users.isAdmin,
  passwordHash: users.passwordHash,
  membershipStartDate: users.membershipStartDate,
  createdAt: users.createdAt,
  lastSeenAt: users.lastSeenAt,
  ...membershipFields,
}

const sessionFields = { ...personFields, startedAt: sessions.createdAt, usedAt: sessions.lastSeenAt }

const personBySession = statement<{ sid: string; now: string }>()(
  sessionFields,
  (fields, { sid, now }) => sql`select ${fields}
    from ${sessions} join ${users} on ${users.id} = ${sessions.userId} ${joinedMembership}
    where ${sessions.sid} = ${unplanned(sid)} and ${sessions.expire} > ${unplanned(now)}`,
)

const personByToken = statement<{ tokenHash: string; now: string }>()(
  personFields,
  (fields, { tokenHash, now }) => sql`select ${fields}
    from ${apiTokens} join ${users} on ${users.id} = ${apiTokens.userId} ${joinedMembership}
    where ${apiTokens.tokenHash} = ${unplanned(tokenHash)} and ${apiTokens.expiresAt} > ${unplanned(now)}`,
)

const personByUserId = statement<{ id: string }>()(
  personFields,
  (fields, { id }) => sql`select ${fields} from ${users} ${joinedMembership} where ${users.id} = ${unplanned(id)}`,
)

const markAsSeen = preparedQuery<{ id: string; now: string }>()((db, { id, now }) =>
  db.update(users).set({ lastSeenAt: now }).where(eq(users.id, id)),
)

const markAsUsed = preparedQuery<{ sid: string; now: string; expire: string }>()((db, { sid, now, expire }) =>
  db.update(sessions).set({ lastSeenAt: now, expire }).where(eq(sessions.sid, sid)),
)

type SessionRow = NonNullable<ReturnType<typeof personBySession.get>>

/** Moves the end of a session that is used, up to its absolute limit. */
function recordUse(ctx: Context, sid: string, { startedAt, usedAt, isAdmin }: SessionRow): void {
  const now = ctx.now().getTime()
  if (now - Date.parse(usedAt ?? startedAt) < seenEverySeconds * 1000 || isDamaged(ctx)) return
  const { idleSeconds, longestSeconds } = sessionLimits(isAdmin)
  const expire = Math.min(now + idleSeconds * 1000, Date.parse(startedAt) + longestSeconds * 1000)
  markAsUsed.run(ctx, { sid, now: new Date(now).toISOString(), expire: new Date(expire).toISOString() })
}

type PersonRow = NonNullable<ReturnType<typeof personByUserId.get>>

function toPerson(ctx: Context, row: PersonRow | undefined, sid: string | null): Person | null {
  if (row === undefined) return null
  recordVisit(ctx, row)
  const { id, email, firstName, lastName, phone, businessName, trade } = row
  return {
    ...{ id, email, firstName, lastName, phone, businessName, trade },
    profileImageUrl: row.profileImageUrl,
    isAdmin: row.isAdmin,
    hasPassword: row.passwordHash !== null,
    membershipStartDate: row.membershipStartDate,
    createdAt: row.createdAt,
    access: accessFrom(row, ctx.billingNow()),
    sid,
  }
}

/** Recorded at most once an hour, which is often enough to find inactive accounts and spares most requests a write. */
function recordVisit(ctx: Context, { id, lastSeenAt, createdAt }: PersonRow): void {
  const now = ctx.now()
  if (now.getTime() - Date.parse(lastSeenAt ?? createdAt) <= 3_600_000 || isDamaged(ctx)) return
  markAsSeen.run(ctx, { id, now: now.toISOString() })
}

export const personById = (ctx: Context, id: string): Person | null =>
  toPerson(ctx, personByUserId.get(ctx, { id }), null)

export const sessionHash = (ctx: Context, token: string) => keyedHash(ctx, 'session', token)
export const apiTokenHash = (ctx: Context, token: string) => keyedHash(ctx, 'api-token', token)

/** Guard and handler both need the person, whose rows are read once for each request. */
const personOfRequest = new WeakMap<Request, { person: Person | null }>()

function personOf(ctx: Context, request: Request): Person | null {
  const known = personOfRequest.get(request) ?? { person: findPerson(ctx, request) }
  personOfRequest.set(request, known)
  return known.person
}

function findPerson(ctx: Context, request: Request): Person | null {
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) {
    const row = personByToken.get(ctx, { tokenHash: apiTokenHash(ctx, bearer), now: ctx.now().toISOString() })
    return toPerson(ctx, row, null)
  }
  const token = readSessionCookie(ctx, request)
  if (!token) return null
  const sid = sessionHash(ctx, token)
  const row = personBySession.get(ctx, { sid, now: ctx.now().toISOString() })
  if (row !== undefined) recordUse(ctx, sid, row)
  return toPerson(ctx, row, sid)
}

/** Who acts as an owner: an account, or the person at this machine's terminal. */
export type Owner = { actor: string; userId: string | null }

function assertOwner(ctx: Context, request: Request): Owner {
  if (ctx.localActor !== undefined) return { actor: ctx.localActor, userId: null }
  const person = assertLoggedIn(personOf(ctx, request))
  if (!person.isAdmin) throw new AppError('forbidden', 'Only the owners can do that.')
  return { actor: `user:${person.id}`, userId: person.id }
}

function assertLoggedIn(person: Person | null): Person {
  if (person === null) throw new AppError('unauthenticated', 'Please log in to continue.')
  return person
}

function assertMember(person: Person): Person {
  if (!person.access.hasAccess && !person.isAdmin) {
    throw new AppError('forbidden', 'Member Access Required. Your account has no access to this right now.')
  }
  return person
}

/**
 * The guards. Every route carries exactly one of them, or the app refuses to be built: `open` (anybody, nobody is
 * looked up), `visitor` (anybody; `person` may be null), `person` (logged in), `member` (access now, or an owner),
 * `owner`. They refuse before the body is validated, so that others learn nothing about its fields. The role is in the
 * route's OpenAPI `security`, where both the check at start and the documentation find it.
 */
export const session = (ctx: Context) =>
  new Elysia({ name: 'session' }).macro({
    open: { detail: { security: [] } },
    visitor: {
      detail: { security: [] },
      resolve: ({ request, server }) => ({
        person: personOf(ctx, request),
        address: clientAddress(ctx, { request, server }),
      }),
    },
    person: {
      detail: { security: [{ session: ['person'] }] },
      transform: ({ request }) => void assertLoggedIn(personOf(ctx, request)),
      resolve: ({ request, server }) => ({
        person: assertLoggedIn(personOf(ctx, request)),
        address: clientAddress(ctx, { request, server }),
      }),
    },
    member: {
      detail: { security: [{ session: ['member'] }] },
      transform: ({ request }) => void assertMember(assertLoggedIn(personOf(ctx, request))),
      resolve: ({ request }) => ({ member: assertMember(assertLoggedIn(personOf(ctx, request))) }),
    },
    owner: {
      detail: { security: [{ session: ['owner'] }] },
      transform: ({ request }) => void assertOwner(ctx, request),
      resolve: ({ request, server }) => ({
        owner: assertOwner(ctx, request),
        address: clientAddress(ctx, { request, server }),
      }),
    },
  })
