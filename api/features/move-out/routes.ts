import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { downloadApart } from '#api/http/apart.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { session } from '#api/http/session.ts'
import { archiveResponse } from '#api/http/streamed-response.ts'
import { assertTicket } from '#api/identity/tickets.ts'
import { Done } from '#shared/contract/auth.ts'
import { Export, ExportQuery, FileRequest, FileTicket, ListExport } from '#shared/contract/move-out.ts'
import { askForExport, askForFile, everythingFile, exportEverything, recordListExport } from './export-service.ts'

export const moveOutRoutes = (ctx: Context) =>
  new Elysia({ name: 'move-out', tags: ['Invoices and VAT'] })
    .use(session(ctx))
    .post('/api/admin/exports/all', ({ owner }) => askForExport(ctx, owner), {
      provenOwner: true,
      says: 'Starts an export of everything: says how large it is, and gives its download’s ticket.',
      audit: 'backup.exported',
      response: { 200: Export, ...errorResponses },
    })
    .post('/api/admin/exports/files', ({ owner, body }) => askForFile(ctx, owner, body), {
      provenOwner: true,
      says: 'Gives the ticket to download one of the accountant’s files.',
      audit: 'backup.file_exported',
      body: FileRequest,
      response: { 200: FileTicket, ...errorResponses },
    })
    .post('/api/admin/exports/lists', ({ owner, body }) => recordListExport(ctx, owner, body), {
      provenOwner: true,
      says: 'Records that a list of people is downloaded as CSV.',
      audit: 'backup.file_exported',
      body: ListExport,
      response: { 200: Done, ...errorResponses },
    })
    .get(
      '/api/admin/exports/all.zip',
      async ({ owner, query, set, request, server }) => {
        // On the machine itself there's nobody to ask for one, and the thread is there.
        if (owner.userId !== null) assertTicket(ctx, owner, { file: everythingFile, ticket: query.ticket })
        // Media can take longer than the server's idle timeout.
        server?.timeout(request, 0)
        return (await downloadApart(ctx, { request, set })) ?? archiveResponse(ctx, exportEverything(ctx), set)
      },
      {
        provenOwner: true,
        says: 'Downloads everything: people, progress, videos, posts, media and money.',
        query: ExportQuery,
        response: { 200: fileOf('application/zip'), ...errorResponses },
      },
    )
