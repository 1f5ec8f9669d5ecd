import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { limitPublicForm } from '#api/http/rate-limits.ts'
import { session } from '#api/http/session.ts'
import { Page } from '#shared/contract/fields.ts'
import {
  AdminQuotientOrderList,
  CreateQuotientPaymentRequest,
  CreateQuotientPaymentResponse,
  QuotientPaymentState,
  QuotientPaymentStateRequest,
} from '#shared/contract/quotient.ts'
import { paymentState } from './payment-state-service.ts'
import { listOrders } from './queries.ts'
import { createQuotientPayment } from './service.ts'

const defaultPage = 200

export const quotientRoutes = (ctx: Context) =>
  new Elysia({ name: 'quotient' })
    .use(session(ctx))
    .post(
      '/api/create-quotient-payment',
      ({ body, address, request }) => {
        limitPublicForm(ctx, 'create-quotient-payment', address)
        return createQuotientPayment(ctx, body, request.headers.get('idempotency-key') ?? undefined)
      },
      {
        visitor: true,
        body: CreateQuotientPaymentRequest,
        response: { 200: CreateQuotientPaymentResponse, ...errorResponses },
      },
    )
    .post('/api/quotient-payment-state', ({ body, address }) => paymentState(ctx, body.clientSecret, address), {
      visitor: true,
      body: QuotientPaymentStateRequest,
      response: { 200: QuotientPaymentState, ...errorResponses },
    })
    .get(
      '/api/admin/quotient-orders',
      ({ query, set }) => {
        const limit = query.limit ?? defaultPage
        const orders = listOrders(ctx, { limit: limit + 1, cursor: query.cursor })
        const page = orders.slice(0, limit)
        const last = page.at(-1)
        if (orders.length > limit && last !== undefined) {
          set.headers.link = `</api/admin/quotient-orders?limit=${limit}&cursor=${last.id}>; rel="next"`
        }
        return page
      },
      { owner: true, query: Page, response: { 200: AdminQuotientOrderList, ...errorResponses } },
    )
