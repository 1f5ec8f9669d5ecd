import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { bytesBody, readQuestionPiece } from '#api/http/request-body.ts'
import { session } from '#api/http/session.ts'
import { VideoParams } from '#shared/contract/admin-video.ts'
import { Done } from '#shared/contract/auth.ts'
import { ChunkHeaders } from '#shared/contract/media.ts'
import {
  InboxQuestionList,
  InboxQuestionQuery,
  PublishedQuestion,
  PublishedQuestionList,
  PublishRequest,
  QuestionAnswer,
  QuestionContentQuery,
  QuestionFileParams,
  QuestionFileResponse,
  QuestionParams,
  QuestionRecord,
  QuestionStep,
  SavedReply,
  SavedReplyList,
  SavedReplyRequest,
  VideoQuestionList,
} from '#shared/contract/questions.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { answerQuestion, closeQuestion, markAsRead, reopenQuestion } from './answer-service.ts'
import { respondWithFile } from './content-service.ts'
import { fileResponse, receivePiece } from './file-service.ts'
import { listInboxQuestions, readRecord } from './owner-queries.ts'
import { listPublished, listVideoQuestions, markUseful, publishQuestion, unpublishQuestion } from './publish-service.ts'
import { addSavedReply, changeSavedReply, listSavedReplies, removeSavedReply } from './saved-replies-service.ts'

export const ownerQuestionRoutes = (ctx: Context) =>
  new Elysia({ name: 'owner-questions', tags: ['Inbox'] })
    .use(session(ctx))
    .get(
      '/api/admin/questions',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listInboxQuestions(ctx, { ...query, limit: query.limit ?? 200 })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists what members ask, the longest wait first.',
        query: InboxQuestionQuery,
        response: { 200: InboxQuestionList, ...errorResponses },
      },
    )
    .get('/api/admin/questions/:id', ({ params }) => readRecord(ctx, params.id), {
      owner: true,
      says: 'Shows a question with its answers.',
      params: QuestionParams,
      response: { 200: QuestionRecord, ...errorResponses },
    })
    .post('/api/admin/questions/:id/read', ({ params }) => markAsRead(ctx, params.id), {
      owner: 'the member sees that it was read, and nothing else',
      says: 'Marks a question as read by the coach.',
      audit: null,
      params: QuestionParams,
      response: { 200: Done, ...errorResponses },
    })
    .post(
      '/api/admin/questions/:id/answers',
      ({ owner, params, body }) => answerQuestion(ctx, owner, { ...body, questionId: params.id }),
      {
        owner: 'it goes to the one who asked',
        says: 'Answers a question and tells the member.',
        audit: 'question.answered',
        params: QuestionParams,
        body: QuestionAnswer,
        response: { 200: QuestionRecord, ...errorResponses },
      },
    )
    .post(
      '/api/admin/questions/:id/close',
      ({ owner, params, body }) => closeQuestion(ctx, owner, { ...params, ...body }),
      {
        owner: 'it can be reopened',
        says: 'Closes a question.',
        audit: 'question.closed',
        params: QuestionParams,
        body: QuestionStep,
        response: { 200: QuestionRecord, ...errorResponses },
      },
    )
    .post(
      '/api/admin/questions/:id/reopen',
      ({ owner, params, body }) => reopenQuestion(ctx, owner, { ...params, ...body }),
      {
        owner: 'it can be closed again',
        says: 'Reopens a closed question.',
        audit: 'question.reopened',
        params: QuestionParams,
        body: QuestionStep,
        response: { 200: QuestionRecord, ...errorResponses },
      },
    )
    .put(
      '/api/admin/questions/:id/published',
      ({ owner, params, body }) => publishQuestion(ctx, owner, { ...body, ...params }),
      {
        owner: 'it has no name in it, and can be taken down',
        says: 'Publishes a question and its answer below a video.',
        audit: ['question.published', 'question.publication_changed'],
        params: QuestionParams,
        body: PublishRequest,
        response: { 200: QuestionRecord, ...errorResponses },
      },
    )
    .get('/api/admin/videos/:id/published-questions', ({ params }) => listVideoQuestions(ctx, params.id), {
      owner: true,
      says: 'Lists the questions published below a video, including those of deleted accounts.',
      params: VideoParams,
      response: { 200: VideoQuestionList, ...errorResponses },
    })
    .delete('/api/admin/published-questions/:id', ({ owner, params }) => unpublishQuestion(ctx, owner, params.id), {
      owner: 'it’s in nobody’s name',
      says: 'Takes a published question down.',
      audit: 'question.unpublished',
      params: QuestionParams,
      response: { 200: Done, ...errorResponses },
    })
    .use(ownerFileRoutes(ctx))
    .use(savedReplyRoutes(ctx))

