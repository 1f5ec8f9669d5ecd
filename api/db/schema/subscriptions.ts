import { sql } from 'drizzle-orm'
import { check, index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { collectionPauses, subscriptionStatuses } from '#shared/contract/billing.ts'
import { checkedJson, flag, id, instant, oneOf, pence } from './columns.ts'
import { customers } from './customers.ts'
import { NextPaymentFacts } from './next-payment.ts'
import { users } from './people.ts'
import { termsVersions } from './terms.ts'
import { priceReference, tierReference } from './tiers.ts'

const PeriodPrice = v.object({
  net: v.number(),
  vat: v.number(),
  total: v.number(),
  vatRate: v.optional(v.number()),
  months: v.optional(v.number()),
  days: v.optional(v.number()),
})

export const endedStatuses = ['canceled', 'incomplete_expired'] as const

/** As of the customer's last sync. `isSettled`: a trial only counts once its set-up succeeded and it has a payment method. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    /** Stripe's id, sub_…. */
    id: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    status: text({ enum: subscriptionStatuses }).notNull(),
    isSettled: flag(true),
    tierSlug: tierReference().notNull(),
    /** The price of ours they pay by, at whatever it was when they began. Null for a price of another program. */
    tierPriceId: priceReference(),
    stripePriceId: text(),
    /** Its price names no tier, or this version doesn’t know its status. Owners have to look at it. */
    isUnrecognised: flag(false),
    /** Pence a year excluding VAT, after recurring discounts: twelve months, or one year. */
    yearlyNet: pence().notNull(),
    /** What a period charges including VAT, where `yearlyNet` alone doesn't say it: VAT inside the price, or another period. */
    chargeTotal: pence(),
    /** Per cent of VAT in it, by its tax rate. Where it names none, 20% is inside. */
    chargeVatRate: real().notNull().default(20),
    /** How many months a period has. */
    chargeMonths: integer().notNull().default(1),
    /** How many days, of a price by the week or day. */
    chargeDays: integer(),
    currentPeriodStart: instant(),
    currentPeriodEnd: instant(),
    trialEnd: instant(),
    cancelAtPeriodEnd: flag(false),
    cancelAt: instant(),
    canceledAt: instant(),
    endedAt: instant(),
    cancellationReason: text(),
    /** The schedule that changes the tier at the end of the period. */
    stripeScheduleId: text(),
    nextTierSlug: tierReference(),
    nextTierPriceId: priceReference(),
    nextTierAt: instant(),
    /** The next tier's price in pence of its period excluding VAT, as it was on the day they chose. */
    nextTierNet: integer(),
    /** What a period of it costs then, by its own period and rate of VAT, before discounts. Null where an earlier version read it. */
    nextTierPrice: checkedJson(PeriodPrice),
    /** The owners made the next payment free. */
    isNextFree: flag(false),
    /** Null if nothing comes next, or we don't know it: then no sentence promises a payment. */
    nextPayment: checkedJson(NextPaymentFacts),
    /** What was read when we asked for it. We ask again once that differs. Null if the provider didn't say. */
    nextPaymentKey: text(),
    nextPaymentAskedAt: instant(),
    /** Payments are paused: no invoice of this time is collected. */
    collectionPause: text({ enum: collectionPauses }),
    /** When they start again. Null if no day is set. */
    collectionResumesAt: instant(),
    /** When it was paused altogether, which is another thing: the status is `paused`. */
    pausedAt: instant(),
    /** The provider's reason, such as `pause_requested`. */
    pausedFor: text(),
    /** Until then a paused one gives access: where the credit for unused time begins, else the end of what's paid. */
    pausedAccessUntil: instant(),
    created: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('subscriptions_one_live')
      .on(table.customerId)
      .where(sql.raw(`"status" not in ('canceled', 'incomplete_expired')`)),
    index('subscriptions_customer').on(table.customerId, table.created),
    index('subscriptions_created').on(table.created),
    index('subscriptions_revenue').on(
      table.status,
      table.tierSlug,
      table.yearlyNet,
      table.customerId,
      table.isNextFree,
      table.collectionPause,
    ),
    index('subscriptions_priced').on(table.tierSlug, table.tierPriceId, table.status, table.isSettled),
    index('subscriptions_booked').on(table.nextTierAt).where(sql.raw('"nextTierAt" is not null')),
    index('subscriptions_trials').on(table.trialEnd).where(sql.raw('"trialEnd" is not null')),
    index('subscriptions_paused').on(table.status).where(sql.raw('"collectionPause" is not null')),
    check('subscriptions_status', sql.raw(oneOf('status', subscriptionStatuses))),
  ],
)

/**
 * A subscription another program sold, which is ours since `adoptedAt`. Payments before that are history. A customer with one has
 * no others here unless we sold them.
 */
