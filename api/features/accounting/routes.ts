import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { listCredits } from '#api/features/subscriptions/credit-queries.ts'
import { downloadApart, readApart } from '#api/http/apart.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { archiveResponse, streamedResponse } from '#api/http/streamed-response.ts'
import { assertMayDownload } from '#api/identity/tickets.ts'
import { requestForOwners } from '#api/stripe/errors.ts'
import {
  AccountsQuery,
  AnswerCreditRequest,
  AnsweredCredit,
  CreditInvoiceRequest,
  CreditInvoiceResponse,
  CreditParams,
  InvoiceDetail,
  InvoiceLint,
  InvoiceRefParams,
  MemberCreditList,
  VatParams,
  VatReturn,
} from '#shared/contract/accounting.ts'
import { AccountantQuery } from '#shared/contract/earned.ts'
import { TicketQuery } from '#shared/contract/move-out.ts'
import {
  AdminPaymentList,
  AdminPaymentQuery,
  DisputeParams,
  LostDispute,
  LostDisputeQuery,
  PayoutDetail,
  PayoutList,
  PayoutParams,
} from '#shared/contract/payments.ts'
import { accountantZip } from './accountant-service.ts'
import { accountExport } from './accounting-export-rules.ts'
import { exportedAccounts } from './accounting-export-service.ts'
import { answerCredit } from './credit-service.ts'
import { recordLostDispute } from './dispute-service.ts'
import { creditInvoice, invoiceDetail, invoicePdf } from './invoice-service.ts'
import { lintInvoices } from './lint-service.ts'
import { listPayments } from './payment-queries.ts'
import { listPayouts, readPayout } from './payout-service.ts'
import { vatReturn } from './vat-service.ts'

type ResponseSet = { headers: Record<string, string | number | undefined> }

const defaultPage = 200

export const accountingRoutes = (ctx: Context) =>
  new Elysia({ name: 'accounting' }).use(documentRoutes(ctx)).use(moneyRoutes(ctx))

const moneyRoutes = (ctx: Context) =>
  new Elysia({ name: 'accounting-money', tags: ['Money'] })
    .use(session(ctx))
    .get(
      '/api/admin/payments',
      (call) => respondWithPage(call, listPayments(ctx, { ...call.query, limit: call.query.limit ?? defaultPage })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists the newest payments, as Stripe has them.',
        query: AdminPaymentQuery,
        response: { 200: AdminPaymentList, ...errorResponses },
      },
    )
    .post(
      '/api/admin/payments/:charge/lost',
      ({ owner, params, query }) => recordLostDispute(ctx, owner, { ...params, dryRun: query.dryRun === 'true' }),
      {
        provenOwner: 'unless-dry-run',
        says: 'Books a lost dispute as a refund.',
        audit: 'invoice.dispute_lost',
        params: DisputeParams,
        query: LostDisputeQuery,
        response: { 200: LostDispute, ...errorResponses },
      },
    )
    .get('/api/admin/payouts', () => requestForOwners(ctx, 'we can’t list the payouts', () => listPayouts(ctx)), {
      owner: true,
      says: 'Lists what Stripe paid into your bank.',
      response: { 200: PayoutList, ...errorResponses },
    })
    .get(
      '/api/admin/payouts/:id',
      ({ params }) => requestForOwners(ctx, 'we can’t show the payout', () => readPayout(ctx, params.id)),
      {
        owner: true,
        says: 'Shows the payments, refunds and fees in a payout.',
        params: PayoutParams,
        response: { 200: PayoutDetail, ...errorResponses },
      },
    )

