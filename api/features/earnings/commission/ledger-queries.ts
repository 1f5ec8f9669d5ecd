import { and, asc, desc, eq, exists, getTableColumns, gt, isNotNull, lte, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isOneOf } from '#api/db/expressions.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { commissionLedger, commissionRates } from '#api/db/schema/commission.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { ownerAddresses } from '#api/db/schema/people.ts'
import { providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { isFirstOfPayment, isNewest } from '#api/features/invoices/queries.ts'
import type { TierSlug } from '#shared/contract/tier.ts'

/** Amounts are signed pence. */
export type Line = typeof commissionLedger.$inferSelect

export const lineById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(commissionLedger).where(eq(commissionLedger.id, id)),
)

/** All lines about a customer's payments in a month, whichever statements carry them. */
export const linesOfMonth = preparedQuery<{ customerId: string; paymentMonth: string }>()(
  (db, { customerId, paymentMonth }) =>
    db
      .select()
      .from(commissionLedger)
      .where(and(eq(commissionLedger.customerId, customerId), eq(commissionLedger.paymentMonth, paymentMonth)))
      .orderBy(asc(commissionLedger.createdAt), asc(commissionLedger.id)),
)

export const linesOfUpsell = preparedQuery<{ manualCommissionId: string }>()((db, { manualCommissionId }) =>
  db
    .select()
    .from(commissionLedger)
    .where(eq(commissionLedger.manualCommissionId, manualCommissionId))
    .orderBy(asc(commissionLedger.createdAt), asc(commissionLedger.id)),
)

/** The tier's newest rate that had started by that day. */
export const rateOnDay = preparedQuery<{ tierSlug: TierSlug | null; day: string }>()((db, { tierSlug, day }) =>
  db
    .select({ rate: commissionRates.rate })
    .from(commissionRates)
    .where(and(eq(commissionRates.tierSlug, tierSlug), lte(commissionRates.validFrom, day)))
    .orderBy(desc(commissionRates.validFrom))
    .limit(1),
)

const earned = alias(commissionLedger, 'earned')
const clawBack = alias(commissionLedger, 'claw_back')
const reversal = alias(commissionLedger, 'reversal')

export const isWithoutLine = sql`not exists (
  select 1 from ${commissionLedger} ${earned} where ${earned.invoiceId} = ${invoices.id} and ${isOneOf(earned.kind, 'invoice')})`

/** The first legal invoice of each tier payment that has no line yet. */
export const invoicesWithoutLine = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({
      id: invoices.id,
      taxPoint: invoices.taxPoint,
      tierSlug: invoices.tierSlug,
      net: invoices.net,
      lines: invoices.lines,
    })
    .from(invoices)
    .where(
      and(
        eq(invoices.customerId, customerId),
        isFirstOfPayment,
        isNotNull(invoices.tierSlug),
        gt(invoices.net, 0),
        isWithoutLine,
      ),
    )
    .orderBy(asc(invoices.sequence)),
)

const first = alias(invoices, 'first')

/** The newest of invoices issued again, or that goodwill then paid whole, each with the line that its payment's first invoice earned. */
export const reissuedWithLine = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({
      lineId: earned.id,
      payment: providerInvoices.id,
      paid: providerInvoices.total,
      net: invoices.net,
      vat: invoices.vat,
      gross: invoices.gross,
      lines: invoices.lines,
    })
    .from(invoices)
    .innerJoin(providerInvoices, eq(providerInvoices.id, invoices.providerInvoiceId))
    .innerJoin(first, and(eq(first.providerInvoiceId, invoices.providerInvoiceId), sql`+${first.replacesId} is null`))
    .innerJoin(earned, and(eq(earned.invoiceId, first.id), isOneOf(earned.kind, 'invoice')))
    .where(
      and(
        eq(invoices.customerId, unplanned(customerId)),
        or(isNotNull(invoices.replacesId), eq(providerInvoices.total, 0)),
        isNewest,
      ),
    ),
)

/** Joins a refund to the first legal invoice of its payment, and that to its line. */
const invoiceOfRefund = and(eq(invoices.providerInvoiceId, providerRefunds.providerInvoiceId), isFirstOfPayment)
const lineOfInvoice = and(eq(earned.invoiceId, invoices.id), isOneOf(earned.kind, 'invoice'))

const clawBackOfRefund = and(eq(clawBack.providerRefundId, providerRefunds.id), isOneOf(clawBack.kind, 'clawback'))

/** Oldest first, for payments that have a line. */
export const refundsWithoutClawBack = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ id: providerRefunds.id })
    .from(providerRefunds)
    .innerJoin(invoices, invoiceOfRefund)
    .innerJoin(earned, lineOfInvoice)
    .where(
      and(
        eq(providerRefunds.customerId, unplanned(customerId)),
        isOneOf(providerRefunds.status, 'succeeded'),
        or(
          eq(providerRefunds.waitsForFix, false),
          exists(
            db
              .select({ id: creditNotes.id })
              .from(creditNotes)
              .where(eq(creditNotes.providerRefundId, providerRefunds.id)),
          ),
        ),
        notExists(db.select({ id: clawBack.id }).from(clawBack).where(clawBackOfRefund)),
      ),
    )
    .orderBy(asc(providerRefunds.created), asc(providerRefunds.id)),
)

