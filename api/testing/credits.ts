import { onlyCustomer } from './joining.ts'
import { issuedInvoices } from './paying.ts'
import type { PaymentWorld } from './payments.ts'

/** A month of Standard, as its invoice has it. */
export const whole = { net: 25_000, vat: 5_000, gross: 30_000, fromCredit: 0 }

/** What tests of credit and credit notes do and look at. The only customer's. */
export const creditTools = (world: () => PaymentWorld) => ({
  stripe: () => world().ctx.stripe,
  /** As an owner does in Stripe's dashboard: pence, negative is credit. */
  byHand: (amount: number) =>
    world().ctx.stripe.customers.createBalanceTransaction(onlyCustomer(world()), { amount, currency: 'gbp' }),
  async renew(): Promise<void> {
    await world().advance(31)
    await world().sandbox.settle()
  },
  paidInvoice: async () =>
    (await world().ctx.stripe.invoices.list({ customer: onlyCustomer(world()), limit: 1 })).data[0],
  grosses: () => issuedInvoices(world()).map(({ net, vat, gross, fromCredit }) => ({ net, vat, gross, fromCredit })),
  commission: () =>
    world()
      .ctx.sqlite.prepare<[], { amount: number }>(
        'select amount from commission_ledger where isSettlement = 0 order by rowid',
      )
      .all()
      .map(({ amount }) => amount),
})
