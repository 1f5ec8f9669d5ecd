import * as v from 'valibot'
import { moveBalance } from '#api/sandbox/billing/balances.ts'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import type { BalanceMovement } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { noSuchObject } from '#api/sandbox/store/no-such-object.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { metadata, paging, text, whole } from './params.ts'
import { type Route, route } from './route.ts'

function movementOf(ctx: Context, customer: string, id: string): BalanceMovement {
  const found = getObject(ctx, 'customer_balance_transaction', id)
  if (found.customer !== customer) throw noSuchObject('customer_balance_transaction', id)
  return found
}

const described = { description: v.optional(text), metadata }

export const balanceTransactionRoutes: Route[] = [
  route(
    'POST /v1/customers/:id/balance_transactions',
    { amount: whole, currency: v.literal('gbp'), ...described },
    (ctx, { amount, description = null, metadata: tags }, id) =>
      moveBalance(ctx, id, { amount, type: 'adjustment', description, metadata: tags ?? {} }),
  ),
  route('POST /v1/customers/:id/balance_transactions/:movement', described, (ctx, params, id, movement) => {
    const found = movementOf(ctx, id, movement)
    const { description = found.description, metadata: tags } = params
    return saveObject(ctx.store, { ...found, description, metadata: mergeMetadata(found.metadata ?? {}, tags) })
  }),
  route('GET /v1/customers/:id/balance_transactions/:movement', {}, (ctx, _params, id, movement) =>
    movementOf(ctx, id, movement),
  ),
  route(
    'GET /v1/customers/:id/balance_transactions',
    { ...paging, invoice: v.optional(text) },
    (ctx, { invoice, ...params }, id) => {
      const filters = { customer: getObject(ctx, 'customer', id).id, invoice }
      const url = `/v1/customers/${id}/balance_transactions`
      return listPage(ctx, { kind: 'customer_balance_transaction', url, filters, paging: params })
    },
  ),
]
