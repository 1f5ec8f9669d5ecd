import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { refusals } from '#api/http/answers.ts'
import { limitPublicForm } from '#api/http/limits.ts'
import { personById, session } from '#api/http/session.ts'
import { receiveEvent } from '#api/stripe/webhook.ts'
import { ContinueRequest, Done, LoginAnswer } from '#shared/contract/auth.ts'
import {
  BillingAddress,
  BillingSubscription,
  CreateSubscriptionAnswer,
  CreateSubscriptionRequest,
  PaymentConfig,
} from '#shared/contract/billing.ts'
import { sessionUser } from '../auth/service.ts'
import { saveBillingAddress } from './buyer.ts'
import { createSubscription } from './purchase.ts'
import { billingSubscription, continueJoin } from './service.ts'

export const billingRoutes = (ctx: Context) =>
  new Elysia({ name: 'billing' })
    .use(session(ctx))
    .get('/api/billing/subscription', ({ person }) => billingSubscription(ctx, person), {
      person: true,
      response: { 200: BillingSubscription, ...refusals },
    })
    .put(
      '/api/billing/address',
      ({ person, body }) => {
        saveBillingAddress(ctx, person.id, body)
        return body
      },
      { person: true, body: BillingAddress, response: { 200: BillingAddress, ...refusals } },
    )
    .get(
      '/api/payment-config',
      () => ({ publishableKey: ctx.settings.stripe.publishableKey, isSandbox: ctx.settings.isSandbox }),
      {
        open: true,
        response: { 200: PaymentConfig },
      },
    )
    .post(
      '/api/create-subscription',
      async ({ body, person, address, set }) => {
        limitPublicForm(ctx, 'create-subscription', address)
        const { answer, cookie } = await createSubscription(ctx, body, person)
        if (cookie !== undefined) set.headers['set-cookie'] = cookie
        return answer
      },
      { visitor: true, body: CreateSubscriptionRequest, response: { 200: CreateSubscriptionAnswer, ...refusals } },
    )
    .post(
      '/api/auth/continue',
      ({ body, set }) => {
        const { userId, cookie } = continueJoin(ctx, body.token)
        set.headers['set-cookie'] = cookie
        const person = personById(ctx, userId)
        if (person === null)
          throw new AppError('invalid_token', 'This link has been used or is too old. Please start again.')
        return { user: sessionUser(person) }
      },
      { open: true, body: ContinueRequest, response: { 200: LoginAnswer, ...refusals } },
    )
    .post(
      '/api/stripe/webhook',
      async ({ body, request }) => {
        await receiveEvent(ctx, body, request.headers.get('stripe-signature'))
        return { success: true as const }
      },
      { open: true, body: v.string(), response: { 200: Done, ...refusals } },
    )
