import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
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
      ({ query: { limit = defaultPage, cursor, status, to }, set }) => {
        const mails = listMail(ctx, { limit: limit + 1, cursor, status, to })
        const page = mails.slice(0, limit)
        const last = page.at(-1)
        if (mails.length > limit && last !== undefined) {
          const next = new URLSearchParams({ limit: String(limit), cursor: last.id })
          if (status !== undefined) next.set('status', status)
          if (to !== undefined) next.set('to', to)
          set.headers.link = `</api/admin/mail?${next}>; rel="next"`
        }
        return page
      },
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
