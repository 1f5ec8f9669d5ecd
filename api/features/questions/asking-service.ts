import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { questionFiles, questionMessages, questions } from '#api/db/schema/questions.ts'
import { AppError, invalidField, notFound } from '#api/errors.ts'
import { findCall } from '#api/features/calendar/queries.ts'
import { readNotices } from '#api/features/notices/notice-service.ts'
import { videoVisibility } from '#api/features/videos/progress/queries.ts'
import { maySee } from '#api/features/videos/progress/visibility-service.ts'
import type { Member } from '#api/identity/person.ts'
import { assertWithinLimits, rateLimits, recordHit } from '#api/serving/rate-limits.ts'
import type {
  NewQuestion,
  NewQuestionFile,
  NewQuestionMessage,
  QuestionReading,
  QuestionResponse,
  QuestionWithdrawal,
} from '#shared/contract/questions.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { placeOfQuestion, writtenAt } from '#shared/rules/question-limit.ts'
import { limitsOf, usedBy } from './allowance-service.ts'
import { assertRoomFor } from './file-service.ts'
import { questionPath } from './mails.ts'
import { fileById, messageById, messagesOfQuestion, nameOfVideo, type QuestionRow, questionById } from './queries.ts'
import { ownQuestion, questionResponse } from './reading-service.ts'

/** Known by its id, a question is answered as it stands, whatever comes with the id this time. */
export function ask(ctx: Context, member: Member, question: NewQuestion): QuestionResponse {
  assertSender(member, question)
  return transact(ctx, () => {
    const known = questionById.get(ctx, { id: question.id })
    if (known === undefined) insertQuestion(ctx, member, question)
    else if (known.userId !== member.id) throw notFound('This question')
    return questionResponse(ctx, question.id)
  })
}

function insertQuestion(ctx: Context, member: Member, question: NewQuestion): void {
  const { id, origin, mayPublish } = question
  const now = ctx.now()
  const askedAt = writtenAt(question.at, now)
  const about = aboutOf(ctx, member, question.about)
  const limits = limitsOf(ctx, member)
  const place = placeOfQuestion({ at: askedAt, now, limits }, usedBy(ctx, member))
  if (!('countedAt' in place)) throw limitReached(place.from)
  const [at, receivedAt] = [askedAt.toISOString(), now.toISOString()]
  const times = {
    askedAt: at,
    countedAt: place.countedAt.toISOString(),
    receivedAt,
    waitsSince: at,
    updatedAt: receivedAt,
  }
  insertRow(ctx, questions, { id, userId: member.id, origin, ...about, mayPublish, ...times })
  insertMessage(ctx, member, { questionId: id, message: question, at })
}

function limitReached(from: string | null): AppError {
  const sentence =
    from === null
      ? 'Questions aren’t part of your membership.'
      : `You’ve asked as many questions as you can for now. You can send the next one from ${formatLongDate(from)}.`
  return new AppError('question_limit', sentence, { from })
}

type About = { videoId?: string | null; videoTitle?: string; seconds?: number; callId?: string }

/** A video that was deleted while the question waited on its phone keeps nobody from asking. */
const deletedTitle = 'A video that’s been deleted'

function aboutOf(ctx: Context, member: Member, about: NewQuestion['about']): About {
  if (about === null) return {}
  if (about.kind === 'call') {
    if (findCall(ctx, about.callId)?.userId !== member.id)
      throw invalidField('about.callId', 'We can’t find this call.')
    return { callId: about.callId }
  }
  const { videoId, seconds } = about
  const title = nameOfVideo.get(ctx, { id: videoId })?.title
  if (title === undefined) return { videoId: null, videoTitle: deletedTitle, seconds }
  if (!maySee(ctx, member, videoVisibility.get(ctx, { videoId })))
    throw invalidField('about.videoId', 'You can’t open this video any more. Ask without it.')
  return { videoId, videoTitle: title, seconds }
}

/** The member adds to a question, which then waits again. One they've withdrawn meanwhile stays withdrawn, and takes nothing. */
export function addMessage(ctx: Context, member: Member, id: string, message: NewQuestionMessage): QuestionResponse {
  assertSender(member, message)
  return transact(ctx, () => {
    const question = ownQuestion(ctx, member, id)
    const known = messageById.get(ctx, { id: message.id })
    if (known !== undefined && known.questionId !== id) throw notFound('This message')
    if (known === undefined && question.withdrawnAt === null) appendMessage(ctx, member, question, message)
    return questionResponse(ctx, id)
  })
}

function appendMessage(ctx: Context, member: Member, question: QuestionRow, message: NewQuestionMessage): void {
  const now = ctx.now()
  const at = writtenAt(message.at, now).toISOString()
  insertMessage(ctx, member, { questionId: question.id, message, at })
  const waits = question.answeredAt === null && question.closedAt === null
  const since = [question.answeredAt, question.closedAt].reduce<string>(
    (latest, one) => (one !== null && one > latest ? one : latest),
    at,
  )
  changeQuestion(ctx, question, {
    answeredAt: null,
    closedAt: null,
    readByCoachAt: null,
    waitsSince: waits ? question.waitsSince : since,
  })
}

