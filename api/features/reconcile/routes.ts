import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { Done } from '#shared/contract/auth.ts'
import { MemberSync } from '#shared/contract/jobs.ts'
import { AdminMemberParams } from '#shared/contract/members.ts'
import { syncMember } from './drift-service.ts'
import { receiveEvent } from './webhook-service.ts'

export const reconcileRoutes = (ctx: Context) =>
  new Elysia({ name: 'reconcile' })
    .use(session(ctx))
    .post(
      '/api/stripe/webhook',
      async ({ body, request }) => {
        await receiveEvent(ctx, body, request.headers.get('stripe-signature'))
        return { success: true as const }
      },
      { open: true, body: v.string(), response: { 200: Done, ...errorResponses } },
    )
    .post('/api/admin/members/:memberId/sync', ({ owner, params }) => syncMember(ctx, owner, params.memberId), {
      owner: true,
      params: AdminMemberParams,
      response: { 200: MemberSync, ...errorResponses },
    })
