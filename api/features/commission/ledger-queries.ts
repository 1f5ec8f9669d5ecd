import type { Context } from '#api/context.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import type { LedgerLine } from '#shared/rules/commission.ts'

/** A line as it is stored; times and days are text, amounts signed pence. */
export type StoredLine = Omit<LedgerLine, 'isSettlement'> & {
  customerId: string | null
  invoiceId: string | null
  manualCommissionId: string | null
  providerRefundId: string | null
  month: string
  paymentMonth: string
  tierSlug: TierSlug | null
  net: number
  rate: number | null
  createdAt: string
  isSettlement: 0 | 1
}
export type Line = Omit<StoredLine, 'isSettlement'> & { isSettlement: boolean }

/** A legal invoice, the first of its payment, that has no line yet. */
type UnlinedInvoice = { id: string; taxPoint: string; tierSlug: TierSlug; net: number }

/** A refund of a payment that has a line, and that line. */
type RefundRow = {
  refundId: string
  amount: number
  created: string
  lineId: string
  gross: number
  vat: number
  /** What went back before, of refunds that were clawed back. */
  refundedBefore: number
}

const columns = `id, kind, customerId, invoiceId, manualCommissionId, reverses, providerRefundId, month, paymentMonth,
  tierSlug, net, rate, amount, dueOn, createdAt, isSettlement`
const values = columns.replaceAll(/\w+/g, '@$&')

/** The first legal invoice of the refunded payment, and its line. */
const lineOfRefund = `join invoices on invoices.providerInvoiceId = refund.providerInvoiceId and invoices.replacesId is null
  join commission_ledger line on line.invoiceId = invoices.id and line.kind = 'invoice'`

function prepareLines({ sqlite }: Context) {
  return {
    append: sqlite.prepare<[StoredLine]>(`insert into commission_ledger (${columns}) values (${values})`),
    line: sqlite.prepare<[string], StoredLine>(`select ${columns} from commission_ledger where id = ?`),
    ofMonth: sqlite.prepare<[string, string], StoredLine>(
      `select ${columns} from commission_ledger where customerId = ? and paymentMonth = ? order by createdAt, id`,
    ),
    ofUpsell: sqlite.prepare<[string], StoredLine>(
      `select ${columns} from commission_ledger where manualCommissionId = ? order by createdAt, id`,
    ),
    unlined: sqlite.prepare<[string], UnlinedInvoice>(
      `select id, taxPoint, tierSlug, net from invoices where customerId = ? and replacesId is null
         and tierSlug is not null and net > 0 and not exists (
           select 1 from commission_ledger where invoiceId = invoices.id and kind = 'invoice')
       order by sequence`,
    ),
    rate: sqlite.prepare<[string, string], { rate: number }>(
      'select rate from commission_rates where tierSlug = ? and validFrom <= ? order by validFrom desc limit 1',
    ),
  }
}

function prepareRefunds({ sqlite }: Context) {
  return {
    refunds: sqlite.prepare<[string], { id: string }>(
      `select refund.id from provider_refunds refund ${lineOfRefund}
       where refund.customerId = ? and refund.status = 'succeeded' and not exists (
         select 1 from commission_ledger where providerRefundId = refund.id and kind = 'clawback')
       order by refund.created, refund.id`,
    ),
    refund: sqlite.prepare<[string], RefundRow>(
      `select refund.id as refundId, refund.amount, refund.created, line.id as lineId, invoices.gross, invoices.vat,
         (select coalesce(sum(earlier.amount), 0) from provider_refunds earlier
          where earlier.providerInvoiceId = refund.providerInvoiceId and earlier.status = 'succeeded' and exists (
            select 1 from commission_ledger where providerRefundId = earlier.id and kind = 'clawback')) as refundedBefore
       from provider_refunds refund ${lineOfRefund} where refund.id = ?`,
    ),
    /** Clawed back, and not taken back, for a refund that failed after all. */
    failed: sqlite.prepare<[string], StoredLine>(
      `select ${columns.replaceAll(/\w+/g, 'line.$&')} from provider_refunds refund
       join commission_ledger line on line.providerRefundId = refund.id and line.kind = 'clawback'
       where refund.customerId = ? and refund.status in ('failed', 'canceled')
         and not exists (select 1 from commission_ledger reversal where reversal.reverses = line.id and reversal.isSettlement = 0)`,
    ),
  }
}

const prepare = (ctx: Context) => ({ ...prepareLines(ctx), ...prepareRefunds(ctx) })

const kept = new WeakMap<Context, ReturnType<typeof prepare>>()
export function ledgerStatements(ctx: Context) {
  const found = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, found)
  return found
}

export const toLine = (row: StoredLine): Line => ({ ...row, isSettlement: row.isSettlement === 1 })
