import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { paymentMethods, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { runFollowUps } from '#api/features/reconcile/follow-ups-service.ts'
import {
  type PaymentMethodState,
  type ProviderState,
  readCustomer,
  type SubscriptionState,
} from '#api/stripe/read-customer.ts'
import type { InvoiceState } from '#api/stripe/read-invoices.ts'
import { isLive } from '#shared/rules/membership.ts'
import { recordDuplicate, runPendingActions } from './pending-service.ts'
import { reportUnrecognised } from './unrecognised-service.ts'

export type SyncOutcome = 'written' | 'overtaken' | 'unknown'

/** What one reading may be written under. */
type Ticket = { id: string; ticket: number }

/** A customer as he is when a reading is written: his person may have been removed since it began. */
type CustomerRow = Customer & { removedAt: string | null }

/** `isFix`: the owners' tool looks for invoices that are missing, and marks what it finds. */
export type SyncOptions = { isFix?: boolean }

/**
 * The only way in which a payment changes our rows. Takes the customer's next ticket, reads the provider, then writes all
 * of it in one transaction, unless a later ticket has written already: its reading is newer than ours.
 * Throws where the provider cannot be read; our rows, and with them everybody's access, stay as they are.
 */
export const syncCustomer = (ctx: Context, stripeCustomerId: string, options: SyncOptions = {}): Promise<SyncOutcome> =>
  readAndWrite(ctx, stripeCustomerId, { ...options, rounds: 3 })

/** What is done at the provider for a reading changes what it says, so it is read again; `rounds` times at most. */
async function readAndWrite(
  ctx: Context,
  stripeCustomerId: string,
  { rounds, ...options }: SyncOptions & { rounds: number },
): Promise<SyncOutcome> {
  const ticket = takeTicket(ctx, stripeCustomerId)
  if (ticket === null) return 'unknown'
  const state = await readCustomer(ctx, stripeCustomerId)
  const customer = writeReading(ctx, ticket, state, options)
  if (customer === null) return 'overtaken'
  const isAnotherNeeded = rounds > 0 && (await runPendingActions(ctx, customer))
  return isAnotherNeeded ? readAndWrite(ctx, stripeCustomerId, { ...options, rounds: rounds - 1 }) : 'written'
}

/** What is written where the provider has no such customer: all that our rows have live is over. */
export function writeMissingCustomer(ctx: Context, stripeCustomerId: string): void {
  const ticket = takeTicket(ctx, stripeCustomerId)
  const nothing = { subscriptions: [], unrecognised: [], invoices: [], refunds: [], methods: new Map() }
  if (ticket !== null) writeReading(ctx, ticket, nothing)
}

/** One transaction writes a reading and all that follows from it; null where a later one was written before. */
export function writeReading(
  ctx: Context,
  ticket: Ticket,
  state: ProviderState,
  options: SyncOptions = {},
): CustomerRow | null {
  const isUnrecognised = unrecognisedIn(state)
  // The provider lists the newest first: reversed, the older of equals comes first.
  const [kept, ...others] = state.subscriptions
    .filter(({ status }) => isLive(status))
    .toReversed()
    .sort(byPrecedence(isUnrecognised))
  // What may not be a membership at all is for an owner to look at, never to be ended and refunded by itself.
  const doubles = others.filter((other) => !isUnrecognised(other))
  return transact(ctx, () => {
    const customer = claimTicket(ctx, ticket)
    if (customer === null) return null
    writeRows(ctx, customer, state, kept)
    reportUnrecognised(ctx, customer, state.unrecognised)
    // Ordered while its member was being removed: nobody is left who could have wanted it.
    const unwanted = customer.removedAt !== null && kept !== undefined ? [kept, ...doubles] : doubles
    for (const { id } of unwanted) recordDuplicate(ctx, customer, id)
    runFollowUps(ctx, customer, options)
    return customer
  })
}

export const takeTicket = (ctx: Context, stripeCustomerId: string): Ticket | null =>
  ctx.sqlite
    .prepare<[string], Ticket>(
      'update customers set ticketTaken = ticketTaken + 1 where stripeCustomerId = ? returning id, ticketTaken as ticket',
    )
    .get(stripeCustomerId) ?? null

const claimTicket = (ctx: Context, { id, ticket }: Ticket): CustomerRow | null =>
  ctx.sqlite
    .prepare<[number, string, string, number], CustomerRow>(
      `update customers set ticketWritten = ?, syncedAt = ? where id = ? and ticketWritten < ?
       returning id, userId, removedAt`,
    )
    .get(ticket, ctx.billingNow().toISOString(), id, ticket) ?? null

type IsUnrecognised = (subscription: SubscriptionState) => boolean

function unrecognisedIn({ unrecognised }: ProviderState): IsUnrecognised {
  const ids = new Set(unrecognised.map(({ id }) => id))
  return ({ id }) => ids.has(id)
}

/**
 * Which of two live subscriptions stays: the further one, and the older of equals. One that was not recognised stays only
 * where nothing else was paid or set up.
 */
const precedence = ['active', 'trialing', 'past_due', 'paused', 'unpaid', 'incomplete']
const byPrecedence = (isUnrecognised: IsUnrecognised) => (one: SubscriptionState, other: SubscriptionState) => {
  const rank = (subscription: SubscriptionState) => {
    const status = subscription.isSettled ? subscription.status : 'incomplete'
    const isBehind = isUnrecognised(subscription) && status !== 'incomplete'
    return precedence.indexOf(isBehind ? 'unpaid' : status) + (isBehind ? 0.5 : 0)
  }
  return rank(one) - rank(other) || one.created.localeCompare(other.created)
}

function writeRows(
  ctx: Context,
  customer: CustomerRow,
  state: ProviderState,
  kept: SubscriptionState | undefined,
): void {
  const ended = state.subscriptions.filter(({ status }) => !isLive(status))
  // The database holds one live subscription per customer: whatever else was live has ended, or is about to be withdrawn.
  ctx.sqlite
    .prepare(
      `update subscriptions set status = 'canceled' where customerId = ? and id is not ? and status not in ('canceled', 'incomplete_expired')`,
    )
    .run(customer.id, kept?.id ?? null)
  for (const subscription of kept === undefined ? ended : [...ended, kept]) {
    const row = { ...subscription, customerId: customer.id, updatedAt: ctx.billingNow().toISOString() }
    upsert(ctx, subscriptions, row)
  }
  const written = new Set([...ended, ...(kept === undefined ? [] : [kept])].map(({ id }) => id))
  // A double that is about to be withdrawn has no row yet; its invoices come with the next reading.
  writeBilled(ctx, customer, state, ({ subscriptionId }) => subscriptionId === null || written.has(subscriptionId))
  writePaymentMethod(ctx, customer, state.methods.get(kept?.id ?? null) ?? state.methods.get(null))
}

function writeBilled(
  ctx: Context,
  customer: CustomerRow,
  { invoices, refunds }: ProviderState,
  hasPlace: (invoice: InvoiceState) => boolean,
): void {
  const placed = new Set<string>()
  for (const invoice of invoices.filter(hasPlace)) {
    const row = { ...invoice, customerId: customer.id }
    upsert(ctx, providerInvoices, row)
    placed.add(invoice.id)
  }
  for (const refund of refunds.filter(({ providerInvoiceId }) => placed.has(providerInvoiceId))) {
    const row = { ...refund, customerId: customer.id }
    upsert(ctx, providerRefunds, row)
  }
}

function writePaymentMethod(
  ctx: Context,
  { id, removedAt }: CustomerRow,
  method: PaymentMethodState | undefined,
): void {
  if (method === undefined || removedAt !== null) {
    ctx.sqlite.prepare('delete from payment_methods where customerId = ?').run(id)
    return
  }
  const row = { ...method, customerId: id, updatedAt: ctx.billingNow().toISOString() }
  upsert(ctx, paymentMethods, row)
}