/** A payment's refunds that were clawed back, oldest first. */
export const clawedRefunds = preparedQuery<{ providerInvoiceId: string }>()((db, { providerInvoiceId }) =>
  db
    .select({ amount: providerRefunds.amount, lines: providerRefunds.lines })
    .from(providerRefunds)
    .innerJoin(clawBack, clawBackOfRefund)
    .where(and(eq(providerRefunds.providerInvoiceId, providerInvoiceId), isOneOf(providerRefunds.status, 'succeeded')))
    .orderBy(asc(providerRefunds.created), asc(providerRefunds.id)),
)

export const refundById = preparedQuery<{ refundId: string }>()((db, { refundId }) =>
  db
    .select({
      amount: providerRefunds.amount,
      created: providerRefunds.created,
      lineId: earned.id,
      providerInvoiceId: providerRefunds.providerInvoiceId,
      lines: providerRefunds.lines,
      net: invoices.net,
      vat: invoices.vat,
      gross: invoices.gross,
    })
    .from(providerRefunds)
    .innerJoin(invoices, invoiceOfRefund)
    .innerJoin(earned, lineOfInvoice)
    .where(eq(providerRefunds.id, unplanned(refundId))),
)

export const clawBacksOfFailedRefunds = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select(getTableColumns(clawBack))
    .from(providerRefunds)
    .innerJoin(clawBack, clawBackOfRefund)
    .where(
      and(
        eq(providerRefunds.customerId, unplanned(customerId)),
        isOneOf(providerRefunds.status, 'failed', 'canceled'),
        notExists(
          db
            .select({ id: reversal.id })
            .from(reversal)
            .where(and(eq(reversal.reverses, clawBack.id), eq(reversal.isSettlement, false))),
        ),
      ),
    ),
)

const settlement = alias(commissionLedger, 'settlement')
const taker = alias(commissionLedger, 'taker')
const root = alias(commissionLedger, 'root')

const isReversed = (line: typeof settlement | typeof root) => sql`exists (
  select 1 from ${commissionLedger} ${taker} where ${taker.reverses} = ${line.id} and ${isOneOf(taker.kind, 'reversal')})`

/** The line's commission, from an invoice or up-sell, was deleted. */
const isOfDeleted = or(
  sql`exists (select 1 from ${commissionLedger} ${root}
    where ${root.invoiceId} = ${reversal.invoiceId} and ${isOneOf(root.kind, 'invoice')} and ${isReversed(root)})`,
  sql`exists (select 1 from ${commissionLedger} ${root}
    where ${root.manualCommissionId} = ${reversal.manualCommissionId} and ${isOneOf(root.kind, 'upsell')} and ${isReversed(root)})`,
)

/** A line's payments that weren't reversed, as a negative share of what the partner earned. */
const paymentsOf = (line: typeof earned | typeof reversal) => sql`(
  select coalesce(sum(${settlement.amount}), 0) from ${commissionLedger} ${settlement}
  where ${settlement.reverses} = ${line.id} and ${isOneOf(settlement.kind, 'payment')} and not ${isReversed(settlement)})`

const openAmount = sql`(${reversal.amount} + ${paymentsOf(reversal)})`

/** Reversals of paid commissions, with what's still `open`: first what we owe the partner, then what they owe us. */
export const owedBackLines = preparedQuery()((db) =>
  db
    .select({ ...getTableColumns(reversal), open: openAmount.mapWith(Number) })
    .from(reversal)
    .innerJoin(earned, eq(earned.id, reversal.reverses))
    .where(
      and(
        isOneOf(reversal.kind, 'reversal'),
        eq(reversal.isSettlement, false),
        isOfDeleted,
        sql`${paymentsOf(earned)} <> 0`,
        sql`${openAmount} <> 0`,
      ),
    )
    .orderBy(sql`${openAmount} < 0`, asc(reversal.id)),
)

/** Payments at that instant which settle a reversal: what was deducted from the payout. */
export const deductionsAt = preparedQuery<{ createdAt: string }>()((db, { createdAt }) =>
  db
    .select(getTableColumns(settlement))
    .from(settlement)
    .innerJoin(reversal, eq(reversal.id, settlement.reverses))
    .where(
      and(
        eq(settlement.createdAt, createdAt),
        isOneOf(settlement.kind, 'payment'),
        isOneOf(reversal.kind, 'reversal'),
        sql`not ${isReversed(settlement)}`,
      ),
    ),
)

/** The owners' own accounts, which no list shows. */
export const ownerIds = sql`(select ${ownerAddresses.userId} from ${ownerAddresses}
  where ${and(isOneOf(ownerAddresses.role, 'owner'), isNotNull(ownerAddresses.userId))})`
