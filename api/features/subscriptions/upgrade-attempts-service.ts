import { and, desc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { subscriptions, tierUpgrades, type upgradeOutcomes } from '#api/db/schema/subscriptions.ts'
import { closeInvoice } from '#api/stripe/invoices.ts'
import { readUpgrade } from '#api/stripe/upgrades.ts'

/** How long a quoted price is valid, and how long we wait for a started payment. */
const minutesOpen = 10

export type Upgrade = typeof tierUpgrades.$inferSelect
export type UpgradeOutcome = (typeof upgradeOutcomes)[number]

type NewUpgrade = Omit<Upgrade, 'id' | 'openedAt' | 'expiresAt' | 'startedAt' | 'closedAt' | 'outcome'>

const expiryFrom = (ctx: Context) => new Date(ctx.billingNow().getTime() + minutesOpen * 60_000).toISOString()

const openOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select()
    .from(tierUpgrades)
    .where(and(eq(tierUpgrades.customerId, customerId), isNull(tierUpgrades.closedAt))),
)

const upgradeById = preparedQuery<{ id: string; customerId: string }>()((db, { id, customerId }) =>
  db
    .select()
    .from(tierUpgrades)
    .where(and(eq(tierUpgrades.id, id), eq(tierUpgrades.customerId, customerId))),
)

/** Checks the customer, because the id comes from a browser. */
export const findUpgrade = (ctx: Context, id: string, customerId: string): Upgrade | undefined =>
  upgradeById.get(ctx, { id, customerId })

const lastStartedOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select()
    .from(tierUpgrades)
    .where(and(eq(tierUpgrades.customerId, customerId), isNotNull(tierUpgrades.startedAt)))
    .orderBy(desc(tierUpgrades.startedAt))
    .limit(1),
)

export const findLastStarted = (ctx: Context, customerId: string): Upgrade | undefined =>
  lastStartedOfCustomer.get(ctx, { customerId })

/** Stores the quote. Replaces an open one that was never started. */
export function openUpgrade(ctx: Context, upgrade: NewUpgrade): Pick<Upgrade, 'id' | 'expiresAt'> {
  const opened = { id: ctx.newId(), openedAt: ctx.billingNow().toISOString(), expiresAt: expiryFrom(ctx) }
  return transact(ctx, () => {
    const before = openOfCustomer.get(ctx, { customerId: upgrade.customerId })
    if (before !== undefined) closeUpgrade(ctx, before.id, 'dropped')
    insertRow(ctx, tierUpgrades, { ...upgrade, ...opened })
    return opened
  })
}

const start = preparedQuery<{ id: string; startedAt: string; expiresAt: string }>()(
  (db, { id, startedAt, expiresAt }) =>
    db
      .update(tierUpgrades)
      .set({ startedAt, expiresAt })
      .where(and(eq(tierUpgrades.id, id), isNull(tierUpgrades.closedAt))),
)

/** Call it before the provider. From now on there may be something to void there. */
export function recordStart(ctx: Context, { id }: Upgrade): void {
  start.run(ctx, { id, startedAt: ctx.billingNow().toISOString(), expiresAt: expiryFrom(ctx) })
}

const close = preparedQuery<{ id: string; closedAt: string; outcome: UpgradeOutcome }>()(
  (db, { id, closedAt, outcome }) =>
    db
      .update(tierUpgrades)
      .set({ closedAt, outcome })
      .where(and(eq(tierUpgrades.id, id), isNull(tierUpgrades.closedAt))),
)

export function closeUpgrade(ctx: Context, id: string, outcome: UpgradeOutcome): void {
  close.run(ctx, { id, closedAt: ctx.billingNow().toISOString(), outcome })
}

export const isExpired = (ctx: Context, { expiresAt }: Upgrade) => expiresAt <= ctx.billingNow().toISOString()

/** Voiding the invoice makes the provider discard the change. Returns the outcome; null while processing. Safe to repeat. */
export async function endUpgrade(
  ctx: Context,
  upgrade: Upgrade,
  outcome: UpgradeOutcome,
): Promise<UpgradeOutcome | null> {
  const ended = upgrade.startedAt === null ? outcome : await endStarted(ctx, upgrade, outcome)
  if (ended !== null) closeUpgrade(ctx, upgrade.id, ended)
  return ended
}

async function endStarted(ctx: Context, upgrade: Upgrade, outcome: UpgradeOutcome): Promise<UpgradeOutcome | null> {
  const state = await readUpgrade(ctx, { subscription: upgrade.stripeSubscriptionId, price: upgrade.priceId })
  if (state.status !== 'waiting') return state.status === 'upgraded' ? 'upgraded' : outcome
  if (state.isTaken) return null
  return (await closeInvoice(ctx, state.invoice)) ? outcome : 'upgraded'
}

/** Ends an upgrade the customer started and didn't finish, so that something else can change the subscription. */
export async function dropUpgrade(ctx: Context, customerId: string): Promise<void> {
  const open = openOfCustomer.get(ctx, { customerId })
  if (open !== undefined) await endUpgrade(ctx, open, 'dropped')
}

const priceOfSubscription = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ price: subscriptions.stripePriceId }).from(subscriptions).where(eq(subscriptions.id, id)),
)

/** Closes a started upgrade that the last sync shows as paid, and ends an expired one. True if it called the provider. */
export async function settleUpgrade(ctx: Context, customerId: string): Promise<boolean> {
  const open = openOfCustomer.get(ctx, { customerId })
  if (open === undefined || open.startedAt === null) return false
  const isPaid = priceOfSubscription.get(ctx, { id: open.stripeSubscriptionId })?.price === open.priceId
  if (isPaid) closeUpgrade(ctx, open.id, 'upgraded')
  if (isPaid || !isExpired(ctx, open)) return false
  return (await endUpgrade(ctx, open, 'expired')) !== null
}

const expiredBefore = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .select({ upgrade: tierUpgrades, stripeCustomerId: customers.stripeCustomerId })
    .from(tierUpgrades)
    .innerJoin(customers, eq(customers.id, tierUpgrades.customerId))
    .where(and(isNull(tierUpgrades.closedAt), lte(tierUpgrades.expiresAt, now))),
)

export const listExpiredUpgrades = (ctx: Context) => expiredBefore.all(ctx, { now: ctx.billingNow().toISOString() })
