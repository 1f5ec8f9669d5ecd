import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { checkedJson, flag, id, instant, oneOf, pence } from './columns.ts'
import { customers } from './customers.ts'
import { users } from './people.ts'
import { termsVersions } from './terms.ts'

/** Statuses after which a subscription is over: none of them counts as live. */
export const endedStatuses = ['canceled', 'incomplete_expired'] as const

/**
 * What the provider says of a subscription, as of the customer's last sync.
 * `isSettled`: a trial counts only once its set-up has succeeded and a payment method is attached.
 */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    /** The provider's id, sub_…. */
    id: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    status: text({ enum: subscriptionStatuses }).notNull(),
    isSettled: flag(true),
    tierSlug: text({ enum: tierSlugs }).notNull(),
    stripePriceId: text(),
    /** Pence a month excluding VAT, after recurring discounts. */
    monthlyNet: pence().notNull(),
    currentPeriodStart: instant(),
    currentPeriodEnd: instant(),
    trialEnd: instant(),
    cancelAtPeriodEnd: flag(false),
    cancelAt: instant(),
    canceledAt: instant(),
    endedAt: instant(),
    cancellationReason: text(),
    /** The schedule that changes the tier at the period's end. */
    stripeScheduleId: text(),
    nextTierSlug: text({ enum: tierSlugs }),
    nextTierAt: instant(),
    /** What is booked a month, in pence excluding VAT: the tier's price on the day of the choice. */
    nextTierNet: integer(),
    /** The owners gave the next payment for nothing. */
    isNextFree: flag(false),
    /** When the provider created it. */
    created: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('subscriptions_one_live')
      .on(table.customerId)
      .where(sql.raw(`"status" not in ('canceled', 'incomplete_expired')`)),
    index('subscriptions_customer').on(table.customerId, table.created),
    index('subscriptions_created').on(table.created),
    index('subscriptions_revenue').on(table.status, table.tierSlug, table.monthlyNet, table.customerId),
    check('subscriptions_tier', sql.raw(oneOf('tierSlug', tierSlugs))),
    check('subscriptions_status', sql.raw(oneOf('status', subscriptionStatuses))),
  ],
)

/** `delayed`: started by a signed link, first paid on a day to come. */
export const attemptKinds = ['subscription', 'delayed'] as const

const SubscriptionOrder = v.object({
  customer: v.string(),
  price: v.string(),
  taxRate: v.string(),
  metadata: v.record(v.string(), v.string()),
  /** Unix seconds: nothing is charged before. Null where the first payment is due at once. */
  trialEnd: v.optional(v.nullable(v.number()), null),
})

/** Who is charged, as the provider's customer was created, and what is ordered; `order` is null until that is known. */
const AttemptRequest = v.object({
  customer: v.object({ email: v.string(), name: v.string() }),
  order: v.nullable(SubscriptionOrder),
})

/**
 * Written before the provider is called; its id is the idempotency key, and `request` is repeated to the letter after a
 * lost response. One may be open per member.
 */
export const purchaseAttempts = sqliteTable(
  'purchase_attempts',
  {
    id: id(),
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    kind: text({ enum: attemptKinds }).notNull(),
    tierSlug: text({ enum: tierSlugs }).notNull(),
    request: checkedJson(AttemptRequest).notNull(),
    stripeSubscriptionId: text(),
    /** The terms that the membership was bought under. */
    termsVersion: text().references(() => termsVersions.version, { onDelete: 'restrict' }),
    openedAt: instant().notNull(),
    closedAt: instant(),
    outcome: text(),
  },
  (table) => [
    uniqueIndex('purchase_attempts_one_open').on(table.userId).where(sql.raw('"closedAt" is null')),
    index('purchase_attempts_subscription').on(table.stripeSubscriptionId),
    check('purchase_attempts_kind', sql.raw(oneOf('kind', attemptKinds))),
    check('purchase_attempts_tier', sql.raw(oneOf('tierSlug', tierSlugs))),
  ],
)

/** A second live subscription of a customer; open until it is cancelled and all that it charged is refunded. */
export const duplicateSubscriptions = sqliteTable(
  'withdrawals',
  {
    /** The provider's id of the subscription, sub_…. */
    stripeSubscriptionId: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    openedAt: instant().notNull(),
    closedAt: instant(),
  },
  (table) => [index('withdrawals_open').on(table.customerId).where(sql.raw('"closedAt" is null'))],
)

/** The set-up of another card, created before the browser confirms it; open until that card is the one that is charged. */
export const cardChanges = sqliteTable(
  'card_changes',
  {
    /** The provider's id of the set-up, seti_…. */
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

/** `refused`: not paid; `dropped`: replaced, or left by the member; `expired`: never started, or not paid in time. */
export const upgradeOutcomes = ['upgraded', 'refused', 'dropped', 'expired'] as const

/**
 * A dearer tier that starts before the next payment, as it was shown: the provider is asked for just that, and charges just
 * that. One may be open per customer.
 */
export const tierUpgrades = sqliteTable(
  'tier_upgrades',
  {
    id: id(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    stripeSubscriptionId: text().notNull(),
    stripeItemId: text().notNull(),
    fromTierSlug: text({ enum: tierSlugs }),
    tierSlug: text({ enum: tierSlugs }).notNull(),
    fromPriceId: text().notNull(),
    priceId: text().notNull(),
    /** Unix seconds: what is unused is counted from here, in the preview and in the charge. */
    prorationDate: integer().notNull(),
    net: pence().notNull(),
    vat: pence().notNull(),
    total: pence().notNull(),
    openedAt: instant().notNull(),
    /** Until then it may be started, and once it is, be paid. */
    expiresAt: instant().notNull(),
    /** When the provider was first asked for it. */
    startedAt: instant(),
    closedAt: instant(),
    outcome: text({ enum: upgradeOutcomes }),
  },
  (table) => [
    uniqueIndex('tier_upgrades_one_open').on(table.customerId).where(sql.raw('"closedAt" is null')),
    index('tier_upgrades_expiry').on(table.expiresAt).where(sql.raw('"closedAt" is null')),
    check('tier_upgrades_tier', sql.raw(oneOf('tierSlug', tierSlugs))),
  ],
)

/** The member's own copy of each cancellation: what was mailed about it, word for word, with its time by the billing clock. */
export const cancellations = sqliteTable(
  'cancellations',
  {
    id: id(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    /** The mail of which this is the copy. */
    cause: text().notNull().unique(),
    cancelledAt: instant().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
  },
  (table) => [index('cancellations_customer').on(table.customerId, table.cancelledAt)],
)
