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
      owner: true,
      says: 'Ends one login, or all of an account’s.',
      body: RevokeSessionsRequest,
      response: { 200: RevokeSessionsResponse, ...errorResponses },
    })
    .post('/api/admin/tokens', ({ owner, body }) => makeApiToken(ctx, owner, body), {
      provenOwner: true,
      says: 'Makes a token for a program.',
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
        params: ImpersonationParams,
        body: ImpersonationRequest,
        response: { 200: Impersonation, ...errorResponses },
      },
    )
    .post('/api/admin/stop-impersonating', ({ impersonator }) => viewing(stopImpersonation(ctx, impersonator)), {
      impersonator: true,
      says: 'Ends viewing as a member. Browsers only.',
      response: { 200: Impersonation, ...errorResponses },
    })
