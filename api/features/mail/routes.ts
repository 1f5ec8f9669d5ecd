import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { AdminMail, AdminMailList, AdminMailParams, AdminMailQuery } from '#shared/contract/mail.ts'
import { listMail } from './queries.ts'
import { mailById, resendMail } from './service.ts'

const defaultPage = 200

export const mailRoutes = (ctx: Context) =>
  new Elysia({ name: 'mail' })
    .use(session(ctx))
    .get(
      '/api/admin/mail',
      (call) => respondWithPage(call, listMail(ctx, { ...call.query, limit: call.query.limit ?? defaultPage })),
      { owner: true, query: AdminMailQuery, response: { 200: AdminMailList, ...errorResponses } },
    )
    .get('/api/admin/mail/:mailId', ({ params }) => mailById(ctx, params.mailId), {
      owner: true,
      params: AdminMailParams,
      response: { 200: AdminMail, ...errorResponses },
    })
    .post('/api/admin/mail/:mailId/resend', ({ owner, params }) => resendMail(ctx, owner, params.mailId), {
      owner: true,
      params: AdminMailParams,
      response: { 200: AdminMail, ...errorResponses },
    })
