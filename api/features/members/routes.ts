import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { memberNotFound } from '#api/errors.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import {
  AdminMemberDetail,
  AdminMemberList,
  AdminMemberParams,
  AdminMemberQuery,
  MemberCounts,
} from '#shared/contract/members.ts'
import { MemberAtRiskList, MemberAtRiskQuery } from '#shared/contract/risk.ts'
import { countMembers, findMember, listMembers } from './queries.ts'
import { listAtRisk } from './risk-queries.ts'

const defaultPage = 200

/** Actions on a member are loaded when needed. */
export const memberRoutes = (ctx: Context) =>
  new Elysia({ name: 'members', tags: ['Members'] })
    .use(session(ctx))
    .get(
      '/api/admin/members',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listMembers(ctx, { ...query, limit: query.limit ?? defaultPage })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists members, with search and filters.',
        query: AdminMemberQuery,
        response: { 200: AdminMemberList, ...errorResponses },
      },
    )
    .get('/api/admin/members/counts', () => countMembers(ctx), {
      owner: true,
      apart: 'report',
      says: 'Counts members by status.',
      response: { 200: MemberCounts, ...errorResponses },
    })
    .get(
      '/api/admin/members-at-risk',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listAtRisk(ctx, { ...query, limit: query.limit ?? defaultPage })),
      {
        owner: true,
        apart: 'report',
        says: 'Lists members who may be about to leave.',
        query: MemberAtRiskQuery,
        response: { 200: MemberAtRiskList, ...errorResponses },
      },
    )
    .get(
      '/api/admin/member/:memberId',
      ({ params }) => {
        const member = findMember(ctx, params.memberId)
        if (member === null) throw memberNotFound()
        return member
      },
      {
        owner: true,
        says: 'Shows one member, by id or email address.',
        params: AdminMemberParams,
        response: { 200: AdminMemberDetail, ...errorResponses },
      },
    )
