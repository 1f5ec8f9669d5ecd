import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { id, instant, oneOfOrNull, pence } from './columns.ts'
import { subscriptions } from './subscriptions.ts'
import { priceReference, tierReference } from './tiers.ts'

/** `refused`: we couldn't deliver the notice, so the old price stays. */
export const priceMoveOutcomes = ['moved', 'cancelled', 'tier_changed', 'refused'] as const

/** A member who was told of their tier's new price. Open until they pay it or it's called off. Times use the billing clock. */
export const priceMoves = sqliteTable(
  'price_moves',
  {
    id: id(),
    subscriptionId: text()
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'restrict' }),
    tierSlug: tierReference().notNull(),
    /** The price they pay by. Its period is the move's. */
    tierPriceId: priceReference(),
    /** Pence of the whole period, excluding VAT. */
    fromNet: pence().notNull(),
    toNet: pence().notNull(),
    stripePriceId: text().notNull(),
    toldAt: instant().notNull(),
    /** The renewal named in the notice. */
    movesAt: instant().notNull(),
    /** How many notices were written. If one went out late, another follows with a later date. */
    notices: integer().notNull().default(1),
    closedAt: instant(),
    outcome: text({ enum: priceMoveOutcomes }),
  },
  (table) => [
    uniqueIndex('price_moves_one_open').on(table.subscriptionId).where(sql.raw('"closedAt" is null')),
    index('price_moves_due').on(table.movesAt).where(sql.raw('"closedAt" is null')),
    check('price_moves_outcome', sql.raw(oneOfOrNull('outcome', priceMoveOutcomes))),
  ],
)
