import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customersOf, isHisCustomer } from '#api/db/whose.ts'
import { AppError } from '#api/errors.ts'
import { issueLink, joinLinkUrl, linkMinutes } from '#api/features/auth/link-service.ts'
import { isKnownAddress } from '#api/features/auth/queries.ts'
import { startSession } from '#api/features/auth/session-service.ts'
import { queueReceipts } from '#api/features/billing-mails/payment-mails.ts'
import { reissueWithAddress } from '#api/features/invoices/reissue-service.ts'
import { countHit, secondsUntilOpen } from '#api/http/limits.ts'
import type { Person } from '#api/http/session.ts'
import { queueMessage } from '#api/mail/messages.ts'
import { continueJoinMail } from '#api/mail/templates/continue-join.ts'
import type { BillingAddress, CreateSubscriptionRequest } from '#shared/contract/billing.ts'
import type { Buyer } from './attempts-service.ts'
import { accessRevoked } from './subscription-service.ts'

/** Who buys. `cookie` starts a session in this browser where the account was made just now. */
export type NewBuyer = Buyer & { cookie?: string }

/**
 * With a session the session's account buys, whatever address was typed. Without one, an unknown address makes an account
 * (no member yet); a known one is asked to log in.
 */
export function findBuyer(ctx: Context, request: CreateSubscriptionRequest, person: Person | null): NewBuyer {
  if (person !== null) return buyerWithSession(ctx, request, person)
  const outcome = transact(ctx, () =>
    isKnownAddress(ctx, request.email) ? helpBackIn(ctx, request.email) : makeAccount(ctx, request),
  )
  if (outcome === null) throw new AppError('account_exists', 'You already have an account. Please log in to continue.')
  return outcome
}

function buyerWithSession(ctx: Context, request: CreateSubscriptionRequest, person: Person): NewBuyer {
  if (person.access.isRevoked) throw accessRevoked()
  const email = transact(ctx, () => {
    const mayCorrect = request.email !== person.email && !person.hasPassword && !hasEverPaid(ctx, person.id)
    if (!mayCorrect || isKnownAddress(ctx, request.email)) return person.email
    ctx.sqlite
      .prepare('update users set email = ?, updatedAt = ? where id = ?')
      .run(request.email, ctx.now().toISOString(), person.id)
    return request.email
  })
  return { userId: person.id, email, name: request.name }
}

export function hasEverPaid(ctx: Context, userId: string): boolean {
  return (
    ctx.sqlite
      .prepare(
        `select 1 from provider_invoices join customers on customers.id = provider_invoices.customerId
         where ${isHisCustomer('@userId')} and provider_invoices.status = 'paid' and amountPaid > 0`,
      )
      .get({ userId }) !== undefined
  )
}

/** Somebody who has no password and never paid cannot log in: he gets a link that goes on where he was. */
function helpBackIn(ctx: Context, email: string): null {
  const user = ctx.sqlite
    .prepare<[string], { id: string; passwordHash: string | null; isAdmin: 0 | 1 }>(
      'select id, passwordHash, isAdmin from users where email = ?',
    )
    .get(email)
  if (user === undefined || user.passwordHash !== null || user.isAdmin === 1 || hasEverPaid(ctx, user.id)) return null
  // Nobody should be able to fill somebody else's mailbox by joining in his name.
  const limit = { name: 'join-link-email', key: email, max: 5, windowMs: 60 * 60_000 }
  if (secondsUntilOpen(ctx, limit) !== null) return null
  countHit(ctx, limit)
  const link = issueLink(ctx, email, 'join')
  const message = continueJoinMail({ url: joinLinkUrl(ctx, link.token), minutes: linkMinutes })
  queueMessage(ctx, { cause: `join-link:${ctx.newId()}`, to: email, userId: user.id }, message)
  return null
}

function makeAccount(ctx: Context, request: CreateSubscriptionRequest): NewBuyer {
  const userId = insertAccount(ctx, request.email, { ...namesOf(request.name), ...ownApplication(ctx, request) })
  return { userId, email: request.email, name: request.name, cookie: startSession(ctx, userId) }
}

/** What is known of somebody new. */
type Profile = {
  firstName: string | null
  lastName: string | null
  phone?: string
  businessName?: string
  trade?: string
}

export function namesOf(name: string): { firstName: string; lastName: string | null } {
  const [firstName = name, ...rest] = name.split(/\s+/)
  return { firstName, lastName: rest.join(' ') || null }
}

/** An account without a password, that is no member yet. */
export function insertAccount(ctx: Context, email: string, profile: Profile): string {
  const userId = ctx.newId()
  const now = ctx.now().toISOString()
  ctx.sqlite
    .prepare(
      `insert into users (id, email, firstName, lastName, phone, businessName, trade, lastSeenAt, createdAt, updatedAt)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      userId,
      email,
      profile.firstName,
      profile.lastName,
      profile.phone ?? null,
      profile.businessName ?? null,
      profile.trade ?? null,
      now,
      now,
      now,
    )
  return userId
}

type ApplicationRow = { firstName: string; lastName: string; phone: string; businessName: string; trade: string }

/** The application is named by its id, which only the browser that sent it knows: an address alone reveals nothing. */
function ownApplication(ctx: Context, { applicationId, email }: CreateSubscriptionRequest): ApplicationRow | undefined {
  if (applicationId === undefined) return undefined
  return ctx.sqlite
    .prepare<[string, string], ApplicationRow>(
      'select firstName, lastName, phone, businessName, trade from membership_applications where id = ? and email = ?',
    )
    .get(applicationId, email)
}

/** Invoices that waited for an address are put right in the same transaction. */
export function saveBillingAddress(ctx: Context, userId: string, address: BillingAddress): void {
  transact(ctx, () => {
    ctx.sqlite
      .prepare(
        `insert into addresses (userId, line1, line2, town, postcode, country, updatedAt)
         values (@userId, @line1, @line2, @town, @postcode, @country, @now)
         on conflict (userId) do update set line1 = excluded.line1, line2 = excluded.line2, town = excluded.town,
           postcode = excluded.postcode, country = excluded.country, updatedAt = excluded.updatedAt`,
      )
      .run({ ...address, line2: address.line2 ?? null, userId, now: ctx.now().toISOString() })
    for (const customer of customersOf(ctx, userId)) {
      reissueWithAddress(ctx, customer)
      queueReceipts(ctx, customer)
    }
  })
}

export function billingAddressOf(ctx: Context, userId: string): BillingAddress | null {
  const row = ctx.sqlite
    .prepare<[string], BillingAddress & { line2: string | null }>(
      'select line1, line2, town, postcode, country from addresses where userId = ?',
    )
    .get(userId)
  if (row === undefined) return null
  const { line2, ...address } = row
  return line2 ? { ...address, line2 } : address
}
