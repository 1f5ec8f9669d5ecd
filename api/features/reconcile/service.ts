import { and, eq, lt, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import type { Customer } from '#api/db/customers.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import type { WaitingStart } from '#api/db/schema/next-payment.ts'
import { endEmailUndo } from '#api/features/accounts/login/link-service.ts'
import { queueBillingMails } from '#api/features/billing-mails/service.ts'
import { writeLedger } from '#api/features/earnings/commission/ledger-service.ts'
import { recordRevenueChanges } from '#api/features/earnings/revenue/change-service.ts'
import { issueCreditNotes } from '#api/features/invoices/credit-note-service.ts'
import { issueInvoices } from '#api/features/invoices/issue-service.ts'
import { reissueAfterFailedRefunds } from '#api/features/invoices/reissue-service.ts'
import { completeOrders } from '#api/features/orders/completion-service.ts'
import { noteProviderAddress } from '#api/features/subscriptions/provider-address-service.ts'
import { closeSettledAttempts } from '#api/features/subscriptions/purchase-attempts-service.ts'
import { settlePriceMoves } from '#api/features/tiers/price-move-state-service.ts'
import { refreshMembershipColumns } from '#api/identity/membership-columns.ts'
import { type ProviderState, readCustomer } from '#api/stripe/read-customer.ts'
import { chooseSubscription, recordDuplicate, reportDisputes, reportUnrecognised } from './duplicates-service.ts'
import { type NextPaymentState, readNextPayment, readWaitingStart, writeNextPayment } from './next-payment-service.ts'
import { runPendingActions } from './pending-service.ts'
import { readerOf, writeRows } from './rows-service.ts'

/**
 * Each step reads only rows and adds what's missing, so webhooks that arrive twice, late or out of order give the same result.
 * Steps depend on earlier ones.
 */
export function runReconcileSteps(ctx: Context, customer: Customer, { isFix = false } = {}): void {
  if (customer.userId !== null) {
    if (closeSettledAttempts(ctx, customer.userId)) endEmailUndo(ctx, customer.userId)
    refreshMembershipColumns(ctx, customer.userId)
  }
  settlePriceMoves(ctx, customer)
  recordRevenueChanges(ctx, customer)
  completeOrders(ctx, customer)
  issueInvoices(ctx, customer, isFix)
  issueCreditNotes(ctx, customer, isFix)
  reissueAfterFailedRefunds(ctx, customer)
  writeLedger(ctx, customer)
  queueBillingMails(ctx, customer)
}

export type SyncOutcome = 'written' | 'overtaken' | 'unknown'

/** The right to write one sync, until a later ticket has written. */
type Ticket = { id: string; ticket: number; waitsForReading: boolean }

/** The customer when a sync is written: its user may have been removed since the sync started. */
type SyncedCustomer = Customer & { removedAt: string | null; emailAtStripe: string | null }

/** `isFix`: the owners' tool looks for missing invoices and marks those it issues. */
export type SyncOptions = { isFix?: boolean }

/**
 * The only way a payment changes our rows. Reads the provider and writes everything in one transaction, unless a later ticket has
 * written newer data. Throws if the provider can't be read, and then rows and access stay the same.
 */
export const syncCustomer = (ctx: Context, stripeCustomerId: string, options: SyncOptions = {}): Promise<SyncOutcome> =>
  readAndWrite(ctx, stripeCustomerId, { ...options, rounds: 3 })

/** Pending actions change the provider's state, so it reads again, up to `rounds` times. */
async function readAndWrite(
  ctx: Context,
  stripeCustomerId: string,
  { rounds, ...options }: SyncOptions & { rounds: number },
): Promise<SyncOutcome> {
  const ticket = takeTicket(ctx, stripeCustomerId)
  if (ticket === null) return 'unknown'
  const state = await readCustomer(readerOf(ctx), stripeCustomerId)
  const next = await readNextPayment(ctx, state)
  const waitingStart = await readWaitingStart(ctx, state)
  await whenWritable(ctx)
  const customer = writeReading(ctx, ticket, state, { ...options, next, waitingStart })
  if (customer === null) return 'overtaken'
  const isAnotherNeeded = rounds > 0 && (await runPendingActions(ctx, customer))
  return isAnotherNeeded ? readAndWrite(ctx, stripeCustomerId, { ...options, rounds: rounds - 1 }) : 'written'
}

/** Writes a sync for a customer the provider no longer has: everything live in our rows has ended. */
export function writeMissingCustomer(ctx: Context, stripeCustomerId: string): void {
  const ticket = takeTicket(ctx, stripeCustomerId)
  const nothing = {
    email: null,
    subscriptions: [],
    unrecognised: [],
    invoices: [],
    refunds: [],
    disputes: [],
    methods: new Map(),
    upcoming: [],
    waitingStart: null,
    credits: [],
  }
  if (ticket !== null) writeReading(ctx, ticket, nothing)
}

/** Writes a sync and all that follows in one transaction; null if a later one was already written. */
export function writeReading(
  ctx: Context,
  ticket: Ticket,
  state: ProviderState,
  {
    next,
    waitingStart = null,
    ...options
  }: SyncOptions & { next?: NextPaymentState | undefined; waitingStart?: WaitingStart | null } = {},
): SyncedCustomer | null {
  const { chosen, duplicates } = chooseSubscription(state)
  return transact(ctx, () => {
    const customer = claimTicket(ctx, ticket, waitingStart)
    if (customer === null) return null
    writeRows(ctx, { ...customer, waitsForReading: ticket.waitsForReading }, state, chosen)
    noteProviderAddress(ctx, customer, state.email)
    if (next !== undefined) writeNextPayment(ctx, next)
    reportUnrecognised(ctx, customer, state.unrecognised)
    reportDisputes(ctx, customer, state.disputes)
    // Ordered while its member was being removed, so no one can want it.
    const unwanted = customer.removedAt !== null && chosen !== undefined ? [chosen, ...duplicates] : duplicates
    for (const { id } of unwanted) recordDuplicate(ctx, customer, id)
    runReconcileSteps(ctx, customer, options)
    return customer
  })
}

const take = preparedQuery<{ stripeCustomerId: string }>()((db, { stripeCustomerId }) =>
  db
    .update(customers)
    .set({ ticketTaken: sql`${customers.ticketTaken} + 1` })
    .where(eq(customers.stripeCustomerId, stripeCustomerId))
    .returning({
      id: customers.id,
      ticket: customers.ticketTaken,
      waitsForReading: customers.waitsForReading,
    }),
)

export const takeTicket = (ctx: Context, stripeCustomerId: string): Ticket | null =>
  take.get(ctx, { stripeCustomerId }) ?? null

const claim = preparedQuery<{
  id: string
  ticket: number
  syncedAt: string
  waitingStart: WaitingStart | null
}>()((db, { id, ticket, syncedAt, waitingStart }) =>
  db
    .update(customers)
    .set({ ticketWritten: ticket, syncedAt, waitingStart, waitsForReading: false })
    .where(and(eq(customers.id, id), lt(customers.ticketWritten, ticket)))
    .returning({
      id: customers.id,
      userId: customers.userId,
      removedAt: customers.removedAt,
      emailAtStripe: customers.emailAtStripe,
    }),
)

const claimTicket = (ctx: Context, { id, ticket }: Ticket, waitingStart: WaitingStart | null): SyncedCustomer | null =>
  claim.get(ctx, { id, ticket, syncedAt: ctx.billingNow().toISOString(), waitingStart }) ?? null
