import type { BalanceMovement, Invoice } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emitChange } from '#api/sandbox/webhooks/events.ts'

type Movement = Pick<BalanceMovement, 'amount' | 'type'> &
  Partial<Pick<BalanceMovement, 'invoice' | 'credit_note' | 'description' | 'metadata'>>

/** Changes what the customer owes (positive) or has as credit (negative), in pence, and says why. */
export function moveBalance(ctx: Context, customerId: string, movement: Movement): BalanceMovement {
  const before = getObject(ctx, 'customer', customerId, 'customer')
  const after = saveObject(ctx.store, { ...before, balance: before.balance + movement.amount })
  emitChange(ctx, 'customer.updated', before, after)
  return insertObject(ctx.store, {
    id: newId('cbtxn'),
    object: 'customer_balance_transaction',
    checkout_session: null,
    created: ctx.now,
    credit_note: null,
    currency: 'gbp',
    customer: customerId,
    customer_account: null,
    description: null,
    ending_balance: after.balance,
    invoice: null,
    livemode: false,
    metadata: {},
    ...movement,
  })
}

/**
 * Takes credit off what the invoice asks, and adds what the customer owes. A total below nought becomes credit.
 * https://docs.stripe.com/billing/customer/balance
 */
export function applyBalance(ctx: Context, invoice: Invoice): Invoice {
  const { balance } = getObject(ctx, 'customer', invoice.customer)
  const moved = balance < 0 ? Math.min(invoice.total, 0 - balance) : 0 - balance
  const applied = invoice.total < 0 ? invoice.total : moved
  if (applied !== 0)
    moveBalance(ctx, invoice.customer, { amount: applied, type: 'applied_to_invoice', invoice: invoice.id })
  const due = Math.max(0, invoice.total) - (invoice.total < 0 ? 0 : applied)
  return {
    ...invoice,
    amount_due: due,
    amount_remaining: due,
    starting_balance: balance,
    ending_balance: balance + applied,
  }
}

/** Until it's finalized, a draft asks for what the customer's balance of the moment leaves. */
export function atPresentBalance({ store }: Context, invoice: Invoice): Invoice {
  const balance = findObject(store, 'customer', invoice.customer)?.balance ?? 0
  if (invoice.status !== 'draft' || balance === 0) return invoice
  const due = Math.max(0, invoice.total + balance)
  return { ...invoice, amount_due: due, amount_remaining: due, starting_balance: balance }
}

/** A void invoice gives back the balance it had taken. */
export function unapplyBalance(ctx: Context, { id, customer, starting_balance, ending_balance }: Invoice): void {
  const applied = (ending_balance ?? starting_balance) - starting_balance
  if (applied !== 0) moveBalance(ctx, customer, { amount: 0 - applied, type: 'unapplied_from_invoice', invoice: id })
}
