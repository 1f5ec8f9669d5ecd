import { commissionLedger, manualCommissions } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { membershipTiers, tierPrices } from '#api/db/schema/tiers.ts'
import { madeAt, onlyOut, ownId, person } from './exported-rules.ts'

const pence = (what: string) => `${what}, in pence`

export const moneyFiles = [
  onlyOut({
    name: 'tiers',
    table: membershipTiers,
    about: 'What there is to join.',
    columns: {
      slug: 'short name',
      name: 'name',
      description: 'what it says',
      features: 'what’s in it',
      stripeProductId: 'product at Stripe',
    },
  }),
  onlyOut({
    name: 'tier-prices',
    table: tierPrices,
    about: 'What the tiers cost.',
    columns: {
      tierSlug: 'tier',
      every: 'month or year',
      net: pence('each month or year, without VAT'),
      isOffered: 'whether anyone can choose it',
      stripePriceId: 'price at Stripe',
    },
  }),
  onlyOut({
    name: 'customers',
    table: customers,
    about: 'Who is which customer at Stripe.',
    columns: { id: ownId, userId: person, stripeCustomerId: 'customer at Stripe', createdAt: madeAt },
  }),
  onlyOut({
    name: 'subscriptions',
    table: subscriptions,
    about: 'Subscriptions as Stripe last told us.',
    columns: {
      id: 'subscription at Stripe',
      customerId: 'an id of customers',
      status: 'state',
      tierSlug: 'tier',
      yearlyNet: pence('a year without VAT'),
      currentPeriodStart: 'paid from',
      currentPeriodEnd: 'paid until',
      cancelAtPeriodEnd: 'whether it ends then',
      endedAt: 'when it ended',
      created: madeAt,
    },
  }),
  onlyOut({
    name: 'invoices',
    table: invoices,
    about: 'VAT invoices.',
    columns: {
      id: ownId,
      number: 'number',
      customerId: 'an id of customers',
      taxPoint: 'tax point',
      issuedOn: 'day',
      seller: 'who sold it',
      customer: 'who bought it',
      lines: 'lines, in pence',
      tierSlug: 'tier',
      net: pence('net'),
      vat: pence('VAT'),
      gross: pence('total'),
      replacesId: 'the invoice it replaces',
    },
  }),
  onlyOut({
    name: 'credit-notes',
    table: creditNotes,
    about: 'Credit notes.',
    columns: {
      id: ownId,
      number: 'number',
      invoiceId: 'an id of invoices',
      kind: 'why',
      reason: 'reason as printed',
      net: pence('net'),
      vat: pence('VAT'),
      gross: pence('total'),
      issuedOn: 'day',
    },
  }),
  onlyOut({
    name: 'commission',
    table: commissionLedger,
    about: 'The sales partner’s commission, line by line.',
    columns: {
      id: ownId,
      kind: 'kind of line',
      customerId: 'an id of customers',
      invoiceId: 'an id of invoices',
      reverses: 'the line it cancels',
      month: 'month of the statement',
      paymentMonth: 'month of the payment',
      tierSlug: 'tier',
      net: pence('net'),
      rate: 'per cent',
      amount: pence('commission'),
      dueOn: 'due on',
      createdAt: madeAt,
      isSettlement: 'whether it was paid out',
    },
  }),
  onlyOut({
    name: 'upsells',
    table: manualCommissions,
    about: 'Up-sells.',
    columns: {
      id: ownId,
      description: 'what was sold',
      totalAmount: pence('total'),
      saleDate: 'day',
      commissionAmount: pence('commission'),
      commissionPaidDate: 'when it was paid out',
      createdAt: madeAt,
    },
  }),
]
