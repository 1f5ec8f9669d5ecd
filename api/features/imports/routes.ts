import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import {
  Import,
  ImportLetters,
  ImportLettersRequest,
  ImportLettersSent,
  ImportList,
  ImportOptions,
  ImportParams,
  ImportRowList,
  ImportRowsQuery,
  NewImport,
} from '#shared/contract/imports.ts'
import { readLetters, sendLetters } from './letters-service.ts'
import { listRows } from './queries.ts'
import {
  applyImport,
  beginImport,
  cancelImport,
  listImports,
  ownImport,
  readImport,
  replanImport,
  undoImport,
} from './service.ts'

const Replan = v.object({ options: ImportOptions })
/** Spread into a route's own object, because Elysia mutates a route's options. */
const one = { params: ImportParams, response: { 200: Import, ...errorResponses } }

export const importRoutes = (ctx: Context) =>
  new Elysia({ name: 'imports', tags: ['Moving in'] })
    .use(session(ctx))
    .get('/api/admin/imports', () => listImports(ctx), {
      owner: true,
      says: 'Lists imports, newest first.',
      response: { 200: ImportList, ...errorResponses },
    })
    .post('/api/admin/imports', ({ owner, body }) => beginImport(ctx, owner, body), {
      owner: 'it tries something out and keeps nothing',
      says: 'Plans an import of an uploaded file. Changes nothing yet.',
      audit: 'import.planned',
      body: NewImport,
      response: { 200: Import, ...errorResponses },
    })
    .get('/api/admin/imports/:id', ({ params: { id } }) => readImport(ctx, id), {
      owner: true,
      says: 'Shows an import and how far it is.',
      ...one,
    })
    .get(
      '/api/admin/imports/:id/rows',
      (call) => respondWithPage(call, listRows(ctx, ownImport(ctx, call.params.id).id, call.query)),
      {
        owner: true,
        says: 'Lists an import’s rows by line, with what each becomes.',
        params: ImportParams,
        query: ImportRowsQuery,
        response: { 200: ImportRowList, ...errorResponses },
      },
    )
    .post(
      '/api/admin/imports/:id/plan',
      ({ owner, params: { id }, body }) => replanImport(ctx, owner, id, body.options),
      {
        owner: 'it tries something out and keeps nothing',
        says: 'Plans it again with other options.',
        audit: 'import.planned',
        ...one,
        body: Replan,
      },
    )
    .post('/api/admin/imports/:id/apply', ({ owner, params: { id } }) => applyImport(ctx, owner, id), {
      owner: 'it can be undone until someone uses it',
      says: 'Does the plan.',
      audit: 'import.applied',
      ...one,
    })
    .post('/api/admin/imports/:id/cancel', ({ owner, params: { id } }) => cancelImport(ctx, owner, id), {
      owner: 'the owners put it up themselves',
      says: 'Drops a plan and deletes its file.',
      audit: 'import.cancelled',
      ...one,
    })
    .post('/api/admin/imports/:id/undo', ({ owner, params: { id } }) => undoImport(ctx, owner, id), {
      owner: 'the owners put it up themselves',
      says: 'Takes out what it made, except what’s been used since.',
      audit: 'import.undone',
      ...one,
    })
    .get('/api/admin/imports/:id/letters', ({ params: { id } }) => readLetters(ctx, id), {
      owner: true,
      says: 'Shows the letter to people who moved in, and who’s had it.',
      params: ImportParams,
      response: { 200: ImportLetters, ...errorResponses },
    })
    .post('/api/admin/imports/:id/letters', ({ owner, params: { id }, body }) => sendLetters(ctx, owner, id, body), {
      owner: 'asks when more than one person gets it',
      says: 'Emails the next people how to log in.',
      audit: 'import.letters',
      params: ImportParams,
      body: ImportLettersRequest,
      response: { 200: ImportLettersSent, ...errorResponses },
    })
