import { type RowGroup, registerGroups } from '#cli/rows.ts'

/** Everyday commands don't load the code that credits. */
export const invoiceGroups: readonly RowGroup[] = [
  {
    names: ['list', 'fix', 'delete-drafts', 'delete', 'export'],
    load: async () => (await import('./list.ts')).invoiceListRows,
  },
  { names: ['show', 'pdf', 'lint', 'credit'], load: async () => (await import('./documents.ts')).invoiceDocumentRows },
  { names: ['credits', 'name-credit'], load: async () => (await import('./credits.ts')).invoiceCreditRows },
  { names: ['numbers', 'skip'], load: async () => (await import('./numbers.ts')).invoiceNumberRows },
]

export const registerInvoices = registerGroups(invoiceGroups)
