import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { AuditEntryList, AuditQuery } from '#shared/contract/audit.ts'
import { listAudit } from './queries.ts'

export const auditRoutes = (ctx: Context) =>
  new Elysia({ name: 'audit', tags: ['Owners and logins'] })
    .use(session(ctx))
    .get('/api/admin/audit', (call) => respondWithPage(call, listAudit(ctx, call.query)), {
      owner: true,
      apart: 'list',
      says: 'Lists who changed what, and when.',
      query: AuditQuery,
      response: { 200: AuditEntryList, ...errorResponses },
    })
