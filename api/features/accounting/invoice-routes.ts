import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { documentPage, documentStyle } from '#api/documents/invoice-page.ts'
import type { PageStyle } from '#api/documents/plain-page.ts'
import {
  type DocumentRef,
  documentPath,
  openDocument,
  pdfOf,
  relatedTo,
} from '#api/features/invoices/document-service.ts'
import { exportedInvoices } from '#api/features/invoices/export-service.ts'
import { documentNumbers, skipNumbers } from '#api/features/invoices/left-out-numbers-service.ts'
import { listInvoices, listInvoicesOfUser } from '#api/features/invoices/list-queries.ts'
import { brandedStyle } from '#api/features/site/brand/service.ts'
import { readApart } from '#api/http/apart.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { fontOf, type Site } from '#api/http/page-cache.ts'
import { session } from '#api/http/session.ts'
import { streamedResponse } from '#api/http/streamed-response.ts'
import type { Member } from '#api/identity/person.ts'
import { assertMayDownload } from '#api/identity/tickets.ts'
import { taggedResponse, toTaggedJson } from '#api/serving/kept-answers.ts'
import { InvoiceList } from '#shared/contract/billing.ts'
import {
  AdminInvoiceList,
  AdminInvoiceQuery,
  DeleteInvoicesRequest,
  DeleteInvoicesResponse,
  DocumentNumbers,
  DocumentParams,
  ExportQuery,
  FixInvoicesRequest,
  FixInvoicesResponse,
  SkipNumbersRequest,
} from '#shared/contract/invoices.ts'
import { TicketQuery } from '#shared/contract/move-out.ts'
import { withByteOrderMark } from '#shared/rules/csv.ts'
import { deleteMemberInvoices } from './invoice-removal-service.ts'
import { repairMemberInvoices } from './repair-service.ts'

const defaultPage = 200

const wholeRun = { dryRun: false }

/** A new object each time, because Elysia mutates a route's options. */
const documentRoute = (type: string, says: string) => ({
  person: true as const,
  says,
  tags: ['Your membership'],
  params: DocumentParams,
  response: { 200: fileOf(type), ...errorResponses },
})

