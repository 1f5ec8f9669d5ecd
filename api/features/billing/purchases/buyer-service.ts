import { and, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { membershipApplications } from '#api/db/schema/forms.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import { auditAuth } from '#api/features/accounts/login/audit-service.ts'
import {
  isSignInMailPaused,
  issueLink,
  joinLinkUrl,
  linkMinutes,
  redeemLink,
} from '#api/features/accounts/login/link-service.ts'
import { type Caller, letBackIn } from '#api/features/accounts/login/login-service.ts'
import {
  correctAddress,
  endWhatWasThereBefore,
  mayCorrectAddress,
} from '#api/features/accounts/login/mailbox-service.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import type { Buyer } from '#api/features/subscriptions/purchase-attempts-service.ts'
import { hasEverPaid } from '#api/features/subscriptions/queries.ts'
import type { Member } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { continueJoinMail } from '#api/mail/templates/account.ts'
import {
  assertWithinLimits,
  rateLimits,
  recordHit,
  recordHitIfAllowed,
  recordHitsInAdvance,
} from '#api/serving/rate-limits.ts'
import type { CreateSubscriptionRequest } from '#shared/contract/billing.ts'
import { accessRevoked } from './subscription-service.ts'

/** `cookie` starts a session in this browser if we just created the account. */
export type NewBuyer = Buyer & { cookie?: string }

/** A session's account buys, whatever address was typed. Without one, a known address has to log in first. */
export function findOrCreateBuyer(ctx: Context, request: CreateSubscriptionRequest, person: Member | null): NewBuyer {
  if (person !== null) return buyerWithSession(ctx, request, person)
  const buyer = transact(ctx, () => {
    if (!isKnownAddress(ctx, request.email)) return createAccount(ctx, request)
    mailContinueLink(ctx, request.email)
    return null
  })
  if (buyer === null) throw accountExists()
  return buyer
}

/** Refuses a known address at the first step of joining. That reveals who has an account, so each network gets few answers. */
export function assertUnknownAddress(ctx: Context, email: string, { person, address }: Asking): void {
  if (person !== null) return
  const isKnown = transact(ctx, () => {
    const ofNetwork = rateLimits.knownAddresses(address)
    assertWithinLimits(ctx, [ofNetwork], tooManyAddresses)
    recordHitsInAdvance(ctx, [rateLimits.addressChecks(email)], tooManyAddresses)
    if (!isKnownAddress(ctx, email)) return false
    recordHit(ctx, ofNetwork)
    mailContinueLink(ctx, email)
    return true
  })
  if (isKnown) throw accountExists()
}

type Asking = { person: Member | null; address: string }

const tooManyAddresses = 'You’ve tried a lot of email addresses. Log in, or try again tomorrow.'

const accountExists = () => new AppError('account_exists', 'You already have an account. Please log in to continue.')

function buyerWithSession(ctx: Context, request: CreateSubscriptionRequest, person: Member): NewBuyer {
  if (person.access.isRevoked) throw accessRevoked()
  if (!person.firstName && request.name !== person.email) storeName(ctx, person.id, request.name)
  const email = transact(ctx, () => {
    const mayCorrect = request.email !== person.email && !person.hasPassword && mayCorrectAddress(ctx, person.id)
    if (!mayCorrect || isKnownAddress(ctx, request.email)) return person.email
    correctAddress(ctx, person, request.email)
    return request.email
  })
  return { userId: person.id, email, name: request.name }
}

/** An account without a name gets the one given with the purchase. */
function storeName(ctx: Context, userId: string, name: string): void {
  const updatedAt = ctx.now().toISOString()
  ctx.db
    .update(users)
    .set({ ...namesOf(name), updatedAt })
    .where(eq(users.id, userId))
    .run()
}

/** Someone with no password who never paid can't log in, so we mail them a link that continues their purchase. */
function mailContinueLink(ctx: Context, email: string): void {
  const user = ctx.db
    .select({ id: users.id, passwordHash: users.passwordHash, isAdmin: users.isAdmin })
    .from(users)
    .where(eq(users.email, email))
    .get()
  if (user === undefined || user.passwordHash !== null || user.isAdmin || hasEverPaid(ctx, user.id)) return
  if (isSignInMailPaused(ctx, user.id)) return
  // No one may flood another person's mailbox by joining in their name.
  if (!recordHitIfAllowed(ctx, rateLimits.joinLinkMails(email))) return
  const link = issueLink(ctx, email, 'join')
  const message = continueJoinMail({ url: joinLinkUrl(ctx, link.token), minutes: linkMinutes })
  const cause = `join-link:${ctx.newId()}`
  queueMessage(ctx, { cause, to: email, userId: user.id, lapsesAt: link.expiresAt }, message)
}

/** Continues a purchase from a mailed link, and ends every other way into the account. Returns the cookies. */
export function continueJoin(ctx: Context, token: string, caller: Caller): { userId: string; cookies: string[] } {
  return transact(ctx, () => {
    const owner = redeemLink(ctx, token, 'join')
    if (owner === null) throw new AppError('invalid_token', 'This link has been used or is too old. Start again.')
    const { userId, email } = owner
    endWhatWasThereBefore(ctx, { id: userId, email })
    auditAuth(ctx, 'auth.continued', { userId, address: caller.address })
    return { userId, cookies: [startSession(ctx, userId), letBackIn(ctx, owner, caller)] }
  })
}

function createAccount(ctx: Context, request: CreateSubscriptionRequest): NewBuyer {
  const profile = { ...namesOf(request.name), ...profileFromApplication(ctx, request) }
  const userId = insertAccount(ctx, request.email, profile)
  return { userId, email: request.email, name: request.name, cookie: startSession(ctx, userId) }
}

type Profile = Pick<typeof users.$inferInsert, 'firstName' | 'lastName' | 'phone' | 'businessName' | 'trade'>

export function namesOf(name: string): { firstName: string; lastName: string | null } {
  const [firstName = name, ...rest] = name.split(/\s+/)
  return { firstName, lastName: rest.join(' ') || null }
}

export function insertAccount(ctx: Context, email: string, profile: Profile): string {
  const userId = ctx.newId()
  const now = ctx.now().toISOString()
  insertRow(ctx, users, { id: userId, email, ...profile, lastSeenAt: now, createdAt: now, updatedAt: now })
  return userId
}

/** Only the browser that sent the application knows its id, so an address alone reveals nothing. */
function profileFromApplication(ctx: Context, { applicationId, email }: CreateSubscriptionRequest) {
  if (applicationId === undefined) return undefined
  return ctx.db
    .select({
      firstName: membershipApplications.firstName,
      lastName: membershipApplications.lastName,
      phone: membershipApplications.phone,
      businessName: membershipApplications.businessName,
      trade: membershipApplications.trade,
    })
    .from(membershipApplications)
    .where(and(eq(membershipApplications.id, applicationId), eq(membershipApplications.email, email)))
    .get()
}
