import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { cancelMembership, endUnpaidMembership, resumeMembership } from '#api/features/billing/cancellation/service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { type Owner, session } from '#api/http/session.ts'
import { BillingSubscription, ChangeTierRequest } from '#shared/contract/billing.ts'
import { FreeMonthRequest } from '#shared/contract/member-record.ts'
import { AdminMemberParams } from '#shared/contract/members.ts'
import { type OnBehalf, onBehalfOf, toldAboutMember } from './behalf-service.ts'
import { giveFreeMonth } from './gift-service.ts'
import { changeTier, undoTierChange } from './tier-change-service.ts'

type Call = { owner: Owner; params: { memberId: string } }

/** What a member does in Billing, done for them by an owner: by the same services, and recorded as the owner's. */
export const ownerBillingRoutes = (ctx: Context) => {
  const forMember = ({ owner, params }: Call, work: (asked: OnBehalf) => Promise<BillingSubscription>) =>
    toldAboutMember('Nothing has changed.', () => work(onBehalfOf(ctx, owner, params.memberId)))
  const guarded = { owner: true, params: AdminMemberParams } as const
  const response = { 200: BillingSubscription, ...errorResponses }
  return new Elysia({ name: 'owner-billing', prefix: '/api/admin/members/:memberId' })
    .use(session(ctx))
    .post('/subscription/cancel', (call) => forMember(call, (asked) => cancelMembership(ctx, asked)), {
      ...guarded,
      response,
    })
    .post('/subscription/resume', (call) => forMember(call, (asked) => resumeMembership(ctx, asked)), {
      ...guarded,
      response,
    })
    .post('/subscription/end', (call) => forMember(call, (asked) => endUnpaidMembership(ctx, asked)), {
      ...guarded,
      response,
    })
    .post('/subscription/tier', (call) => forMember(call, (asked) => changeTier(ctx, asked, call.body)), {
      ...guarded,
      body: ChangeTierRequest,
      response,
    })
    .delete('/subscription/tier', (call) => forMember(call, (asked) => undoTierChange(ctx, asked)), {
      ...guarded,
      response,
    })
    .put('/free-month', (call) => forMember(call, (asked) => giveFreeMonth(ctx, asked, call.body.isFree)), {
      ...guarded,
      body: FreeMonthRequest,
      response,
    })
}
