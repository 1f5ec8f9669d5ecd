import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { limitPublicForm } from '#api/http/rate-limits.ts'
import { session } from '#api/http/session.ts'
import { MembershipApplicationRequest, MembershipApplicationResponse } from '#shared/contract/application.ts'
import { applyForMembership } from './service.ts'

export const applicationRoutes = (ctx: Context) =>
  new Elysia({ name: 'applications' }).use(session(ctx)).post(
    '/api/membership-application',
    ({ body, address, request }) => {
      limitPublicForm(ctx, 'membership-application', address)
      return applyForMembership(ctx, body, request.headers.get('idempotency-key') ?? undefined)
    },
    {
      visitor: true,
      body: MembershipApplicationRequest,
      response: { 200: MembershipApplicationResponse, ...errorResponses },
    },
  )
