import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { BillingAddress } from '#shared/contract/billing.ts'
import {
  quotientManufacturers,
  quotientOrderStatuses,
  quotientTrades,
  vatRegistrations,
} from '#shared/contract/quotient.ts'
import { quotientPackages } from '#shared/values/column-values.ts'
import { day, id, instant, json, oneOf, oneOfOrNull, pence, personLine, requiredFlag } from './columns.ts'
import { customers } from './customers.ts'
import { termsVersions } from './terms.ts'

/** Orders of the quoting-system set-up, bought without an account. Amounts are pence. */
export const quotientOrders = sqliteTable(
  'quotient_orders',
  {
    id: id(),
    packageType: text({ enum: quotientPackages }).notNull().default('professional'),
    firstName: personLine().notNull(),
    lastName: personLine().notNull(),
    email: text().notNull(),
    phone: text(),
    businessName: personLine().notNull(),
    tradeType: text({ enum: quotientTrades }),
    preferredManufacturer: text({ enum: quotientManufacturers }),
    warrantyBoostPrice: text(),
    cheapestCarePlanPrice: text(),
    generalHourlyRate: text(),
    generalInstallRate: text(),
    generalDayRate: text(),
    vatRegistered: text({ enum: vatRegistrations }),
    additionalRequirements: text(),
    agreeToTerms: requiredFlag(),
    termsVersion: text().references(() => termsVersions.version, { onDelete: 'restrict' }),
    net: pence().notNull(),
    vat: pence().notNull(),
    total: pence().notNull(),
    address: json<BillingAddress>(),
    customerId: text().references(() => customers.id, { onDelete: 'restrict' }),
    /** Stripe's invoice id, in_…. */
    stripeInvoiceId: text().unique(),
    status: text({ enum: quotientOrderStatuses }).notNull().default('pending'),
    createdAt: instant().notNull(),
    paidAt: instant(),
    /** The day the system was set up. Null if it's still to do. */
    setUpOn: day(),
    version: integer().notNull().default(1),
  },
  (table) => [
    index('quotient_orders_customer').on(table.customerId),
    check('quotient_orders_package', sql.raw(oneOf('packageType', quotientPackages))),
    check('quotient_orders_vat', sql.raw(oneOfOrNull('vatRegistered', vatRegistrations))),
    check('quotient_orders_status', sql.raw(oneOf('status', quotientOrderStatuses))),
    check('quotient_orders_trade', sql.raw(oneOfOrNull('tradeType', quotientTrades))),
    check('quotient_orders_maker', sql.raw(oneOfOrNull('preferredManufacturer', quotientManufacturers))),
  ],
)
