import * as v from 'valibot'
import { getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

export const invoicePaymentRoutes: Route[] = [
  route('GET /v1/invoice_payments/:id', {}, (ctx, _params, id) => getObject(ctx, 'invoice_payment', id)),
  route(
    'GET /v1/invoice_payments',
    {
      ...paging,
      created: v.optional(range),
      invoice: v.optional(text),
      payment: v.optional(v.strictObject({ type: v.literal('payment_intent'), payment_intent: text })),
      status: v.optional(v.picklist(['open', 'paid', 'canceled'])),
    },
    (ctx, params) => {
      const { created, invoice, payment, status } = params
      const filters = { created, invoice, status, payment_intent: payment?.payment_intent }
      return listPage(ctx, { kind: 'invoice_payment', url: '/v1/invoice_payments', filters, paging: params })
    },
  ),
]
