import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { refreshMembershipColumns } from '#api/features/access/service.ts'
import { closeSettledAttempts } from '#api/features/billing/purchases/attempts-service.ts'
import { queueBillingMails } from '#api/features/billing-mails/service.ts'
import { writeLedger } from '#api/features/commission/ledger-service.ts'
import { issueCreditNotes } from '#api/features/invoices/credit-note-service.ts'
import { issueInvoices } from '#api/features/invoices/issue-service.ts'
import { reissueAfterFailedRefunds } from '#api/features/invoices/reissue-service.ts'
import { completeOrders } from '#api/features/quotient/completion-service.ts'
import { recordRevenueChanges } from '#api/features/revenue/change-service.ts'
import { settlePriceMoves } from '#api/features/tiers/price-move-state-service.ts'

/**
 * Everything that follows from a customer's rows, in the transaction that wrote them. Each step reads rows alone and adds
 * what is missing, so that webhooks that arrive twice, late or in another order lead to the same rows. The steps depend on
 * those before them.
 */
export function runFollowUps(ctx: Context, customer: Customer, { isFix = false } = {}): void {
  closeSettledAttempts(ctx, customer.userId)
  if (customer.userId !== null) refreshMembershipColumns(ctx, customer.userId)
  settlePriceMoves(ctx, customer)
  recordRevenueChanges(ctx, customer)
  completeOrders(ctx, customer)
  issueInvoices(ctx, customer, isFix)
  issueCreditNotes(ctx, customer)
  reissueAfterFailedRefunds(ctx, customer)
  writeLedger(ctx, customer)
  queueBillingMails(ctx, customer)
}