export function invoiceRoutes(ctx: Context, site?: Site) {
  const style = brandedStyle(ctx, fontOf(site), documentStyle)
  const page = (kind: DocumentRef['kind']) => (call: Call) => respondWithHtml(ctx, style(), { ...call, kind })
  const pdf = (kind: DocumentRef['kind']) => (call: Call) => respondWithPdf(ctx, { ...call, kind })
  return new Elysia({ name: 'invoices', tags: ['Invoices and VAT'] })
    .use(session(ctx))
    .get(
      '/api/billing/invoices',
      ({ person, request, set }) =>
        taggedResponse({ request, set }, toTaggedJson(InvoiceList, listInvoicesOfUser(ctx, person.id))),
      {
        person: true,
        says: 'Lists your invoices and credit notes.',
        tags: ['Your membership'],
        response: { 200: InvoiceList, ...errorResponses },
      },
    )
    .get('/api/billing/invoices/:id', page('invoice'), documentRoute('text/html', 'Shows an invoice as a page.'))
    .get(
      '/api/billing/invoices/:id/pdf',
      pdf('invoice'),
      documentRoute('application/pdf', 'Downloads an invoice as a PDF.'),
    )
    .get(
      '/api/billing/credit-notes/:id',
      page('credit_note'),
      documentRoute('text/html', 'Shows a credit note as a page.'),
    )
    .get(
      '/api/billing/credit-notes/:id/pdf',
      pdf('credit_note'),
      documentRoute('application/pdf', 'Downloads a credit note as a PDF.'),
    )
    .get(
      '/api/admin/invoices',
      (call) => respondWithPage(call, listInvoices(ctx, { ...call.query, limit: call.query.limit ?? defaultPage })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists invoices and credit notes.',
        query: AdminInvoiceQuery,
        response: { 200: AdminInvoiceList, ...errorResponses },
      },
    )
    .get(
      '/api/admin/exports/invoices.csv',
      async ({ owner, query, request, set, server }) => {
        assertMayDownload(ctx, owner, { file: 'invoices.csv', ticket: query.ticket })
        return (await readApart(ctx, { request, set, server, kind: 'report' })) ?? respondWithCsv(ctx, query, set)
      },
      {
        owner: 'asks when there’s neither a ticket nor a token made for files',
        says: 'Downloads invoices and credit notes as CSV.',
        query: v.intersect([ExportQuery, TicketQuery]),
        response: { 200: fileOf('text/csv'), ...errorResponses },
      },
    )
    .post(
      '/api/admin/fix-member-invoices',
      ({ owner, body, request, server }) => {
        // It reads every member from the provider, which takes longer than the server's idle timeout.
        server?.timeout(request, 0)
        return repairMemberInvoices(ctx, owner.actor, body ?? wholeRun)
      },
      {
        owner: 'papers of ours; no money moves',
        says: 'Issues invoices that are missing.',
        audit: 'invoices.fixed',
        body: v.nullish(FixInvoicesRequest),
        response: { 200: FixInvoicesResponse, ...errorResponses },
      },
    )
    .get('/api/admin/document-numbers', () => documentNumbers(ctx), {
      owner: true,
      says: 'Shows the next document numbers, and any left out.',
      response: { 200: DocumentNumbers, ...errorResponses },
    })
    .post('/api/admin/document-numbers/skip', ({ owner, body }) => skipNumbers(ctx, owner.actor, body), {
      owner: 'papers of ours; no money moves',
      says: 'Leaves out numbers given before a backup was restored.',
      audit: 'invoices.skipped',
      body: SkipNumbersRequest,
      response: { 200: DocumentNumbers, ...errorResponses },
    })
    .post('/api/admin/delete-member-invoices', ({ owner, body }) => deleteMemberInvoices(ctx, owner.actor, body), {
      owner: 'papers of ours; no money moves',
      says: 'Credits invoices that were issued too late.',
      audit: 'invoices.deleted',
      body: DeleteInvoicesRequest,
      response: { 200: DeleteInvoicesResponse, ...errorResponses },
    })
}

type Call = { person: Member; params: { id: string }; set: { headers: Record<string, string | number | undefined> } }
type ResponseSet = Call['set']

function respondWithCsv(ctx: Context, query: ExportQuery, set: ResponseSet): Promise<Response> {
  const days = [query.from && `from-${query.from}`, query.to && `to-${query.to}`].filter(Boolean)
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${['vat-invoices', ...days].join('-')}.csv"`,
    'cache-control': notStored,
  }
  return streamedResponse(ctx, set, { pieces: withByteOrderMark(exportedInvoices(ctx, query)), headers })
}

type DocumentCall = Call & { kind: DocumentRef['kind'] }

/** Neither in a shared cache nor in this browser's, because the next person may use the same device. */
const notStored = 'private, no-store'

function respondWithHtml(ctx: Context, style: PageStyle, { person, params, set, kind }: DocumentCall): string {
  const ref = { kind, id: params.id }
  const { document, invoice } = openDocument(ctx, person, ref)
  set.headers['content-type'] = 'text/html; charset=utf-8'
  set.headers['cache-control'] = notStored
  set.headers['content-security-policy'] = style.policy
  return documentPage(style, { document, pdfHref: `${documentPath(ref)}/pdf`, related: relatedTo(ctx, ref, invoice) })
}

async function respondWithPdf(
  ctx: Context,
  { person, params, set, kind }: DocumentCall,
): Promise<Uint8Array<ArrayBuffer>> {
  const { fileName, bytes } = await pdfOf(ctx, openDocument(ctx, person, { kind, id: params.id }), person.id)
  set.headers['content-type'] = 'application/pdf'
  set.headers['content-disposition'] = `inline; filename="${fileName}"`
  set.headers['cache-control'] = notStored
  return bytes
}
