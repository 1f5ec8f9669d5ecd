import { eq, sql } from 'drizzle-orm'
import { cachedRead } from '#api/db/cached-read.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'
import { apiTokens, endedLogins, sessions } from '#api/db/schema/sessions.ts'
import { statement } from '#api/db/statement.ts'
import { joinedMembership, membershipFields } from './access-queries.ts'

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

/** Includes expired sessions, because they expire without a change to the database. Ten thousand take some 15 MB. */
export const personBySession = cachedRead((ctx, sid) => sessionBySid.get(ctx, { sid }), { most: 10_000 })

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
