import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { listMail, listSuppressed, readMailStop } from '#api/mail/outbox-queries.ts'
import {
  AdminMail,
  AdminMailList,
  AdminMailParams,
  AdminMailQuery,
  BounceReport,
  BounceRequest,
  MailStopped,
  ResendPlan,
  ResendQuery,
  ResendRequest,
  SuppressedAddress,
  SuppressedAddressList,
  SuppressedParams,
  SuppressRequest,
  TestMailRequest,
} from '#shared/contract/mail.ts'
import { recordBounce } from './bounce-service.ts'
import { planResend, resendAll } from './resend-service.ts'
import { allowAddress, mailById, resendMail, sendTestMail, suppressAddress } from './service.ts'

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
    .get('/api/admin/mail-resend', ({ query }) => planResend(ctx, query.since), {
      owner: true,
      query: ResendQuery,
      response: { 200: ResendPlan, ...errorResponses },
    })
    .post('/api/admin/mail-resend', ({ owner, body }) => resendAll(ctx, owner, body), {
      provenOwner: true,
      body: ResendRequest,
      response: { 200: ResendPlan, ...errorResponses },
    })
    .get('/api/admin/mail-stop', () => ({ stop: readMailStop(ctx) }), {
      owner: true,
      response: { 200: MailStopped, ...errorResponses },
    })
    .post('/api/admin/mail-test', ({ owner, body }) => sendTestMail(ctx, owner, body.email), {
      owner: true,
      body: TestMailRequest,
      response: { 200: AdminMail, ...errorResponses },
    })
    .post('/api/admin/bounces', ({ owner, body }) => recordBounce(ctx, owner, body), {
      owner: true,
      body: BounceRequest,
      response: { 200: BounceReport, ...errorResponses },
    })
    .get('/api/admin/suppressed-addresses', () => listSuppressed(ctx), {
      owner: true,
      response: { 200: SuppressedAddressList, ...errorResponses },
    })
    .post('/api/admin/suppressed-addresses', ({ owner, body }) => suppressAddress(ctx, owner, body), {
      owner: true,
      body: SuppressRequest,
      response: { 200: SuppressedAddress, ...errorResponses },
    })
    .delete('/api/admin/suppressed-addresses/:email', ({ owner, params }) => allowAddress(ctx, owner, params.email), {
      owner: true,
      params: SuppressedParams,
      response: { 200: SuppressedAddress, ...errorResponses },
    })
