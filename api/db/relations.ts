import { relations } from 'drizzle-orm'
import { commissionLedger, manualCommissions } from './schema/commission.ts'
import { customers } from './schema/customers.ts'
import { creditNotes, invoices } from './schema/invoices.ts'
import { quotientOrders } from './schema/orders.ts'
import { addresses, users } from './schema/people.ts'
import { paymentMethods, providerInvoices, providerRefunds } from './schema/provider.ts'
import { subscriptions } from './schema/subscriptions.ts'
import { memberVideos, videoProgress } from './schema/videos.ts'

/* Which rows belong together. `relational(db).query.<table>.findMany({ with: … })` reads rows with their relations in one
   statement. */

export const userRelations = relations(users, ({ one, many }) => ({
  address: one(addresses, { fields: [users.id], references: [addresses.userId] }),
  customer: one(customers, { fields: [users.id], references: [customers.userId], relationName: 'buyer' }),
  /** Deleted at Stripe. What was paid through them is still this person's. */
  formerCustomers: many(customers, { relationName: 'formerOwner' }),
  progress: many(videoProgress),
}))

export const customerRelations = relations(customers, ({ one, many }) => ({
  user: one(users, { fields: [customers.userId], references: [users.id], relationName: 'buyer' }),
  formerUser: one(users, { fields: [customers.formerUserId], references: [users.id], relationName: 'formerOwner' }),
  subscriptions: many(subscriptions),
  paymentMethod: one(paymentMethods, { fields: [customers.id], references: [paymentMethods.customerId] }),
  providerInvoices: many(providerInvoices),
  invoices: many(invoices),
}))

export const subscriptionRelations = relations(subscriptions, ({ one, many }) => ({
  customer: one(customers, { fields: [subscriptions.customerId], references: [customers.id] }),
  providerInvoices: many(providerInvoices),
}))

export const providerInvoiceRelations = relations(providerInvoices, ({ one, many }) => ({
  customer: one(customers, { fields: [providerInvoices.customerId], references: [customers.id] }),
  subscription: one(subscriptions, { fields: [providerInvoices.subscriptionId], references: [subscriptions.id] }),
  order: one(quotientOrders, { fields: [providerInvoices.quotientOrderId], references: [quotientOrders.id] }),
  refunds: many(providerRefunds),
  /** Our own invoices: the first one issued and any that replaced it. */
  invoices: many(invoices),
}))

export const providerRefundRelations = relations(providerRefunds, ({ one }) => ({
  providerInvoice: one(providerInvoices, {
    fields: [providerRefunds.providerInvoiceId],
    references: [providerInvoices.id],
  }),
  creditNote: one(creditNotes, { fields: [providerRefunds.id], references: [creditNotes.providerRefundId] }),
}))

export const invoiceRelations = relations(invoices, ({ one, many }) => ({
  customer: one(customers, { fields: [invoices.customerId], references: [customers.id] }),
  payment: one(providerInvoices, { fields: [invoices.providerInvoiceId], references: [providerInvoices.id] }),
  replaces: one(invoices, { fields: [invoices.replacesId], references: [invoices.id], relationName: 'replacement' }),
  replacedBy: many(invoices, { relationName: 'replacement' }),
  creditNotes: many(creditNotes),
}))

export const creditNoteRelations = relations(creditNotes, ({ one }) => ({
  invoice: one(invoices, { fields: [creditNotes.invoiceId], references: [invoices.id] }),
}))

export const commissionRelations = relations(commissionLedger, ({ one }) => ({
  customer: one(customers, { fields: [commissionLedger.customerId], references: [customers.id] }),
  invoice: one(invoices, { fields: [commissionLedger.invoiceId], references: [invoices.id] }),
  upsell: one(manualCommissions, {
    fields: [commissionLedger.manualCommissionId],
    references: [manualCommissions.id],
  }),
}))

export const progressRelations = relations(videoProgress, ({ one }) => ({
  user: one(users, { fields: [videoProgress.userId], references: [users.id] }),
  video: one(memberVideos, { fields: [videoProgress.videoId], references: [memberVideos.id] }),
}))
