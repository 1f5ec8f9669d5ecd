import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { type InvoiceRow, type Payment, particularsOf } from './particulars-rules.ts'

/** A VAT invoice is due within 30 days of the time of supply: regulation 13(5) of the VAT Regulations 1995. */
const daysToIssue = 30

/**
 * Issues the VAT invoice of each payment of the customer that has none yet; to be called in the transaction that wrote the
 * payments. Retroactive is what the owners' tool made (`isFix`), and what comes after the days that the law gives.
 */
export function issueInvoices(ctx: Context, { id }: { id: string }, isFix = false): void {
  const today = londonDay(ctx.billingNow())
  for (const payment of unissuedPayments(ctx, id)) {
    const paidOn = londonDay(new Date(payment.paidAt ?? payment.created))
    issueInvoice(ctx, payment, { isRetroactive: isFix || addDays(paidOn, daysToIssue) < today })
  }
}

function unissuedPayments(ctx: Context, customerId: string): Payment[] {
  const isUnissued = sql`not exists (select 1 from invoices
    where invoices.providerInvoiceId = provider_invoices.id and invoices.replacesId is null)`
  return ctx.db
    .select()
    .from(providerInvoices)
    .where(
      and(
        eq(providerInvoices.customerId, customerId),
        eq(providerInvoices.status, 'paid'),
        gt(providerInvoices.amountPaid, 0),
        isUnissued,
      ),
    )
    .orderBy(asc(providerInvoices.paidAt), asc(providerInvoices.id))
    .all()
}

type Issue = { isRetroactive: boolean; replacesId?: string }

/** The next number is read and taken in one immediate transaction, and the database refuses any other. */
export function issueInvoice(ctx: Context, payment: Payment, { isRetroactive, replacesId }: Issue): InvoiceRow {
  const { sequence, number } = nextInSeries(ctx, 'invoices')
  return ctx.db
    .insert(invoices)
    .values({
      ...particularsOf(ctx, payment),
      ...{ id: ctx.newId(), sequence, number, customerId: payment.customerId, providerInvoiceId: payment.id },
      ...{ isRetroactive, replacesId: replacesId ?? null },
      issuedOn: londonDay(ctx.billingNow()),
      createdAt: ctx.billingNow().toISOString(),
    })
    .returning()
    .get()
}

const prefixes = { invoices: 'A', credit_notes: 'C' }

/** A-000001, A-000002, …; credit notes have a series of their own, C-000001, … */
export function nextInSeries(ctx: Context, series: keyof typeof prefixes): { sequence: number; number: string } {
  const last = ctx.sqlite
    .prepare<[], { sequence: number | null }>(`select max(sequence) as sequence from ${series}`)
    .get()
  const sequence = (last?.sequence ?? 0) + 1
  return { sequence, number: `${prefixes[series]}-${String(sequence).padStart(6, '0')}` }
}
