import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import {
  type Access,
  accessFrom,
  type StandingRow,
  standingColumns,
  standingJoins,
} from '#api/features/access/standing.ts'
import { keyedHash } from '#api/secrets.ts'
import { clientAddress, cookieOf } from './request-facts.ts'
import { sessionCookieName } from './session-cookies.ts'

/** Who is asking, and what he may do now. */
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
  /** The session or token he came with; ends with logout. */
  sid: string | null
}

type PersonRow = StandingRow & {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  phone: string | null
  businessName: string | null
  trade: string | null
  profileImageUrl: string | null
  isAdmin: 0 | 1
  passwordHash: string | null
  membershipStartDate: string | null
  createdAt: string
  lastSeenAt: string | null
}

const personColumns = `users.id, users.email, users.firstName, users.lastName, users.phone, users.businessName, users.trade,
  users.profileImageUrl, users.isAdmin, users.passwordHash, users.membershipStartDate, users.createdAt, users.lastSeenAt,
  ${standingColumns}`

function toPerson(row: PersonRow, ctx: Context, sid: string | null): Person {
  const {
    id,
    email,
    firstName,
    lastName,
    phone,
    businessName,
    trade,
    profileImageUrl,
    membershipStartDate,
    createdAt,
  } = row
  return {
    ...{ id, email, firstName, lastName, phone, businessName, trade, profileImageUrl, membershipStartDate, createdAt },
    isAdmin: row.isAdmin === 1,
    hasPassword: row.passwordHash !== null,
    access: accessFrom(row, ctx.billingNow()),
    sid,
  }
}

type Lookups = {
  bySession(sid: string): Person | null
  byToken(hash: string): Person | null
  byId(id: string): Person | null
}

/**
 * `+?` hides the value from SQLite's planner. Where it looks at one in a join, each call prepares the statement anew,
 * which takes ten times as long as running it.
 */
function lookups(ctx: Context): Lookups {
  const from = (joins: string, where: string) =>
    ctx.sqlite.prepare<string[], PersonRow>(
      `select ${personColumns} from users ${joins} ${standingJoins} where ${where}`,
    )
  const session = from('join sessions on sessions.userId = users.id', 'sessions.sid = +? and sessions.expire > +?')
  const token = from(
    'join api_tokens on api_tokens.userId = users.id',
    'api_tokens.tokenHash = +? and api_tokens.expiresAt > +?',
  )
  const user = from('', 'users.id = +?')
  const seen = ctx.sqlite.prepare('update users set lastSeenAt = ? where id = ?')
  const person = (row: PersonRow | undefined, sid: string | null) => {
    if (row === undefined) return null
    // Once an hour is often enough to tell who has gone away, and spares every other request a write.
    const now = ctx.now().getTime()
    if (now - Date.parse(row.lastSeenAt ?? row.createdAt) > 3_600_000) seen.run(new Date(now).toISOString(), row.id)
    return toPerson(row, ctx, sid)
  }
  return {
    bySession: (sid) => person(session.get(sid, ctx.now().toISOString()), sid),
    byToken: (hash) => person(token.get(hash, ctx.now().toISOString()), null),
    byId: (id) => person(user.get(id), null),
  }
}

const kept = new WeakMap<Context, Lookups>()
function lookupsOf(ctx: Context): Lookups {
  const found = kept.get(ctx) ?? lookups(ctx)
  kept.set(ctx, found)
  return found
}

export const personById = (ctx: Context, id: string) => lookupsOf(ctx).byId(id)

export const sessionHash = (ctx: Context, token: string) => keyedHash(ctx, 'session', token)
export const apiTokenHash = (ctx: Context, token: string) => keyedHash(ctx, 'api-token', token)

/** Guard and handler ask in turn; the rows are read once. */
const found = new WeakMap<Request, { person: Person | null }>()

export function personOf(ctx: Context, request: Request): Person | null {
  const known = found.get(request) ?? { person: findPerson(ctx, request) }
  found.set(request, known)
  return known.person
}

function findPerson(ctx: Context, request: Request): Person | null {
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) return lookupsOf(ctx).byToken(apiTokenHash(ctx, bearer))
  const token = cookieOf(request, sessionCookieName(ctx))
  return token ? lookupsOf(ctx).bySession(sessionHash(ctx, token)) : null
}

/** What an owner's action is recorded under: an account, or the person at this machine's terminal. */
export type Owner = { actor: string; userId: string | null }

function ownerOf(ctx: Context, request: Request): Owner {
  if (ctx.localActor !== undefined) return { actor: ctx.localActor, userId: null }
  const person = signedIn(personOf(ctx, request))
  if (!person.isAdmin) throw new AppError('forbidden', 'Only the owners can do that.')
  return { actor: `user:${person.id}`, userId: person.id }
}

function signedIn(person: Person | null): Person {
  if (person === null) throw new AppError('unauthenticated', 'Please log in to continue.')
  return person
}

function memberOf(person: Person): Person {
  if (!person.access.hasAccess && !person.isAdmin) {
    throw new AppError('forbidden', 'This is for members. Your membership gives no access right now.')
  }
  return person
}

/**
 * The guards. Every route carries exactly one of them, or the app refuses to be built: `open` (anybody, nobody is looked
 * up), `visitor` (anybody; `person` may be null), `person` (logged in), `member` (access now, or an owner), `owner`. They
 * refuse before the body is checked, so that its shape is told to nobody else. The role stands in the route's OpenAPI
 * `security`, where the check at start and the document both read it.
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
      transform: ({ request }) => void signedIn(personOf(ctx, request)),
      resolve: ({ request, server }) => ({
        person: signedIn(personOf(ctx, request)),
        address: clientAddress(ctx, { request, server }),
      }),
    },
    member: {
      detail: { security: [{ session: ['member'] }] },
      transform: ({ request }) => void memberOf(signedIn(personOf(ctx, request))),
      resolve: ({ request }) => ({ member: memberOf(signedIn(personOf(ctx, request))) }),
    },
    owner: {
      detail: { security: [{ session: ['owner'] }] },
      transform: ({ request }) => void ownerOf(ctx, request),
      resolve: ({ request }) => ({ owner: ownerOf(ctx, request) }),
    },
  })