type Changed = Partial<Omit<typeof questions.$inferInsert, 'id' | 'userId' | 'version' | 'updatedAt'>>

/** An owner's answer names the version it was written for. */
export function changeQuestion(
  { db, now }: Context,
  { id, version }: Pick<QuestionRow, 'id' | 'version'>,
  changed: Changed,
): void {
  const updatedAt = now().toISOString()
  db.update(questions)
    .set({ ...changed, version: version + 1, updatedAt })
    .where(eq(questions.id, id))
    .run()
}

type Said = { questionId: string; message: NewQuestionMessage; at: string }

function insertMessage(ctx: Context, member: Member, { questionId, message, at }: Said): void {
  const { id, text, files } = message
  if (messageById.get(ctx, { id }) !== undefined) throw notFound('This message')
  limitTexts(ctx, member, files)
  const receivedAt = ctx.now().toISOString()
  insertRow(ctx, questionMessages, { id, questionId, author: 'member', text, at, receivedAt })
  announceFiles(ctx, id, files)
}

/** Files come after their message, in pieces. */
export function announceFiles(ctx: Context, messageId: string, files: readonly NewQuestionFile[]): void {
  assertRoomFor(
    ctx,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  for (const [position, { id, kind, bytes, sha256 }] of files.entries()) {
    if (fileById.get(ctx, { id }) !== undefined) throw notFound('This file')
    insertRow(ctx, questionFiles, { id, messageId, kind, position, bytes, sha256 })
  }
}

/** What's known isn't counted again: a phone repeats what it has had no answer to. */
function limitTexts(ctx: Context, { id }: Member, files: readonly NewQuestionFile[]): void {
  const hits = [rateLimits.questionTexts(id), ...files.map(() => rateLimits.questionFiles(id))]
  for (const limit of hits) {
    assertWithinLimits(ctx, [limit], 'That’s a lot of messages in one go. We’ll keep sending the rest.')
    recordHit(ctx, limit)
  }
}

/**
 * Deletes what was said and its files' bytes, and keeps the row, so that no phone brings it back. The same for a question that hasn't
 * come, or that an older copy of the database doesn't know.
 */
export function withdraw(ctx: Context, member: Member, id: string, withdrawal: QuestionWithdrawal): QuestionResponse {
  assertSender(member, withdrawal)
  return transact(ctx, () => {
    const known = questionById.get(ctx, { id })
    if (known === undefined) insertWithdrawn(ctx, member, id)
    else if (known.userId !== member.id) throw notFound('This question')
    else if (known.withdrawnAt === null) withdrawKnown(ctx, known)
    return questionResponse(ctx, id)
  })
}

function withdrawKnown(ctx: Context, question: QuestionRow): void {
  const messages = messagesOfQuestion.all(ctx, { questionId: question.id })
  if (messages.some(({ author }) => author === 'coach'))
    throw new AppError('conflict', 'Your coach has answered this question, so you can’t withdraw it.')
  ctx.db.delete(questionMessages).where(eq(questionMessages.questionId, question.id)).run()
  const nothing = { videoId: null, videoTitle: null, seconds: null, callId: null, mayPublish: false }
  changeQuestion(ctx, question, { ...nothing, withdrawnAt: ctx.now().toISOString() })
}

/** Never asked, so it counts in no month that's still going on. */
const neverCounted = new Date(0).toISOString()

function insertWithdrawn(ctx: Context, member: Member, id: string): void {
  if (messageById.get(ctx, { id }) !== undefined) throw notFound('This question')
  limitTexts(ctx, member, [])
  const at = ctx.now().toISOString()
  const times = { askedAt: at, receivedAt: at, waitsSince: at, updatedAt: at, withdrawnAt: at }
  insertRow(ctx, questions, { id, userId: member.id, origin: 'header', countedAt: neverCounted, ...times })
}

/** Read up to a message. It's unread still if the coach has written since. */
export function markRead(ctx: Context, member: Member, id: string, { messageId }: QuestionReading): QuestionResponse {
  const { question } = questionResponse(ctx, ownQuestion(ctx, member, id).id)
  const at = question.messages.findIndex((message) => message.id === messageId)
  const isAll = at >= 0 && question.messages.slice(at + 1).every(({ author }) => author === 'member')
  if (question.isUnread && isAll) {
    const now = ctx.now().toISOString()
    transact(ctx, () => {
      ctx.db.update(questions).set({ readByMemberAt: now, updatedAt: now }).where(eq(questions.id, id)).run()
      readNotices(ctx, { userId: member.id, path: questionPath(id) })
    })
  }
  return questionResponse(ctx, id)
}

/** A phone may have changed hands since it queued them. */
export function assertSender(member: Member, { memberId }: { memberId?: string | undefined }): void {
  if (memberId !== undefined && memberId !== member.id)
    throw new AppError('wrong_member', 'These questions belong to another account. Log in with it to send them.')
}
