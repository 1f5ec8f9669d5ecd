import type { Context } from '#api/context.ts'
import type { TokenScope } from '#shared/contract/auth.ts'
import { type Access, accessFrom } from './access-queries.ts'
import { authorize } from './authorize.ts'
import type { Authorized } from './authorized.ts'
import { type PersonRow, personByUserId } from './person-queries.ts'
import { recordVisit } from './session-use.ts'

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

/** Who acts as an owner: an account, or the person at this machine's terminal. */
export type Owner = Authorized<
  { actor: string; userId: string | null; provenAt?: string | null } & Pick<Person, 'sid' | 'scopes'>
>

/** The person asking, as a guard let them in. `access` says whether they have any. */
export type Member = Authorized<Person>

/** The owner whose browser this is, and the member they view the site as. */
export type Impersonator = { ownerId: string; sid: string; viewedId: string | null }

export function toPerson(ctx: Context, row: PersonRow | undefined, login: Login = {}): Person | null {
  if (row === undefined) return null
  recordVisit(ctx, row)
  return personFrom(ctx, row, login)
}

/** The person an owner is viewing as. Their last visit stays unchanged, because they weren't here. */
export function viewedPerson(ctx: Context, id: string, session: Pick<Person, 'sid' | 'impersonator'>): Person | null {
  const row = personByUserId.get(ctx, { id })
  return row === undefined || row.isAdmin ? null : personFrom(ctx, row, session)
}

/** Someone an owner acts for, in the owner's right. Their last visit stays unchanged too. */
export function absentPerson(ctx: Context, _owner: Owner, id: string): Member | null {
  const row = personByUserId.get(ctx, { id })
  return row === undefined ? null : authorize(personFrom(ctx, row, {}))
}

/** The owner's own account. Null for the person at this machine's terminal, who has none. */
export function accountOfOwner(ctx: Context, { userId, sid }: Owner): Member | null {
  const person = userId === null ? null : personById(ctx, userId)
  return person && authorize({ ...person, sid })
}

/** For what goes on after an owner has asked for it, such as an import. */
export const ownerOnceAsked = (actor: string): Owner => authorize({ actor, userId: null, sid: null, scopes: null })

export const personById = (ctx: Context, id: string): Person | null => toPerson(ctx, personByUserId.get(ctx, { id }))
