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
  new Elysia({ name: 'mail', tags: ['Emails'] })
    .use(session(ctx))
    .get(
      '/api/admin/mail',
      (call) => respondWithPage(call, listMail(ctx, { ...call.query, limit: call.query.limit ?? defaultPage })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists emails and whether they went out.',
        query: AdminMailQuery,
        response: { 200: AdminMailList, ...errorResponses },
      },
    )
    .get('/api/admin/mail/:mailId', ({ params }) => mailById(ctx, params.mailId), {
      owner: true,
      says: 'Shows an email.',
      params: AdminMailParams,
      response: { 200: AdminMail, ...errorResponses },
    })
    .post('/api/admin/mail/:mailId/resend', ({ owner, params }) => resendMail(ctx, owner, params.mailId), {
      owner: 'the same mail to the same address',
      says: 'Sends a failed email again.',
      audit: 'mail.resent',
      params: AdminMailParams,
      response: { 200: AdminMail, ...errorResponses },
    })
    .get('/api/admin/mail-resend', ({ query }) => planResend(ctx, query.since), {
      owner: true,
      says: 'Lists the refused emails that would be sent again.',
      query: ResendQuery,
      response: { 200: ResendPlan, ...errorResponses },
    })
    .post('/api/admin/mail-resend', ({ owner, body }) => resendAll(ctx, owner, body), {
      provenOwner: true,
      says: 'Sends refused emails again, at a campaign’s pace.',
      audit: 'mail.resent',
      body: ResendRequest,
      response: { 200: ResendPlan, ...errorResponses },
    })
    .get('/api/admin/mail-stop', () => ({ stop: readMailStop(ctx) }), {
      owner: true,
      says: 'Says if the queue has stopped because our sender is refused.',
      response: { 200: MailStopped, ...errorResponses },
    })
    .post('/api/admin/mail-test', ({ owner, body }) => sendTestMail(ctx, owner, body.email), {
      owner: 'it says nothing but that mail arrives',
      says: 'Sends a test email.',
      audit: 'mail.tested',
      body: TestMailRequest,
      response: { 200: AdminMail, ...errorResponses },
    })
    .post('/api/admin/bounces', ({ owner, body }) => recordBounce(ctx, owner, body), {
      owner: 'it decides only whether our mail goes to an address',
      says: 'Takes a report of an email that bounced.',
      audit: ['mail.suppressed', 'mail.returned'],
      body: BounceRequest,
      response: { 200: BounceReport, ...errorResponses },
    })
    .get('/api/admin/suppressed-addresses', () => listSuppressed(ctx), {
      owner: true,
      says: 'Lists blocked addresses.',
      response: { 200: SuppressedAddressList, ...errorResponses },
    })
    .post('/api/admin/suppressed-addresses', ({ owner, body }) => suppressAddress(ctx, owner, body), {
      owner: 'it decides only whether our mail goes to an address',
      says: 'Blocks an address from all emails.',
      audit: 'mail.suppressed',
      body: SuppressRequest,
      response: { 200: SuppressedAddress, ...errorResponses },
    })
    .delete('/api/admin/suppressed-addresses/:email', ({ owner, params }) => allowAddress(ctx, owner, params.email), {
      owner: 'it decides only whether our mail goes to an address',
      says: 'Unblocks an address.',
      audit: 'mail.allowed',
      params: SuppressedParams,
      response: { 200: SuppressedAddress, ...errorResponses },
    })
