import { and, asc, eq, gt, gte, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { userIdOfCustomer } from '#api/db/customers.ts'
import { dueOf, isExtra, isNoneOf, isOneOf, nullable, onlyRateOf, settledPeriod, total } from '#api/db/expressions.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { users } from '#api/db/schema/people.ts'
import { lostDisputeReason, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { debtTaken } from '#api/features/invoices/queries.ts'
import { notQueued } from './queries.ts'

const paidOrder = alias(quotientOrders, 'paid_order')

/** Who paid: the buyer an order names, else the account. All null if the account is deleted. */
const payerFields = {
  email: nullable(users.email, sql`coalesce(${paidOrder.email}, ${users.email})`),
  firstName: nullable(users.firstName, sql`coalesce(${paidOrder.firstName}, ${users.firstName})`),
  userId: nullable(users.id, sql`iif(${paidOrder.id} is null, ${users.id}, null)`),
}
const isOrderOfPayment = eq(paidOrder.id, providerInvoices.quotientOrderId)
const isCustomerOfPayment = eq(customers.id, providerInvoices.customerId)
const isUserOfCustomer = eq(users.id, userIdOfCustomer())

const replaced = alias(invoices, 'replaced')
const paidAt = sql`coalesce(${providerInvoices.paidAt}, ${providerInvoices.created})`

const correctingNote = sql`(select ${creditNotes.number} from ${creditNotes}
  where ${creditNotes.invoiceId} = ${replaced.id} and ${isNoneOf(creditNotes.kind, 'refund')}
  order by ${creditNotes.sequence} desc limit 1)`

/** Excludes invoices that replace a removed one, which changes nothing about the payment. */
const isNotOfRemoved = sql`not exists (select 1 from ${creditNotes}
  where ${creditNotes.invoiceId} = ${replaced.id} and ${isOneOf(creditNotes.kind, 'removal')})`

/** When one that's paid by the year, or longer, renews. */
const yearRenewsAt = sql`iif(${and(
  gte(subscriptions.chargeMonths, 12),
  isOneOf(subscriptions.status, 'active'),
  isNull(subscriptions.cancelAt),
)}, ${subscriptions.currentPeriodEnd}, null)`

/** A customer's invoices without a receipt, issued after `since` for later payments, or replacing another. */
export const invoicesWithoutReceipt = preparedQuery<{ customerId: string; since: string }>()(
  (db, { customerId, since }) =>
    db
      .select({
        id: invoices.id,
        paidAt: paidAt.mapWith(providerInvoices.created),
        replaced: replaced.number,
        paidBy: providerInvoices.paidBy,
        fromBefore: debtTaken,
        renewsAt: nullable(subscriptions.currentPeriodEnd, yearRenewsAt),
        creditNote: nullable(creditNotes.number, correctingNote),
        ...payerFields,
      })
      .from(invoices)
      .innerJoin(providerInvoices, eq(providerInvoices.id, invoices.providerInvoiceId))
      .leftJoin(replaced, eq(replaced.id, invoices.replacesId))
      .leftJoin(subscriptions, eq(subscriptions.id, providerInvoices.subscriptionId))
      .leftJoin(paidOrder, isOrderOfPayment)
      .leftJoin(customers, isCustomerOfPayment)
      .leftJoin(users, isUserOfCustomer)
      .where(
        and(
          eq(invoices.customerId, unplanned(customerId)),
          gte(invoices.createdAt, unplanned(since)),
          or(gte(paidAt, unplanned(since)), isNotNull(invoices.replacesId), isNotNull(invoices.takesPlaceOf)),
          isNotOfRemoved,
          notQueued('receipt', invoices.id),
        ),
      )
      .orderBy(asc(invoices.sequence)),
)

export const refundsToAnnounce = preparedQuery<{ customerId: string; since: string }>()((db, { customerId, since }) =>
  db
    .select({
      id: providerRefunds.id,
      amount: providerRefunds.amount,
      reason: providerRefunds.reason,
      created: providerRefunds.created,
      noteId: creditNotes.id,
      note: creditNotes.number,
      invoice: invoices.number,
      ...payerFields,
    })
    .from(providerRefunds)
    .innerJoin(providerInvoices, eq(providerInvoices.id, providerRefunds.providerInvoiceId))
    .leftJoin(creditNotes, eq(creditNotes.providerRefundId, providerRefunds.id))
    .leftJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .leftJoin(paidOrder, isOrderOfPayment)
    .leftJoin(customers, isCustomerOfPayment)
    .leftJoin(users, isUserOfCustomer)
    .where(
      and(
        eq(providerRefunds.customerId, unplanned(customerId)),
        isOneOf(providerRefunds.status, 'succeeded'),
        gte(providerRefunds.created, unplanned(since)),
        // A chargeback isn't a refund from us.
        sql`coalesce(${providerRefunds.reason}, '') <> ${sql.raw(`'${lostDisputeReason}'`)}`,
        eq(providerRefunds.waitsForFix, false),
        notQueued('refund', providerRefunds.id),
      ),
    )
    .orderBy(asc(providerRefunds.created), asc(providerRefunds.id)),
)

export const failedRefundsToAnnounce = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({
      id: providerRefunds.id,
      amount: providerRefunds.amount,
      created: providerRefunds.created,
      ...payerFields,
    })
    .from(providerRefunds)
    .innerJoin(providerInvoices, eq(providerInvoices.id, providerRefunds.providerInvoiceId))
    .leftJoin(paidOrder, isOrderOfPayment)
    .leftJoin(customers, isCustomerOfPayment)
    .leftJoin(users, isUserOfCustomer)
    .where(
      and(
        eq(providerRefunds.customerId, unplanned(customerId)),
        isOneOf(providerRefunds.status, 'failed', 'canceled'),
        sql`not ${notQueued('refund', providerRefunds.id)}`,
        notQueued('refund-failed', providerRefunds.id),
      ),
    ),
)

const renewalFields = {
  id: providerInvoices.id,
  net: providerInvoices.net,
  vat: providerInvoices.vat,
  total: providerInvoices.total,
  vatRate: onlyRateOf(providerInvoices),
  due: dueOf(providerInvoices),
  created: providerInvoices.created,
}

/** Whether we queued a mail about the last attempt to charge a renewal. Each attempt has its own cause. */
const isLastAttemptTold = sql`exists (select 1 from ${mailOutbox} where ${mailOutbox.cause} = 'payment-failed:' ||
  ${providerInvoices.id} || iif(${providerInvoices.attempts} > 1, ':' || ${providerInvoices.attempts}, ''))`

/** Renewals after `since` that failed and whose last attempt has no mail yet. */
export const unpaidRenewals = preparedQuery<{ subscriptionId: string; since: string }>()(
  (db, { subscriptionId, since }) =>
    db
      .select({ ...renewalFields, attempts: providerInvoices.attempts })
      .from(providerInvoices)
      .where(
        and(
          eq(providerInvoices.subscriptionId, subscriptionId),
          isOneOf(providerInvoices.status, 'open'),
          gte(providerInvoices.created, since),
          isOneOf(providerInvoices.billingReason, 'subscription_cycle'),
          gt(providerInvoices.attempts, 0),
          sql`not ${isLastAttemptTold}`,
        ),
      ),
)

const paid = alias(providerInvoices, 'paid')

/** It came after the last payment for a period of its subscription. */
const isSinceLastPaid = gt(
  providerInvoices.created,
  sql`coalesce((select max(${paid.created}) from ${providerInvoices} ${paid}
    where ${and(eq(paid.subscriptionId, providerInvoices.subscriptionId), settledPeriod(paid))}), '')`,
)

/** The renewal that starts a running subscription's grace period: the oldest unpaid one after `since`. */
export const renewalInGrace = preparedQuery<{ subscriptionId: string; since: string }>()(
  (db, { subscriptionId, since }) =>
    db
      .select(renewalFields)
      .from(providerInvoices)
      .where(
        and(
          eq(providerInvoices.subscriptionId, subscriptionId),
          isOneOf(providerInvoices.billingReason, 'subscription_cycle'),
          isOneOf(providerInvoices.status, 'open', 'uncollectible'),
          gte(providerInvoices.created, since),
          isSinceLastPaid,
        ),
      )
      .orderBy(asc(providerInvoices.created))
      .limit(1),
)

/** The oldest renewal since the last payment, for a subscription that ended without paying it. */
export const oldestUnpaidRenewal = preparedQuery<{ subscriptionId: string }>()((db, { subscriptionId }) =>
  db
    .select({ id: providerInvoices.id, created: providerInvoices.created })
    .from(providerInvoices)
    .where(
      and(
        eq(providerInvoices.subscriptionId, subscriptionId),
        isOneOf(providerInvoices.billingReason, 'subscription_cycle'),
        isNoneOf(providerInvoices.status, 'draft', 'paid'),
        isSinceLastPaid,
      ),
    )
    .orderBy(asc(providerInvoices.created))
    .limit(1),
)

/** What Stripe still collects of a subscription that has ended: what waited for the end. */
export const lastDue = preparedQuery<{ subscriptionId: string }>()((db, { subscriptionId }) =>
  db
    .select({ due: total(providerInvoices.due) })
    .from(providerInvoices)
    .where(
      and(
        eq(providerInvoices.subscriptionId, subscriptionId),
        isOneOf(providerInvoices.status, 'draft', 'open'),
        isNotNull(providerInvoices.nextAttemptAt),
        isExtra(),
      ),
    ),
)