export const adoptedSubscriptions = sqliteTable(
  'adopted_subscriptions',
  {
    /** Stripe's id, sub_…. */
    id: text().primaryKey(),
    stripeCustomerId: text().notNull(),
    /** The price as adopted. An owner said which tier it is. */
    stripePriceId: text().notNull(),
    tierSlug: tierReference().notNull(),
    /** The account was made for it. */
    isAccountMade: flag(false),
    adoptedAt: instant().notNull(),
  },
  (table) => [index('adopted_subscriptions_customer').on(table.stripeCustomerId)],
)

/** `delayed`: started from a signed link, with the first payment on a later day. */
export const attemptKinds = ['subscription', 'delayed'] as const

const SubscriptionOrder = v.object({
  customer: v.string(),
  price: v.string(),
  taxRate: v.string(),
  metadata: v.record(v.string(), v.string()),
  /** Unix seconds. We charge nothing before then. Null if the first payment is due now. */
  trialEnd: v.optional(v.nullable(v.number()), null),
})

/** Who is charged (as we created the Stripe customer) and for what. `order` is null until we know. */
const AttemptRequest = v.object({
  customer: v.object({ email: v.string(), name: v.string() }),
  order: v.nullable(SubscriptionOrder),
})

/**
 * Written before we call Stripe. The id is the idempotency key, and `request` is repeated exactly. One may be open per member.
 */
export const purchaseAttempts = sqliteTable(
  'purchase_attempts',
  {
    id: id(),
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    kind: text({ enum: attemptKinds }).notNull(),
    tierSlug: tierReference().notNull(),
    tierPriceId: priceReference(),
    request: checkedJson(AttemptRequest).notNull(),
    stripeSubscriptionId: text(),
    termsVersion: text().references(() => termsVersions.version, { onDelete: 'restrict' }),
    openedAt: instant().notNull(),
    closedAt: instant(),
    outcome: text(),
  },
  (table) => [
    uniqueIndex('purchase_attempts_one_open').on(table.userId).where(sql.raw('"closedAt" is null')),
    index('purchase_attempts_subscription').on(table.stripeSubscriptionId),
    check('purchase_attempts_kind', sql.raw(oneOf('kind', attemptKinds))),
  ],
)

/**
 * A customer's second live subscription. Open until it's cancelled and fully refunded. The table keeps its first name
 * (`announcementDismissals` says why).
 */
export const duplicateSubscriptions = sqliteTable(
  'withdrawals',
  {
    /** Stripe's id, sub_…. */
    stripeSubscriptionId: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    openedAt: instant().notNull(),
    closedAt: instant(),
  },
  (table) => [index('withdrawals_open').on(table.customerId).where(sql.raw('"closedAt" is null'))],
)

/** A change of card, created before the browser confirms it. Open until we charge the new card. */
export const cardChanges = sqliteTable(
  'card_changes',
  {
    /** Stripe's id of the SetupIntent, seti_…. */
    stripeSetupIntentId: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    openedAt: instant().notNull(),
    closedAt: instant(),
    /** `succeeded`, `canceled`, `abandoned`. */
    outcome: text(),
  },
  (table) => [index('card_changes_open').on(table.customerId).where(sql.raw('"closedAt" is null'))],
)

/** `refused`: not paid. `dropped`: replaced, or abandoned by the member. `expired`: never started, or not paid in time. */
export const upgradeOutcomes = ['upgraded', 'refused', 'dropped', 'expired'] as const

/** An upgrade as shown to the member. We ask Stripe for exactly this. One may be open per customer. */
export const tierUpgrades = sqliteTable(
  'tier_upgrades',
  {
    id: id(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    stripeSubscriptionId: text().notNull(),
    stripeItemId: text().notNull(),
    fromTierSlug: tierReference(),
    tierSlug: tierReference().notNull(),
    tierPriceId: priceReference(),
    fromPriceId: text().notNull(),
    priceId: text().notNull(),
    /** Unix seconds. Preview and charge both calculate the unused time from here. */
    prorationDate: integer().notNull(),
    net: pence().notNull(),
    vat: pence().notNull(),
    total: pence().notNull(),
    /** What Stripe takes of it, with what's on the customer's balance. Null in attempts from before we stored it. */
    due: pence(),
    openedAt: instant().notNull(),
    /** The deadline for starting it, and then for paying it. */
    expiresAt: instant().notNull(),
    /** When we first asked Stripe for it. */
    startedAt: instant(),
    closedAt: instant(),
    outcome: text({ enum: upgradeOutcomes }),
  },
  (table) => [
    uniqueIndex('tier_upgrades_one_open').on(table.customerId).where(sql.raw('"closedAt" is null')),
    index('tier_upgrades_expiry').on(table.expiresAt).where(sql.raw('"closedAt" is null')),
  ],
)

/** The member's copy of each cancellation: the email word for word, with its billing-clock time. */
export const cancellations = sqliteTable(
  'cancellations',
  {
    id: id(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    cause: text().notNull().unique(),
    cancelledAt: instant().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
  },
  (table) => [index('cancellations_customer').on(table.customerId, table.cancelledAt)],
)
