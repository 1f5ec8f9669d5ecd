import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { listProgress } from '#api/features/progress/service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { GuaranteeRefundRequest } from '#shared/contract/member-record.ts'
import {
  AccessRequest,
  AdminMemberDetail,
  AdminMemberList,
  AdminMemberParams,
  AdminMemberQuery,
  GuaranteeRefund,
  MemberRemoval,
  NewMemberRequest,
  RemoveMemberQuery,
} from '#shared/contract/members.ts'
import { VideoProgressList } from '#shared/contract/progress.ts'
import { MemberAtRiskList, MemberAtRiskQuery } from '#shared/contract/risk.ts'
import { overrideAccess } from './access-service.ts'
import { refundUnderGuarantee } from './guarantee-service.ts'
import { addMember } from './profile-service.ts'
import { findMember, listMembers } from './queries.ts'
import { removeMember } from './removal-service.ts'
import { listAtRisk } from './risk-queries.ts'

const defaultPage = 200

export const memberRoutes = (ctx: Context) =>
  new Elysia({ name: 'members' })
    .use(session(ctx))
    .get(
      '/api/admin/members',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listMembers(ctx, { ...query, limit: query.limit ?? defaultPage })),
      { owner: true, query: AdminMemberQuery, response: { 200: AdminMemberList, ...errorResponses } },
    )
    .get(
      '/api/admin/members-at-risk',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listAtRisk(ctx, { ...query, limit: query.limit ?? defaultPage })),
      { owner: true, query: MemberAtRiskQuery, response: { 200: MemberAtRiskList, ...errorResponses } },
    )
    .post('/api/admin/members', ({ owner, body }) => addMember(ctx, owner, body), {
      owner: true,
      body: NewMemberRequest,
      response: { 200: AdminMemberDetail, ...errorResponses },
    })
    .get(
      '/api/admin/member/:memberId',
      ({ params }) => {
        const member = findMember(ctx, params.memberId)
        if (member === null) throw notFound('This member')
        return member
      },
      { owner: true, params: AdminMemberParams, response: { 200: AdminMemberDetail, ...errorResponses } },
    )
    .get(
      '/api/admin/member-progress/:memberId',
      ({ params }) => {
        const member = findMember(ctx, params.memberId)
        if (member === null) throw notFound('This member')
        return listProgress(ctx, member.id)
      },
      { owner: true, params: AdminMemberParams, response: { 200: VideoProgressList, ...errorResponses } },
    )
    .post(
      '/api/admin/members/:memberId/refund',
      ({ owner, params, body }) => refundUnderGuarantee(ctx, owner, { ...params, reason: body?.reason }),
      {
        provenOwner: true,
        params: AdminMemberParams,
        body: GuaranteeRefundRequest,
        response: { 200: GuaranteeRefund, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/members/:memberId',
      ({ owner, params, query }) => removeMember(ctx, owner, { ...params, dryRun: query.dryRun === 'true' }),
      {
        provenOwner: 'unless-dry-run',
        params: AdminMemberParams,
        query: RemoveMemberQuery,
        response: { 200: MemberRemoval, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/members/:memberId/revoke-access',
      ({ owner, params, body }) => overrideAccess(ctx, owner, { ...params, wanted: body?.isMember }),
      {
        owner: true,
        params: AdminMemberParams,
        body: AccessRequest,
        response: { 200: AdminMemberDetail, ...errorResponses },
      },
    )
