import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { type Person, session } from '#api/http/session.ts'
import { AuditEntryList, AuditQuery } from '#shared/contract/audit.ts'
import { Impersonation, ImpersonationParams, ImpersonationRequest } from '#shared/contract/impersonation.ts'
import {
  AdminSessionList,
  AdminSessionQuery,
  ApiToken,
  ApiTokenRequest,
  RevokeSessionsRequest,
  RevokeSessionsResponse,
} from '#shared/contract/sessions.ts'
import { listAudit } from './audit-queries.ts'
import { startImpersonation, stopImpersonation } from './impersonation-service.ts'
import { sessionUser } from './service.ts'
import { cursorOf, listSessions, revokeSessions } from './session-list-service.ts'
import { makeApiToken } from './token-service.ts'

const defaultPage = 200

const viewing = (person: Person) => ({ success: true as const, user: sessionUser(person) })

export const sessionRoutes = (ctx: Context) =>
  new Elysia({ name: 'sessions' })
    .use(session(ctx))
    .get(
      '/api/admin/sessions',
      ({ owner, query: { limit = defaultPage, cursor, email, kind, own }, set }) => {
        const rows = listSessions(ctx, owner, { limit: limit + 1, cursor, email, kind, own })
        const shown = rows.slice(0, limit)
        const last = shown.at(-1)
        if (rows.length > limit && last !== undefined) {
          const next = new URLSearchParams({ limit: String(limit), cursor: cursorOf(last) })
          if (email !== undefined) next.set('email', email)
          if (kind !== undefined) next.set('kind', kind)
          if (own !== undefined) next.set('own', own)
          set.headers.link = `</api/admin/sessions?${next}>; rel="next"`
        }
        return shown
      },
      { owner: true, query: AdminSessionQuery, response: { 200: AdminSessionList, ...errorResponses } },
    )
    .post('/api/admin/sessions/revoke', ({ owner, body }) => revokeSessions(ctx, owner, body), {
      owner: true,
      body: RevokeSessionsRequest,
      response: { 200: RevokeSessionsResponse, ...errorResponses },
    })
    .post('/api/admin/tokens', ({ owner, body, address }) => makeApiToken(ctx, owner, body, address), {
      owner: true,
      body: ApiTokenRequest,
      response: { 200: ApiToken, ...errorResponses },
    })
    .get('/api/admin/audit', (call) => respondWithPage(call, listAudit(ctx, call.query)), {
      owner: true,
      query: AuditQuery,
      response: { 200: AuditEntryList, ...errorResponses },
    })
    .post(
      '/api/admin/impersonate/:memberId',
      ({ impersonator, params, body }) =>
        viewing(startImpersonation(ctx, impersonator, { ...params, reason: body?.reason ?? null })),
      {
        impersonator: true,
        params: ImpersonationParams,
        body: ImpersonationRequest,
        response: { 200: Impersonation, ...errorResponses },
      },
    )
    .post('/api/admin/stop-impersonating', ({ impersonator }) => viewing(stopImpersonation(ctx, impersonator)), {
      impersonator: true,
      response: { 200: Impersonation, ...errorResponses },
    })
