import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { loginResponse } from '#api/features/accounts/login/service.ts'
import { cancelMembership, endUnpaidMembership, resumeMembership } from '#api/features/billing/cancellation/service.ts'
import { changeCard, paymentMethodOf, settleCard } from '#api/features/billing/cards/service.ts'
import { billingAddressOf, saveBillingAddress } from '#api/features/billing/purchases/address-service.ts'
import { continueJoin } from '#api/features/billing/purchases/buyer-service.ts'
import { createSubscription } from '#api/features/billing/purchases/service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { type Member, type Owner, personById } from '#api/identity/person.ts'
import { readDeviceCookie } from '#api/identity/session-cookies.ts'
import { customerNetwork } from '#api/network-address.ts'
import { taggedResponse, toTaggedJson } from '#api/serving/kept-answers.ts'
import { limitProviderCalls, limitPublicForm } from '#api/serving/rate-limits.ts'
import { ContinueRequest, LoginResponse } from '#shared/contract/auth.ts'
import {
  BillingAddress,
  BillingAddressResponse,
  BillingSubscription,
  CardSetup,
  ChangeTierRequest,
  CreateSubscriptionRequest,
  CreateSubscriptionResponse,
  NextPaymentPreview,
  NextPaymentQuery,
  OpenInvoicePayment,
  PaymentConfig,
  PaymentMethodResponse,
} from '#shared/contract/billing.ts'
import { FreeMonthRequest, PutOffRequest } from '#shared/contract/member-record.ts'
import { AdminMemberParams } from '#shared/contract/members.ts'
import { giveFreeMonth } from './free-month-service.ts'
import { previewChange } from './next-payment-service.ts'
import { byThemselves, type OnBehalf, onBehalfOf, toldAboutMember } from './on-behalf-service.ts'
import { putOffRenewal } from './renewals/put-off-service.ts'
import { billingSubscription, payOpenInvoice } from './service.ts'
import { changeTier, undoTierChange } from './tier-change-service.ts'

type Call = { person: Member; address: string }

export function billingRoutes(ctx: Context) {
  /** Rate-limited, because each call goes on to the provider. */
  const limited =
    <Asked extends Call, Result>(work: (call: Asked) => Result) =>
    (call: Asked): Result => {
      limitProviderCalls(ctx, call)
      return work(call)
    }
  return new Elysia({ name: 'billing', tags: ['Your membership'] })
    .use(session(ctx))
    .get(
      '/api/billing/subscription',
      async ({ person, request, set }) =>
        taggedResponse({ request, set }, toTaggedJson(BillingSubscription, await billingSubscription(ctx, person))),
      {
        person: true,
        says: 'Shows your tier, price and next payment.',
        response: { 200: BillingSubscription, ...errorResponses },
      },
    )
    .get(
      '/api/billing/next-payment',
      limited(({ person, query }: Call & { query: NextPaymentQuery }) =>
        previewChange(ctx, byThemselves(person), query),
      ),
      {
        person: true,
        says: 'Shows your next payment after a change.',
        query: NextPaymentQuery,
        response: { 200: NextPaymentPreview, ...errorResponses },
      },
    )
    .post(
      '/api/billing/cancel',
      limited(({ person }: Call) => cancelMembership(ctx, byThemselves(person))),
      {
        person: true,
        says: 'Cancels your membership at the end of the paid month.',
        response: { 200: BillingSubscription, ...errorResponses },
      },
    )
    .post(
      '/api/billing/resume',
      limited(({ person }: Call) => resumeMembership(ctx, byThemselves(person))),
      {
        person: true,
        says: 'Undoes a cancellation before it takes effect.',
        response: { 200: BillingSubscription, ...errorResponses },
      },
    )
    .post(
      '/api/billing/end',
      limited(({ person }: Call) => endUnpaidMembership(ctx, byThemselves(person))),
      {
        person: true,
        says: 'Ends a membership straight away while its payment is late.',
        response: { 200: BillingSubscription, ...errorResponses },
      },
    )
    .post(
      '/api/billing/change-tier',
      limited(({ person, body }: Call & { body: ChangeTierRequest }) => changeTier(ctx, byThemselves(person), body)),
      {
        person: true,
        says: 'Changes your tier from the next payment on.',
        body: ChangeTierRequest,
        response: { 200: BillingSubscription, ...errorResponses },
      },
    )
    .delete(
      '/api/billing/change-tier',
      limited(({ person }: Call) => undoTierChange(ctx, byThemselves(person))),
      {
        person: true,
        says: 'Undoes a tier change that hasn’t happened yet.',
        response: { 200: BillingSubscription, ...errorResponses },
      },
    )
    .get('/api/billing/payment-method', ({ person }) => paymentMethodOf(ctx, person), {
      person: true,
      says: 'Shows the card you pay with.',
      response: { 200: PaymentMethodResponse, ...errorResponses },
    })
    .post(
      '/api/billing/card',
      limited(({ person }: Call) => changeCard(ctx, person)),
      {
        person: true,
        says: 'Starts changing your card.',
        response: { 200: CardSetup, ...errorResponses },
      },
    )
    .post(
      '/api/billing/card/settle',
      limited(({ person }: Call) => settleCard(ctx, person)),
      {
        person: true,
        says: 'Finishes changing your card.',
        response: { 200: PaymentMethodResponse, ...errorResponses },
      },
    )
    .post(
      '/api/billing/pay',
      limited(({ person }: Call) => payOpenInvoice(ctx, person)),
      {
        person: true,
        says: 'Tries an unpaid payment again.',
        response: { 200: OpenInvoicePayment, ...errorResponses },
      },
    )
    .get('/api/billing/address', ({ person }) => ({ address: billingAddressOf(ctx, person.id) }), {
      person: true,
      says: 'Shows the address on your invoices.',
      response: { 200: BillingAddressResponse, ...errorResponses },
    })
    .put(
      '/api/billing/address',
      ({ person, body }) => {
        saveBillingAddress(ctx, person.id, body)
        return body
      },
      {
        person: true,
        says: 'Changes the address on your invoices.',
        body: BillingAddress,
        response: { 200: BillingAddress, ...errorResponses },
      },
    )
    .get(
      '/api/payment-config',
      () => ({ publishableKey: ctx.settings.stripe.publishableKey, isSandbox: ctx.settings.isSandbox }),
      {
        open: true,
        says: 'Returns what the payment form needs from Stripe.',
        tags: ['Joining'],
        response: { 200: PaymentConfig },
      },
    )
    .post(
      '/api/create-subscription',
      async ({ body, person, address, set }) => {
        limitPublicForm(ctx, 'create-subscription', address)
        if (person !== null) limitProviderCalls(ctx, { person, address })
        // It creates an account, which is free, and one customer has 65,536 networks of 64 bits, each with 60 accounts.
        else limitPublicForm(ctx, 'new-account', customerNetwork(address))
        return createSubscription(ctx, body, person, (cookie) => {
          set.headers['set-cookie'] = cookie
        })
      },
      {
        visitor: true,
        says: 'Starts a membership and its first payment.',
        tags: ['Joining'],
        body: CreateSubscriptionRequest,
        response: { 200: CreateSubscriptionResponse, ...errorResponses },
      },
    )
    .post(
      '/api/auth/continue',
      ({ body, request, address, set }) => {
        const caller = { address, device: readDeviceCookie(ctx, request) }
        const { userId, cookies } = continueJoin(ctx, body.token, caller)
        set.headers['set-cookie'] = cookies
        const person = personById(ctx, userId)
        if (person === null) throw new AppError('invalid_token', 'This link has been used or is too old. Start again.')
        return loginResponse(person)
      },
      {
        visitor: true,
        says: 'Takes a mailed link, so someone can finish joining.',
        tags: ['Logging in'],
        body: ContinueRequest,
        response: { 200: LoginResponse, ...errorResponses },
      },
    )
}