/** A coach's voice note goes in pieces too. */
const ownerFileRoutes = (ctx: Context) =>
  new Elysia({ name: 'owner-question-files', tags: ['Inbox'] })
    .use(session(ctx))
    .get('/api/admin/question-files/:fileId', ({ params: { fileId } }) => fileResponse(ctx, 'owner', fileId), {
      owner: true,
      says: 'Shows how much of a photo or voice note has arrived.',
      params: QuestionFileParams,
      response: { 200: QuestionFileResponse, ...errorResponses },
    })
    .patch(
      '/api/admin/question-files/:fileId',
      ({ params: { fileId }, headers, request }) =>
        receivePiece(ctx, 'owner', {
          id: fileId,
          offset: headers[offsetHeader],
          read: () => readQuestionPiece(request),
        }),
      {
        owner: 'it belongs to an answer that was sent',
        says: 'Sends the next part of an answer’s voice note, up to 64 kB.',
        audit: null,
        params: QuestionFileParams,
        headers: ChunkHeaders,
        response: { 200: QuestionFileResponse, ...errorResponses },
        detail: bytesBody(chunkType),
      },
    )
    .get(
      '/api/admin/question-files/:fileId/content',
      ({ params: { fileId }, query, request }) =>
        respondWithFile(ctx, 'owner', { id: fileId, form: query.form, request }),
      {
        owner: true,
        says: 'Returns a photo or voice note.',
        params: QuestionFileParams,
        query: QuestionContentQuery,
        response: { 200: fileOf('*/*'), 206: fileOf('*/*'), ...errorResponses },
      },
    )

const savedReplyRoutes = (ctx: Context) =>
  new Elysia({ name: 'saved-replies', tags: ['Inbox'] })
    .use(session(ctx))
    .get('/api/admin/saved-replies', () => listSavedReplies(ctx), {
      owner: true,
      says: 'Lists the saved replies.',
      response: { 200: SavedReplyList, ...errorResponses },
    })
    .post(
      '/api/admin/saved-replies',
      ({ owner, body, request: { headers } }) =>
        addSavedReply(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'only owners see it',
        says: 'Adds a saved reply.',
        audit: 'saved-reply.added',
        body: SavedReplyRequest,
        response: { 200: SavedReply, ...errorResponses },
      },
    )
    .put(
      '/api/admin/saved-replies/:id',
      ({ owner, params, body }) => changeSavedReply(ctx, owner, { ...body, ...params }),
      {
        owner: 'only owners see it',
        says: 'Changes a saved reply.',
        audit: 'saved-reply.changed',
        params: QuestionParams,
        body: SavedReplyRequest,
        response: { 200: SavedReply, ...errorResponses },
      },
    )
    .delete('/api/admin/saved-replies/:id', ({ owner, params }) => removeSavedReply(ctx, owner, params.id), {
      owner: 'only owners see it',
      says: 'Removes a saved reply.',
      audit: 'saved-reply.removed',
      params: QuestionParams,
      response: { 200: Done, ...errorResponses },
    })

/** What members see below a video. */
export const publishedQuestionRoutes = (ctx: Context) =>
  new Elysia({ name: 'published-questions', tags: ['Watching videos'] })
    .use(session(ctx))
    .get('/api/members/videos/:id/questions', ({ member, params }) => listPublished(ctx, member, params.id), {
      member: true,
      says: 'Lists the questions published below a video.',
      params: VideoParams,
      response: { 200: PublishedQuestionList, ...errorResponses },
    })
    .put(
      '/api/members/published-questions/:id/useful',
      ({ member, params }) => markUseful(ctx, member, { ...params, isUseful: true }),
      {
        member: true,
        says: 'Says that a published question is useful.',
        params: QuestionParams,
        response: { 200: PublishedQuestion, ...errorResponses },
      },
    )
    .delete(
      '/api/members/published-questions/:id/useful',
      ({ member, params }) => markUseful(ctx, member, { ...params, isUseful: false }),
      {
        member: true,
        says: 'Takes that back.',
        params: QuestionParams,
        response: { 200: PublishedQuestion, ...errorResponses },
      },
    )
