/** What comes in, what’s owed, and the books. */
export const moneyCommands = [
  {
    name: 'mrr',
    description: 'Show MRR, its movements and the commission forecast',
    load: async () => (await import('./commands/mrr/mrr.ts')).registerMrr,
  },
  {
    name: 'earned',
    description: 'Show what’s left of what you took, by month, quarter or tax year',
    load: async () => (await import('./commands/earned.ts')).registerEarned,
  },
  {
    name: 'churn',
    description: 'Show members and revenue lost, month by month',
    load: async () => (await import('./commands/churn.ts')).registerChurn,
  },
  {
    name: 'payments',
    description: 'List payments: paid, due and refunded',
    load: async () => (await import('./commands/payments.ts')).registerPayments,
  },
  {
    name: 'payouts',
    description: 'List Stripe payouts to your bank, and what’s in each',
    load: async () => (await import('./commands/payouts.ts')).registerPayouts,
  },
  {
    name: 'invoices',
    description: 'List, check, fix and export VAT invoices',
    load: async () => (await import('./commands/invoices/invoices.ts')).registerInvoices,
  },
  {
    name: 'vat',
    description: 'Show the boxes of a VAT return',
    load: async () => (await import('./commands/vat.ts')).registerVat,
  },
  {
    name: 'commission',
    description: 'Show and pay the sales partner’s commission',
    load: async () => (await import('./commands/commission/commission.ts')).registerCommission,
  },
  {
    name: 'export',
    description: 'Export the books for your accountant, Xero or QuickBooks, or all your data',
    load: async () => (await import('./commands/export.ts')).registerExport,
  },
  {
    name: 'tiers',
    description: 'Show and change tiers and their prices',
    load: async () => (await import('./commands/tiers/tiers.ts')).registerTiers,
  },
]