type OwnerCall = { owner: Owner; params: { memberId: string } }

/** An owner does for a member what members do in Billing: the same services, recorded as the owner's. */
export function ownerBillingRoutes(ctx: Context) {
  const forMember = ({ owner, params }: OwnerCall, work: (onBehalf: OnBehalf) => Promise<BillingSubscription>) =>
    toldAboutMember('Nothing has changed.', () => work(onBehalfOf(ctx, owner, params.memberId)))
  const params = AdminMemberParams
  const response = { 200: BillingSubscription, ...errorResponses }
  return new Elysia({ name: 'owner-billing', prefix: '/api/admin/members/:memberId', tags: ['Members’ subscriptions'] })
    .use(session(ctx))
    .get(
      '/next-payment',
      ({ owner, params, query }) =>
        toldAboutMember('There’s no preview.', () =>
          previewChange(ctx, onBehalfOf(ctx, owner, params.memberId), query),
        ),
      {
        owner: true,
        says: 'Shows a member’s next payment after a change.',
        params,
        query: NextPaymentQuery,
        response: { 200: NextPaymentPreview, ...errorResponses },
      },
    )
    .post('/subscription/cancel', (call) => forMember(call, (onBehalf) => cancelMembership(ctx, onBehalf)), {
      owner: 'it can be changed back',
      says: 'Cancels a membership at the end of the paid month.',
      audit: 'subscription.cancel',
      params,
      response,
    })
    .post('/subscription/resume', (call) => forMember(call, (onBehalf) => resumeMembership(ctx, onBehalf)), {
      owner: 'it can be changed back',
      says: 'Undoes a cancellation.',
      audit: 'subscription.resume',
      params,
      response,
    })
    .post('/subscription/end', (call) => forMember(call, (onBehalf) => endUnpaidMembership(ctx, onBehalf)), {
      provenOwner: true,
      says: 'Ends a membership straight away.',
      audit: 'subscription.end',
      params,
      response,
    })
    .post('/subscription/tier', (call) => forMember(call, (onBehalf) => changeTier(ctx, onBehalf, call.body)), {
      owner: 'it can be changed back',
      says: 'Changes a member’s tier from the next payment on.',
      audit: 'subscription.change_tier',
      params,
      body: ChangeTierRequest,
      response,
    })
    .delete('/subscription/tier', (call) => forMember(call, (onBehalf) => undoTierChange(ctx, onBehalf)), {
      owner: 'it can be changed back',
      says: 'Undoes a tier change.',
      audit: 'subscription.keep_tier',
      params,
      response,
    })
    .post('/put-off', (call) => forMember(call, (onBehalf) => putOffRenewal(ctx, onBehalf, call.body.from)), {
      owner: 'it takes no money, and the member can still cancel',
      says: 'Puts a year’s renewal off by a month.',
      audit: 'subscription.put_off',
      tags: ['Members'],
      params,
      body: PutOffRequest,
      response,
    })
    .put('/free-month', (call) => forMember(call, (onBehalf) => giveFreeMonth(ctx, onBehalf, call.body.isFree)), {
      owner: 'one month at most, which can be undone until the bill',
      says: 'Makes a member’s next month free, or undoes that.',
      audit: ['subscription.free_month', 'subscription.free_month_undone'],
      tags: ['Members'],
      params,
      body: FreeMonthRequest,
      response,
    })
}
