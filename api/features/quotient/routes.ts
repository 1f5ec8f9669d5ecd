import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { listOrders } from '#api/features/orders/queries.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import { EnquiryParams } from '#shared/contract/inbox-entries.ts'
import { LostOrder, LostOrderRequest, TakenInOrder } from '#shared/contract/lost-order.ts'
import {
  AdminQuotientOrder,
  AdminQuotientOrderList,
  AdminQuotientOrderQuery,
  CreateQuotientPaymentRequest,
  CreateQuotientPaymentResponse,
  QuotientPaymentState,
  QuotientPaymentStateRequest,
  SetUpChange,
} from '#shared/contract/quotient.ts'
import { paymentState } from './payment-state-service.ts'
import { createQuotientPayment } from './service.ts'
import { changeSetUp } from './set-up-service.ts'
import { findLostOrder, takeInOrder } from './take-in-service.ts'

export const quotientRoutes = (ctx: Context) =>
  new Elysia({ name: 'quotient', tags: ['Money'] })
    .use(session(ctx))
    .post(
      '/api/create-quotient-payment',
      ({ body, address, request }) => {
        limitPublicForm(ctx, 'create-quotient-payment', address)
        return createQuotientPayment(ctx, body, request.headers.get('idempotency-key') ?? undefined)
      },
      {
        visitor: true,
        says: 'Orders a Quotient setup and starts its payment.',
        tags: ['Joining'],
        body: CreateQuotientPaymentRequest,
        response: { 200: CreateQuotientPaymentResponse, ...errorResponses },
      },
    )
    .post('/api/quotient-payment-state', ({ body, address }) => paymentState(ctx, body.clientSecret, address), {
      visitor: true,
      says: 'Shows whether the payment of an order went through.',
      tags: ['Joining'],
      body: QuotientPaymentStateRequest,
      response: { 200: QuotientPaymentState, ...errorResponses },
    })
    .get(
      '/api/admin/quotient-orders',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listOrders(ctx, { ...query, limit: query.limit ?? 200 })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists orders for Quotient setups.',
        query: AdminQuotientOrderQuery,
        response: { 200: AdminQuotientOrderList, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/quotient-orders/:id',
      ({ owner, params, body }) => changeSetUp(ctx, owner, { ...params, ...body }),
      {
        owner: 'the owners’ own record of what was done',
        says: 'Sets the day a setup is done.',
        audit: ['quotient-order.set_up', 'quotient-order.not_set_up'],
        params: EnquiryParams,
        body: SetUpChange,
        response: { 200: AdminQuotientOrder, ...errorResponses },
      },
    )
    .get('/api/admin/lost-orders', ({ query }) => findLostOrder(ctx, query.invoice), {
      owner: true,
      says: 'Looks up a paid order a restored backup doesn’t have.',
      query: LostOrderRequest,
      response: { 200: LostOrder, ...errorResponses },
    })
    .post('/api/admin/lost-orders', ({ owner, body }) => takeInOrder(ctx, owner, body.invoice), {
      owner: 'it takes in an order that is paid already',
      says: 'Brings a paid order back after a restore.',
      audit: 'quotient-order.taken_in',
      body: LostOrderRequest,
      response: { 200: TakenInOrder, ...errorResponses },
    })
