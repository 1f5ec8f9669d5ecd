import type { Sqlite } from '#api/db/open.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, checked, failed, listed, ok, warning } from './check.ts'

/** Whether the books are whole: numbers without a gap, a legal invoice for each payment, a commission for each that owes one. */
export function checkBooks(sqlite: Sqlite): Check[] {
  return [
    checked('document numbers', () => unbrokenSeries(sqlite)),
    checked('VAT invoices', () => paymentsWithoutInvoice(sqlite)),
    checked('commission', () => invoicesWithoutCommission(sqlite)),
  ]
}

const series = [
  { table: 'invoices', name: 'invoice' },
  { table: 'credit_notes', name: 'credit note' },
] as const

function unbrokenSeries(sqlite: Sqlite): Check {
  const broken = series.filter(({ table }) => {
    const row = sqlite
      .prepare<[], { count: number; last: number }>(
        `select count(*) as count, coalesce(max(sequence), 0) as last from ${table}`,
      )
      .get()
    return row?.count !== row?.last
  })
  if (broken.length === 0) return ok('document numbers', 'Both series run without a gap.')
  return failed(
    'document numbers',
    `A number is missing in the series of each ${listed(broken.map((one) => one.name))}.`,
  )
}

function paymentsWithoutInvoice(sqlite: Sqlite): Check {
  const missing = sqlite
    .prepare<[], { id: string }>(
      `select id from provider_invoices where status = 'paid' and amountPaid > 0
         and not exists (select 1 from invoices where invoices.providerInvoiceId = provider_invoices.id) order by created`,
    )
    .all()
    .map(({ id }) => id)
  if (missing.length > 0) {
    const says = `${plural(missing.length, 'payment has', 'payments have')} none: ${listed(missing)}. \`invoices fix\` makes it.`
    return warning('VAT invoices', says)
  }
  // Of a removed member nobody can give it any more, and what was taken back whole is put right by nobody.
  const flagged = sqlite
    .prepare<[], { number: string }>(
      `select number from invoices join customers on customers.id = customerId
       where isMissingAddress = 1 and removedAt is null
         and gross > (select coalesce(sum(gross), 0) from credit_notes where invoiceId = invoices.id)
         and not exists (select 1 from invoices newer where newer.replacesId = invoices.id) order by sequence`,
    )
    .all()
    .map(({ number }) => number)
  if (flagged.length === 0) return ok('VAT invoices', 'Every payment has its own.')
  return warning('VAT invoices', `Without the customer’s address: ${listed(flagged)}.`)
}

function invoicesWithoutCommission(sqlite: Sqlite): Check {
  const missing = sqlite
    .prepare<[], { number: string }>(
      `select number from invoices where tierSlug is not null and replacesId is null
         and not exists (
           select 1 from commission_ledger where commission_ledger.invoiceId = invoices.id and kind = 'invoice')
       order by sequence`,
    )
    .all()
    .map(({ number }) => number)
  if (missing.length === 0) return ok('commission', 'Every membership invoice is in the ledger.')
  return warning('commission', `${plural(missing.length, 'invoice')} without a line in the ledger: ${listed(missing)}.`)
}
