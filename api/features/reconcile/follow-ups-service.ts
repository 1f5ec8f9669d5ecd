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

/**
 * What follows from a customer's rows, in the transaction that wrote them. Each step looks at rows alone and does what is
 * missing, so that news that comes twice, late or in another order ends the same. The order is that of dependence.
 */
export function runFollowUps(ctx: Context, customer: Customer, { isFix = false } = {}): void {
  closeSettledAttempts(ctx, customer.userId)
  if (customer.userId !== null) refreshMembershipColumns(ctx, customer.userId)
  recordRevenueChanges(ctx, customer)
  completeOrders(ctx, customer)
  issueInvoices(ctx, customer, isFix)
  issueCreditNotes(ctx, customer)
  reissueAfterFailedRefunds(ctx, customer)
  writeLedger(ctx, customer)
  queueBillingMails(ctx, customer)
}
