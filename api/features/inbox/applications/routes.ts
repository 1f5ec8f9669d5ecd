import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { assertUnknownAddress } from '#api/features/billing/purchases/buyer-service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import {
  ApplicantEmail,
  MembershipApplicationRequest,
  MembershipApplicationResponse,
} from '#shared/contract/application.ts'
import { Done } from '#shared/contract/auth.ts'
import { applyForMembership } from './service.ts'

export const applicationRoutes = (ctx: Context) =>
  new Elysia({ name: 'applications', tags: ['Joining'] })
    .use(session(ctx))
    .post(
      '/api/membership-application',
      ({ body, address, request }) => {
        limitPublicForm(ctx, 'membership-application', address)
        return applyForMembership(ctx, body, request.headers.get('idempotency-key') ?? undefined)
      },
      {
        visitor: true,
        says: 'Sends or updates a membership application.',
        body: MembershipApplicationRequest,
        response: { 200: MembershipApplicationResponse, ...errorResponses },
      },
    )
    .post(
      '/api/membership-application/email',
      ({ body, address, person }) => {
        limitPublicForm(ctx, 'membership-application-email', address)
        assertUnknownAddress(ctx, body.email, { person, address })
        return { success: true } as const
      },
      {
        visitor: true,
        says: 'Checks that an email address has no account yet.',
        body: ApplicantEmail,
        response: { 200: Done, ...errorResponses },
      },
    )
