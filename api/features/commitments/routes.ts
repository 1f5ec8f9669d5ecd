import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import {
  Commitment,
  CommitmentListQuery,
  CommitmentProposal,
  CommitmentSyncRequest,
  CommitmentSyncResponse,
  ListedCommitmentList,
  MemberCommitments,
} from '#shared/contract/commitments.ts'
import { AdminMemberParams } from '#shared/contract/members.ts'
import { serverTimeHeader } from '#shared/contract/progress.ts'
import { proposeCommitment, readMemberCommitments } from './proposal-service.ts'
import { openCommitments } from './queries.ts'
import { isUnchanged, syncCommitments } from './service.ts'

const defaultPage = 50

export const commitmentRoutes = (ctx: Context) =>
  new Elysia({ name: 'commitments' }).use(memberCommitmentRoutes(ctx)).use(ownerCommitmentRoutes(ctx))

const memberCommitmentRoutes = (ctx: Context) =>
  new Elysia({ name: 'own-commitments', prefix: '/api/members/commitments', tags: ['Your account'] })
    .use(session(ctx))
    .post(
      '/sync',
      ({ member, body, set, status }) => {
        const response = syncCommitments(ctx, member, body)
        if (!isUnchanged(body, response)) return response
        // There's no body, so the usual headers don't apply.
        set.headers = { [serverTimeHeader]: response.serverTime }
        return status(204, undefined)
      },
      {
        member: true,
        says: 'Sends a phone’s changes to what you said you’d do, and returns what’s new.',
        body: CommitmentSyncRequest,
        response: { 200: CommitmentSyncResponse, 204: v.void(), ...errorResponses },
      },
    )

const ownerCommitmentRoutes = (ctx: Context) =>
  new Elysia({ name: 'members-commitments', tags: ['Members'] })
    .use(session(ctx))
    .get('/api/admin/members/:memberId/commitments', ({ params }) => readMemberCommitments(ctx, params.memberId), {
      owner: true,
      says: 'Lists what a member said they’d do, and how much of it they kept.',
      params: AdminMemberParams,
      response: { 200: MemberCommitments, ...errorResponses },
    })
    .post(
      '/api/admin/members/:memberId/commitments',
      ({ owner, params, body }) => proposeCommitment(ctx, owner, { ...body, userId: params.memberId }),
      {
        owner: 'the member accepts it, or doesn’t',
        says: 'Suggests something for a member to do.',
        audit: 'commitment.proposed',
        params: AdminMemberParams,
        body: CommitmentProposal,
        response: { 200: Commitment, ...errorResponses },
      },
    )
    .get(
      '/api/admin/commitments',
      ({ request, set, query: { due = 'all', limit = defaultPage, cursor } }) =>
        respondWithPage({ request, set }, openCommitments(ctx, { due, limit, cursor })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists what members said they’d do and haven’t yet, the next due first.',
        query: CommitmentListQuery,
        response: { 200: ListedCommitmentList, ...errorResponses },
      },
    )
