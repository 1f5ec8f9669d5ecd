import { sql } from 'drizzle-orm'
import { check, index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { renewalNoticeKinds } from '#shared/rules/renewal-notices.ts'
import { day, id, instant, oneOf, pence } from './columns.ts'
import { customers } from './customers.ts'
import { subscriptions } from './subscriptions.ts'

/** What members were told before a payment, and as a period began: their copy, word for word. Times use the billing clock. */
export const renewalNotices = sqliteTable(
  'renewal_notices',
  {
    id: id(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    subscriptionId: text()
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'restrict' }),
    kind: text({ enum: renewalNoticeKinds }).notNull(),
    /** The day of the payment it's about. */
    renewsOn: day().notNull(),
    /** Pence including VAT, as promised: what's taken that day. */
    amount: pence().notNull(),
    /** Of its email in the outbox. */
    cause: text().notNull().unique(),
    toldAt: instant().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
  },
  (table) => [
    uniqueIndex('renewal_notices_once').on(table.subscriptionId, table.kind, table.renewsOn),
    index('renewal_notices_day').on(table.renewsOn),
    index('renewal_notices_customer').on(table.customerId, table.toldAt),
    check('renewal_notices_kind', sql.raw(oneOf('kind', renewalNoticeKinds))),
  ],
)
