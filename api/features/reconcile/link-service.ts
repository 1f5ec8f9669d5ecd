import { and, eq, inArray, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import { endEmailUndo } from '#api/features/accounts/login/link-service.ts'
import { endWaysInBeforeMembership } from '#api/features/accounts/login/mailbox-service.ts'
import { findAdoption } from '#api/features/subscriptions/adoption-queries.ts'
import { closeAttempt, findOpenAttempt } from '#api/features/subscriptions/purchase-attempts-service.ts'
import { findCustomer, findLiveSubscription } from '#api/features/subscriptions/queries.ts'
import { assertTier } from '#api/features/tiers/service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { toOwnerError } from '#api/stripe/errors.ts'
import { type FoundCustomer, findCustomerBy } from '#api/stripe/found-customer.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import { readCustomer } from '#api/stripe/read-customer.ts'
import type {
  SubscriptionLink,
  SubscriptionLinkPlan,
  SubscriptionLinkQuery,
  SubscriptionLinkRequest,
} from '#shared/contract/subscription-link.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { adoptedCharge, adoptionNotesOf } from '#shared/rules/adoption.ts'
import { chargeOf } from '#shared/rules/charge.ts'
import { type Adopted, adoptableOf, isOurs, readerAfter, refused, writeAdoption } from './adoption-service.ts'
import { chooseSubscription } from './duplicates-service.ts'
import { syncCustomer } from './service.ts'

type Account = { id: string; email: string }

function accountOf({ db }: Context, email: string): Account {
  const account = db.select({ id: users.id, email: users.email }).from(users).where(eq(users.email, email)).get()
  if (account !== undefined) return account
  throw new AppError('not_found', `${email} has no account. Add one first: alliance members add ${email}`)
}

/** What linking this customer to the account would do. Writes nothing. Throws with the reason if it can't. */
export async function planLink(ctx: Context, query: SubscriptionLinkQuery): Promise<SubscriptionLinkPlan> {
  const account = accountOf(ctx, query.email)
  try {
    const { found, link, adopted } = await findLinkable(ctx, account, query)
    const state = await readCustomer(readerAfter(ctx, adopted), found.id)
    const { chosen } = chooseSubscription(state)
    const paid = state.invoices.filter(
      ({ status, amountPaid, fromCredit, isHistory }) => status === 'paid' && amountPaid + fromCredit > 0 && !isHistory,
    )
    const invoiced = invoicedAmong(ctx, paid)
    const missing = paid.filter(({ id }) => !invoiced.has(id))
    return {
      customer: found.id,
      memberId: account.id,
      email: account.email,
      providerEmail: found.email,
      isLinked: link.isLinked,
      leaves: link.other?.stripeCustomerId ?? null,
      subscription:
        chosen === undefined
          ? null
          : { id: chosen.id, status: chosen.status, tier: chosen.tierSlug, price: chargeOf(chosen) },
      payments: { count: missing.length, total: missing.reduce((sum, { amountPaid }) => sum + amountPaid, 0) },
      adopts: adopted && { ...adoptedCharge(adopted.facts), notes: adoptionNotesOf(adopted.facts) },
    }
  } catch (error) {
    throw toOwnerError(ctx, error)
  }
}

function invoicedAmong({ db }: Context, payments: readonly { id: string }[]): Set<string> {
  const ids = payments.map(({ id }) => id)
  const rows = db.select({ id: invoices.providerInvoiceId }).from(invoices)
  const known = rows.where(and(inArray(invoices.providerInvoiceId, ids), isNull(invoices.replacesId))).all()
  return new Set(known.flatMap(({ id }) => id ?? []))
}

/**
 * Links an unknown customer, as after restoring an older backup, and syncs them. With a tier it adopts a subscription that another
 * program sold. A repeat just syncs again.
 */
export async function linkSubscription(
  ctx: Context,
  owner: Pick<Owner, 'actor'>,
  { email, providerEmail, ...named }: SubscriptionLinkRequest & { isAccountMade?: boolean },
): Promise<SubscriptionLink> {
  const account = accountOf(ctx, email)
  // Locks the account, so that it can't buy anything in between.
  return withKeyLock(ctx, account.id, () => {
    let before: { wasLinked: boolean; invoices: Set<string> } | undefined
    return lookingAgainForOwner(ctx, async () => {
      const { found, link, adopted } = await findLinkable(ctx, account, named)
      if (isOther(found.email, providerEmail)) {
        throw refused(`The address of ${found.id} in Stripe is now ${found.email ?? 'empty'}. Look again.`)
      }
      before ??= { wasLinked: link.isLinked, invoices: new Set(invoiceNumbers(ctx, found.id)) }
      const { wasLinked, invoices: known } = before
      writeLink(ctx, owner, { account, found, adopted, isAccountMade: named.isAccountMade === true })
      await syncCustomer(ctx, found.id)
      const { status, hasAccess } = accessOfUser(ctx, account.id)
      const issued = invoiceNumbers(ctx, found.id).filter((number) => !known.has(number))
      return { customer: found.id, memberId: account.id, wasLinked, status, hasAccess, invoices: issued }
    })
  })
}

/** Oldest first. */
const invoiceNumbers = ({ db }: Context, stripeCustomerId: string): string[] =>
  db
    .select({ number: invoices.number })
    .from(invoices)
    .innerJoin(customers, eq(customers.id, invoices.customerId))
    .where(eq(customers.stripeCustomerId, stripeCustomerId))
    .orderBy(invoices.sequence)
    .all()
    .map(({ number }) => number)

const isOther = (one: string | null, other: string | null) => one?.toLowerCase() !== other?.toLowerCase()

type Named = { reference: string; tier?: TierSlug | undefined }

async function findLinkable(ctx: Context, account: Account, { reference, tier }: Named) {
  if (tier !== undefined) assertTier(ctx, 'tier', tier)
  const found = await findCustomerBy(ctx, reference)
  if (found === 'missing') throw new AppError('not_found', `Stripe doesn’t have ${reference}.`)
  if (found === 'deleted') throw refused(`The customer of ${reference} was deleted in Stripe.`)
  const link = linkFor(ctx, account, found.id)
  const adopted = tier === undefined ? null : { tier, facts: adoptableOf(ctx, found, reference) }
  if (adopted === null) assertOurs(ctx, found, reference)
  if (link.other !== null) await assertNothingLive(ctx, account, link.other)
  return { found, link, adopted }
}

/** Throws if the customer is someone else's. `attemptId` is a purchase without an order, which nothing else would close. */
function linkFor(ctx: Context, { id, email }: Account, stripeCustomerId: string) {
  const { userId, formerUserId, removedAt, ...row } = rowOf(ctx, stripeCustomerId) ?? nobodys
  const holder = userId ?? formerUserId
  if (removedAt !== null) throw refused(`${stripeCustomerId} belonged to a member you removed.`)
  if (holder !== null && holder !== id) {
    throw refused(`${stripeCustomerId} is already linked to ${addressOf(ctx, holder)}.`)
  }
  if (holder === null && row.id !== null) {
    throw refused(`${stripeCustomerId} already paid for an order here without an account.`)
  }
  const own = findCustomer(ctx, id)
  const attempt = findOpenAttempt(ctx, id)
  if (attempt !== null && attempt.request.order !== null && userId !== id) {
    throw refused(`${email} has begun to buy a membership. What is not paid ends within a day; link it then.`)
  }
  const other = own === undefined || own.stripeCustomerId === stripeCustomerId ? null : own
  return { rowId: row.id, isLinked: userId === id, other, attemptId: attempt?.id ?? null }
}

const nobodys = { id: null, userId: null, formerUserId: null, removedAt: null }

const rowOf = ({ db }: Context, stripeCustomerId: string) =>
  db
    .select({
      id: customers.id,
      userId: customers.userId,
      formerUserId: customers.formerUserId,
      removedAt: customers.removedAt,
    })
    .from(customers)
    .where(eq(customers.stripeCustomerId, stripeCustomerId))
    .get()

const addressOf = ({ db }: Context, userId: string) =>
  db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()?.email ?? 'another account'

/** The sync would cancel and refund a second live subscription of ours, so an owner has to say which one is meant. */
function assertOurs(ctx: Context, { id, subscriptions }: FoundCustomer, reference: string): void {
  const named = subscriptions.filter((one) => one.id === reference)
  const live = subscriptions.filter(({ isLive }) => isLive)
  const meant = live.length > 0 ? live : subscriptions
  if (meant.length === 0) throw refused(`${id} has no subscription in Stripe.`)
  const ours = meant.filter((one) => isOurs(ctx, one))
  const wrong = [...named, ...(ours.length > 0 ? ours : meant)].find(
    (one) => one.problem !== null && findAdoption(ctx, one.id) === undefined,
  )
  if (wrong !== undefined) {
    throw refused(`${wrong.id} ${wrong.problem}, so it isn’t linked. If another program sold it, add --tier.`)
  }
  if (live.length > 0 && ours.length > 1) {
    const both = ours.map((one) => one.id).join(' and ')
    throw refused(`${id} has two memberships, ${both}. End one in Stripe first.`)
  }
}

type OtherCustomer = { id: string; stripeCustomerId: string }

/** By our rows and the provider, because after a restore either may be behind. */
async function assertNothingLive(ctx: Context, { email }: Account, other: OtherCustomer): Promise<void> {
  const found = await findCustomerBy(ctx, other.stripeCustomerId)
  const isLiveThere = typeof found === 'object' && found.subscriptions.some(({ isLive }) => isLive)
  if (!isLiveThere && findLiveSubscription(ctx, other.id) === undefined) return
  throw refused(
    `${email} has a membership through ${other.stripeCustomerId}. End that first; if it has ended: alliance subscriptions sync ${email}`,
  )
}

/** Checks again, because the provider was called in between. */
function writeLink(
  ctx: Context,
  { actor }: Pick<Owner, 'actor'>,
  { account, found, adopted, isAccountMade }: Link,
): void {
  transact(ctx, () => {
    const { rowId, isLinked, other, attemptId } = linkFor(ctx, account, found.id)
    if (adopted !== null) writeAdoption(ctx, actor, { accountId: account.id, adopted, isAccountMade })
    if (isLinked) return
    if (attemptId !== null) closeAttempt(ctx, attemptId, 'replaced')
    if (!isBoughtBy(account, found)) endWaysInBeforeMembership(ctx, account.id, null)
    endEmailUndo(ctx, account.id)
    const theirs = { userId: account.id, formerUserId: null }
    if (other !== null) {
      const left = { userId: null, formerUserId: account.id }
      ctx.db.update(customers).set(left).where(eq(customers.id, other.id)).run()
    }
    if (rowId === null) {
      const createdAt = ctx.billingNow().toISOString()
      insertRow(ctx, customers, { id: ctx.newId(), ...theirs, stripeCustomerId: found.id, createdAt })
    } else ctx.db.update(customers).set(theirs).where(eq(customers.id, rowId)).run()
    const detail = { customer: found.id, left: other?.stripeCustomerId ?? null, isSameAddress: isSame(account, found) }
    audit(ctx, actor, 'customer.linked', { targetId: account.id, detail })
  })
}

type Link = { account: Account; found: FoundCustomer; adopted: Adopted | null; isAccountMade: boolean }

/** Whether this account bought it here, which a restored backup doesn't know. */
function isBoughtBy({ id }: Account, { subscriptions }: FoundCustomer): boolean {
  const live = subscriptions.filter(({ isLive }) => isLive)
  return (live.length > 0 ? live : subscriptions).every(({ accountId }) => accountId === id)
}

const isSame = ({ email }: Account, found: FoundCustomer) => found.email?.toLowerCase() === email
