import { eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { cachedRead } from '#api/db/cached-read.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'
import { apiTokens, endedLogins, sessions } from '#api/db/schema/sessions.ts'
import { statement } from '#api/db/statement.ts'
import { type Access, accessFrom, joinedMembership, membershipFields } from '#api/features/access/queries.ts'
import type { TokenScope } from '#shared/contract/auth.ts'

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
  lastInAdmin: users.lastInAdmin,
  ...membershipFields,
}

const sessionFields = {
  ...personFields,
  startedAt: sessions.createdAt,
  usedAt: sessions.lastSeenAt,
  expire: sessions.expire,
  sess: sessions.sess,
  provenAt: sessions.provenAt,
  provenAgainAt: sessions.provenAgainAt,
}

const sessionBySid = statement<{ sid: string }>()(
  sessionFields,
  (fields, { sid }) => sql`select ${fields}
    from ${sessions} join ${users} on ${users.id} = ${sessions.userId} ${joinedMembership}
    where ${sessions.sid} = ${unplanned(sid)}`,
)

/** Includes expired sessions, because they expire without a change to the database. */
export const personBySession = cachedRead((ctx, sid) => sessionBySid.get(ctx, { sid }))

/** Excludes ended tokens. `latest` as in `isOver`. */
export const personByToken = statement<{ tokenHash: string; now: string; latest: string }>()(
  {
    ...personFields,
    scopes: apiTokens.scopes,
    tokenId: apiTokens.id,
    provenAt: apiTokens.provenAt,
    provenAgainAt: apiTokens.provenAgainAt,
  },
  (fields, { tokenHash, now, latest }) => sql`select ${fields}
    from ${apiTokens} join ${users} on ${users.id} = ${apiTokens.userId} ${joinedMembership}
    where ${apiTokens.tokenHash} = ${unplanned(tokenHash)} and ${apiTokens.expiresAt} > ${unplanned(now)}
      and ${apiTokens.createdAt} <= ${unplanned(latest)}`,
)

export const personByUserId = statement<{ id: string }>()(
  personFields,
  (fields, { id }) => sql`select ${fields} from ${users} ${joinedMembership} where ${users.id} = ${unplanned(id)}`,
)

export const endedLogin = preparedQuery<{ sid: string }>()((db, { sid }) =>
  db.select({ cause: endedLogins.cause }).from(endedLogins).where(eq(endedLogins.sid, sid)),
)

export const markAsSeen = preparedQuery<{ id: string; now: string }>()((db, { id, now }) =>
  db.update(users).set({ lastSeenAt: now }).where(eq(users.id, id)),
)

export const markAsIn = preparedQuery<{ id: string; lastInAdmin: boolean }>()((db, { id, lastInAdmin }) =>
  db.update(users).set({ lastInAdmin }).where(eq(users.id, id)),
)

export const markAsUsed = preparedQuery<{ sid: string; now: string; expire: string }>()((db, { sid, now, expire }) =>
  db.update(sessions).set({ lastSeenAt: now, expire }).where(eq(sessions.sid, sid)),
)

export type PersonRow = NonNullable<ReturnType<typeof personByUserId.get>>
export type SessionRow = NonNullable<ReturnType<typeof personBySession>>

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
  lastInAdmin: boolean
  access: Access
  /** Null if the request uses an API token. */
  sid: string | null
  /** What the request's API token may do. Null without a token, for unrestricted. */
  scopes: readonly TokenScope[] | null
  /** Null if the request uses a session. */
  tokenId: string | null
  /** When this session or token last entered the password. Null if never. */
  provenAt: string | null
  /** When they last proved again who they are. A login doesn't count, and a change of address uses it up. */
  provenAgainAt: string | null
  /** The owner viewing the site as this person, and until when. They can't change anything. */
  impersonator: { id: string; until: string } | null
}

export type Login = Partial<Pick<Person, 'sid' | 'scopes' | 'tokenId' | 'provenAt' | 'provenAgainAt' | 'impersonator'>>

/** Field by field, because spreading rows took a tenth of a request's time. */
export const personFrom = (ctx: Context, row: PersonRow, login: Login): Person => ({
  id: row.id,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  phone: row.phone,
  businessName: row.businessName,
  trade: row.trade,
  profileImageUrl: row.profileImageUrl,
  isAdmin: row.isAdmin,
  hasPassword: row.passwordHash !== null,
  membershipStartDate: row.membershipStartDate,
  createdAt: row.createdAt,
  lastInAdmin: row.lastInAdmin,
  access: accessFrom(row, ctx.billingNow()),
  sid: login.sid ?? null,
  scopes: login.scopes ?? null,
  tokenId: login.tokenId ?? null,
  provenAt: login.provenAt ?? null,
  provenAgainAt: login.provenAgainAt ?? null,
  impersonator: login.impersonator ?? null,
})
