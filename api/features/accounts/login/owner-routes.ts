import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { linkToNextPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import type { Person } from '#api/identity/person.ts'
import { Impersonation, ImpersonationParams, ImpersonationRequest } from '#shared/contract/impersonation.ts'
import {
  AdminSessionList,
  AdminSessionQuery,
  ApiToken,
  ApiTokenRequest,
  RevokeSessionsRequest,
  RevokeSessionsResponse,
} from '#shared/contract/sessions.ts'
import { startImpersonation, stopImpersonation } from './impersonation-service.ts'
import { sessionUser } from './service.ts'
import { cursorOf, listSessions, revokeSessions } from './session-list-service.ts'
import { makeApiToken } from './session-service.ts'

const defaultPage = 200

const viewing = (person: Person) => ({ success: true as const, user: sessionUser(person) })

export const sessionRoutes = (ctx: Context) =>
  new Elysia({ name: 'sessions', tags: ['Owners and logins'] })
    .use(session(ctx))
    .get(
      '/api/admin/sessions',
      ({ owner, query, request, set }) => {
        const { limit = defaultPage } = query
        const rows = listSessions(ctx, owner, { ...query, limit: limit + 1 })
        const last = rows[limit - 1]
        linkToNextPage({ request, set }, rows.length > limit && last !== undefined ? cursorOf(last) : null)
        return rows.slice(0, limit)
      },
      {
        owner: true,
        says: 'Lists everyone’s logins.',
        query: AdminSessionQuery,
        response: { 200: AdminSessionList, ...errorResponses },
      },
    )
    .post('/api/admin/sessions/revoke', ({ owner, body }) => revokeSessions(ctx, owner, body), {
      owner: 'asks when another owner’s logins end',
      says: 'Ends one login, or all of an account’s.',
      audit: 'session.revoked',
      body: RevokeSessionsRequest,
      response: { 200: RevokeSessionsResponse, ...errorResponses },
    })
    .post('/api/admin/tokens', ({ owner, body }) => makeApiToken(ctx, owner, body), {
      provenOwner: true,
      says: 'Makes a token for a program.',
      audit: 'token.made',
      body: ApiTokenRequest,
      response: { 200: ApiToken, ...errorResponses },
    })
    .post(
      '/api/admin/impersonate/:memberId',
      ({ impersonator, params, body }) =>
        viewing(startImpersonation(ctx, impersonator, { ...params, reason: body?.reason ?? null })),
      {
        impersonator: true,
        says: 'Shows you the site as a member sees it. Browsers only.',
        audit: 'impersonation.started',
        params: ImpersonationParams,
        body: ImpersonationRequest,
        response: { 200: Impersonation, ...errorResponses },
      },
    )
    .post('/api/admin/stop-impersonating', ({ impersonator }) => viewing(stopImpersonation(ctx, impersonator)), {
      impersonator: true,
      says: 'Ends viewing as a member. Browsers only.',
      audit: 'impersonation.stopped',
      response: { 200: Impersonation, ...errorResponses },
    })
