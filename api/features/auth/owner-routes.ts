import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { type Person, session } from '#api/http/session.ts'
import { Impersonation, ImpersonationParams, ImpersonationRequest } from '#shared/contract/impersonation.ts'
import {
  AdminSessionList,
  AdminSessionQuery,
  RevokeSessionsRequest,
  RevokeSessionsResponse,
} from '#shared/contract/sessions.ts'
import { startImpersonation, stopImpersonation } from './impersonation-service.ts'
import { sessionUser } from './service.ts'
import { cursorOf, listSessions, revokeSessions } from './session-list-service.ts'

const defaultPage = 200

const viewing = (person: Person) => ({ success: true as const, user: sessionUser(person) })

export const sessionRoutes = (ctx: Context) =>
  new Elysia({ name: 'sessions' })
    .use(session(ctx))
    .get(
      '/api/admin/sessions',
      ({ query: { limit = defaultPage, cursor, email }, set }) => {
        const rows = listSessions(ctx, { limit: limit + 1, cursor, email })
        const shown = rows.slice(0, limit)
        const last = shown.at(-1)
        if (rows.length > limit && last !== undefined) {
          const next = new URLSearchParams({ limit: String(limit), cursor: cursorOf(last) })
          if (email !== undefined) next.set('email', email)
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
