import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { bytesBody, readQuestionPiece } from '#api/http/request-body.ts'
import { session } from '#api/http/session.ts'
import { ChunkHeaders } from '#shared/contract/media.ts'
import { serverTimeHeader } from '#shared/contract/progress.ts'
import {
  NewQuestion,
  NewQuestionMessage,
  QuestionContentQuery,
  QuestionFileParams,
  QuestionFileResponse,
  QuestionList,
  QuestionListQuery,
  QuestionParams,
  QuestionReading,
  QuestionResponse,
  QuestionWithdrawal,
} from '#shared/contract/questions.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { addMessage, ask, assertSender, markRead, withdraw } from './asking-service.ts'
import { respondWithFile } from './content-service.ts'
import { fileResponse, holderOf, receivePiece } from './file-service.ts'
import { listQuestions } from './reading-service.ts'

export const questionRoutes = (ctx: Context) =>
  new Elysia({ name: 'questions', tags: ['Questions'] })
    .use(session(ctx))
    .get(
      '/api/members/questions',
      ({ member, query, set, status }) => {
        assertSender(member, query)
        const list = listQuestions(ctx, member)
        if (list.version !== query.version) return list
        // There's no body, so the usual headers don't apply.
        set.headers = { [serverTimeHeader]: list.serverTime }
        return status(204, undefined)
      },
      {
        member: true,
        says: 'Lists your questions to the coach, with their answers.',
        query: QuestionListQuery,
        response: { 200: QuestionList, 204: v.void(), ...errorResponses },
      },
    )
    .post('/api/members/questions', ({ member, body }) => ask(ctx, member, body), {
      member: true,
      says: 'Asks the coach a question.',
      body: NewQuestion,
      response: { 200: QuestionResponse, ...errorResponses },
    })
    .post(
      '/api/members/questions/:id/messages',
      ({ member, params: { id }, body }) => addMessage(ctx, member, id, body),
      {
        member: true,
        says: 'Adds to a question of yours.',
        params: QuestionParams,
        body: NewQuestionMessage,
        response: { 200: QuestionResponse, ...errorResponses },
      },
    )
    .post(
      '/api/members/questions/:id/withdraw',
      ({ person, params: { id }, body }) => withdraw(ctx, person, id, body),
      {
        // What they said stays theirs to take back once their access has ended.
        person: true,
        says: 'Withdraws a question that hasn’t been answered, and deletes its photos and voice note.',
        params: QuestionParams,
        body: QuestionWithdrawal,
        response: { 200: QuestionResponse, ...errorResponses },
      },
    )
    .post('/api/members/questions/:id/read', ({ member, params: { id }, body }) => markRead(ctx, member, id, body), {
      member: true,
      says: 'Tells us that you’ve read an answer.',
      params: QuestionParams,
      body: QuestionReading,
      response: { 200: QuestionResponse, ...errorResponses },
    })
    .use(fileRoutes(ctx))

const fileRoutes = (ctx: Context) =>
  new Elysia({ name: 'question-files', tags: ['Questions'] })
    .use(session(ctx))
    .get(
      '/api/members/question-files/:fileId',
      ({ member, params: { fileId } }) => fileResponse(ctx, holderOf(member), fileId),
      {
        member: true,
        says: 'Shows how much of a photo or voice note has arrived.',
        params: QuestionFileParams,
        response: { 200: QuestionFileResponse, ...errorResponses },
      },
    )
    .patch(
      '/api/members/question-files/:fileId',
      ({ member, params: { fileId }, headers, request }) =>
        receivePiece(ctx, holderOf(member), {
          id: fileId,
          offset: headers[offsetHeader],
          read: () => readQuestionPiece(request),
        }),
      {
        member: true,
        says: 'Sends the next part of a photo or voice note, up to 64 kB.',
        params: QuestionFileParams,
        headers: ChunkHeaders,
        response: { 200: QuestionFileResponse, ...errorResponses },
        detail: bytesBody(chunkType),
      },
    )
    .get(
      '/api/members/question-files/:fileId/content',
      ({ member, params: { fileId }, query, request }) =>
        respondWithFile(ctx, holderOf(member), { id: fileId, form: query.form, request }),
      {
        member: true,
        says: 'Returns a photo or voice note.',
        params: QuestionFileParams,
        query: QuestionContentQuery,
        response: { 200: fileOf('*/*'), 206: fileOf('*/*'), ...errorResponses },
      },
    )
