import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { addMember } from '#api/features/members/adding-service.ts'
import { removeMember } from '#api/features/profile/removal-service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { PaymentRefund, RefundRequest } from '#shared/contract/member-record.ts'
import {
  AccessRequest,
  AdminMemberDetail,
  AdminMemberParams,
  GuaranteeRefund,
  MemberRemoval,
  NewMemberRequest,
  RemoveMemberQuery,
} from '#shared/contract/members.ts'
import { changeAccess } from './access-service.ts'
import { refund } from './refund-service.ts'

export const membershipRoutes = (ctx: Context) =>
  new Elysia({ name: 'memberships', tags: ['Members'] })
    .use(session(ctx))
    .post('/api/admin/members', ({ owner, body }) => addMember(ctx, owner, body), {
      owner: 'an account without money or access',
      says: 'Adds an account without a membership.',
      audit: 'member.added',
      body: NewMemberRequest,
      response: { 200: AdminMemberDetail, ...errorResponses },
    })
    .post(
      '/api/admin/members/:memberId/refund',
      ({ owner, params, body }) => refund(ctx, owner, { ...params, request: body }),
      {
        provenOwner: true,
        says: 'Refunds a payment, in full or in part.',
        audit: ['member.refund', 'member.guarantee_refund'],
        params: AdminMemberParams,
        body: RefundRequest,
        response: { 200: v.union([GuaranteeRefund, PaymentRefund]), ...errorResponses },
      },
    )
    .delete(
      '/api/admin/members/:memberId',
      ({ owner, params, query }) => removeMember(ctx, owner, { ...params, dryRun: query.dryRun === 'true' }),
      {
        provenOwner: 'unless-dry-run',
        says: 'Deletes a member for good. A dry run shows what would go.',
        audit: 'member.removed',
        params: AdminMemberParams,
        query: RemoveMemberQuery,
        response: { 200: MemberRemoval, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/members/:memberId/revoke-access',
      ({ owner, params, body }) =>
        changeAccess(ctx, owner, { ...params, wanted: body?.isMember, cancels: body?.cancels }),
      {
        owner: 'asks when it takes access from someone who pays',
        says: 'Switches a member’s access off or on again.',
        audit: ['member.revoke_access', 'member.restore_access'],
        params: AdminMemberParams,
        body: AccessRequest,
        response: { 200: AdminMemberDetail, ...errorResponses },
      },
    )
