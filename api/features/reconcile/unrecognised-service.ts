import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import type { Unrecognised } from '#api/stripe/read-customer.ts'

const action = 'subscription.unrecognised'

/** Tells the owners of live subscriptions that we could only guess at, once for each. Runs inside the sync's transaction. */
export function reportUnrecognised(ctx: Context, customer: Customer, found: readonly Unrecognised[]): void {
  const targetId = customer.userId ?? customer.id
  for (const { id, status, stripePriceId } of found) {
    const isTold = ctx.sqlite
      .prepare(`select 1 from audit_entries where targetId = ? and action = ? and detail ->> '$.subscription' = ?`)
      .get(targetId, action, id)
    if (isTold !== undefined) continue
    audit(ctx, 'system', action, { targetId, detail: { subscription: id, status, price: stripePriceId } })
    ctx.log.warn('subscription not recognised', { subscription: id, status, price: stripePriceId })
  }
}
