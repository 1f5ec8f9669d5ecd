import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { notFound, versionConflict } from '#api/errors.ts'
import { findOrder, toAdminOrder } from '#api/features/orders/queries.ts'
import type { Owner } from '#api/identity/person.ts'
import type { AdminQuotientOrder, SetUpChange } from '#shared/contract/quotient.ts'

function readOrder(ctx: Context, id: string): AdminQuotientOrder {
  const order = findOrder(ctx, id)
  if (order === undefined) throw notFound('This order')
  return toAdminOrder(ctx, order)
}

/** Only the provider decides the payment status. Sending the same change again isn't a conflict. */
export function changeSetUp(
  ctx: Context,
  owner: Owner,
  { id, setUpOn, version }: SetUpChange & { id: string },
): AdminQuotientOrder {
  return transact(ctx, () => {
    const current = readOrder(ctx, id)
    if (setUpOn === current.setUpOn) return current
    if (version !== current.version) throw versionConflict({ sent: { setUpOn, version }, current })
    ctx.db
      .update(quotientOrders)
      .set({ setUpOn, version: version + 1 })
      .where(eq(quotientOrders.id, id))
      .run()
    const [action, detail] = setUpOn === null ? (['not_set_up', {}] as const) : (['set_up', { setUpOn }] as const)
    audit(ctx, owner.actor, `quotient-order.${action}`, { targetId: id, detail })
    return readOrder(ctx, id)
  })
}