const documentRoutes = (ctx: Context) =>
  new Elysia({ name: 'accounting-documents', tags: ['Invoices and VAT'] })
    .use(session(ctx))
    .get('/api/admin/invoice-lint', () => lintInvoices(ctx), {
      owner: true,
      apart: 'report',
      says: 'Checks every invoice and lists what’s wrong.',
      response: { 200: InvoiceLint, ...errorResponses },
    })
    .get('/api/admin/credits', () => listCredits(ctx), {
      owner: true,
      apart: 'report',
      says: 'Lists credit on members’ balances at Stripe that owners have to say something about.',
      response: { 200: MemberCreditList, ...errorResponses },
    })
    .post(
      '/api/admin/credits/:id/answer',
      ({ owner, params, body }) => answerCredit(ctx, owner, { ...params, ...body }),
      {
        owner: 'papers of ours; no money moves',
        says: 'Says whether a credit was money or goodwill, and issues the invoices it changes again.',
        audit: 'invoice.credit_named',
        params: CreditParams,
        body: AnswerCreditRequest,
        response: { 200: AnsweredCredit, ...errorResponses },
      },
    )
    .get('/api/admin/vat/:quarter', ({ params }) => vatReturn(ctx, params.quarter), {
      owner: true,
      apart: 'report',
      says: 'Shows the boxes of a quarter’s VAT return.',
      params: VatParams,
      response: { 200: VatReturn, ...errorResponses },
    })
    .get(
      '/api/admin/exports/accounts.csv',
      async ({ owner, query, request, set, server }) => {
        assertMayDownload(ctx, owner, { file: 'accounts.csv', ticket: query.ticket })
        return (await readApart(ctx, { request, set, server, kind: 'report' })) ?? respondWithAccounts(ctx, query, set)
      },
      {
        owner: 'asks when there’s neither a ticket nor a token made for files',
        says: 'Downloads a period’s documents for your accounting program.',
        query: v.intersect([AccountsQuery, TicketQuery]),
        response: { 200: fileOf('text/csv'), ...errorResponses },
      },
    )
    .get(
      '/api/admin/exports/accountant.zip',
      async ({ owner, query, set, request, server }) => {
        assertMayDownload(ctx, owner, { file: 'accountant.zip', ticket: query.ticket })
        // Each invoice may have to be drawn, which takes longer than the server's idle timeout.
        server?.timeout(request, 0)
        const apart = await downloadApart(ctx, { request, set })
        return apart ?? archiveResponse(ctx, accountantZip(ctx, query.period), set)
      },
      {
        owner: 'asks when there’s neither a ticket nor a token made for files',
        says: 'Downloads a period for your accountant: CSV, PDFs and a cover sheet.',
        query: v.intersect([AccountantQuery, TicketQuery]),
        response: { 200: fileOf('application/zip'), ...errorResponses },
      },
    )
    .get('/api/admin/invoice/:ref', ({ params }) => invoiceDetail(ctx, params.ref), {
      owner: true,
      says: 'Shows a document as a page, by number or id.',
      params: InvoiceRefParams,
      response: { 200: InvoiceDetail, ...errorResponses },
    })
    .get('/api/admin/invoice/:ref/pdf', ({ params, set }) => respondWithPdf(ctx, params.ref, set), {
      owner: true,
      says: 'Downloads a document as a PDF.',
      params: InvoiceRefParams,
      response: { 200: fileOf('application/pdf'), ...errorResponses },
    })
    .post(
      '/api/admin/invoice/:ref/credit',
      ({ owner, params, body }) => creditInvoice(ctx, owner, { ...params, ...body }),
      {
        owner: 'papers of ours; no money moves',
        says: 'Credits an invoice and issues it again. No money moves.',
        audit: 'invoice.credited',
        params: InvoiceRefParams,
        body: CreditInvoiceRequest,
        response: { 200: CreditInvoiceResponse, ...errorResponses },
      },
    )

function respondWithAccounts(ctx: Context, query: AccountsQuery, set: ResponseSet): Promise<Response> {
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${query.format}.csv"`,
  }
  const pieces = exportedAccounts(ctx, query, accountExport(query.format, query.sales))
  return streamedResponse(ctx, set, { pieces, headers })
}

async function respondWithPdf(ctx: Context, ref: string, { headers }: ResponseSet): Promise<Uint8Array<ArrayBuffer>> {
  const { fileName, bytes } = await invoicePdf(ctx, ref)
  headers['content-type'] = 'application/pdf'
  headers['content-disposition'] = `inline; filename="${fileName}"`
  return bytes
}
