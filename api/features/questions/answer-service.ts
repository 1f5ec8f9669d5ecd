import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { questionMessages, questions } from '#api/db/schema/questions.ts'
import { AppError, invalidField, notFound } from '#api/errors.ts'
import { publishedPost } from '#api/features/site/blog/queries.ts'
import { visibleVideos } from '#api/features/videos/progress/visibility-service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import type { Done } from '#shared/contract/auth.ts'
import type { QuestionAnswer, QuestionRecord, QuestionStep } from '#shared/contract/questions.ts'
import { announceFiles, changeQuestion } from './asking-service.ts'
import { readRecord } from './owner-queries.ts'
import { messageById, type QuestionRow, questionById } from './queries.ts'
import { tellOnceWhole } from './told-service.ts'

export function questionRow(ctx: Context, id: string): QuestionRow {
  const row = questionById.get(ctx, { id })
  if (row === undefined) throw notFound('This question')
  return row
}

/**
 * Answers a question, and tells its member. The answer's id makes it the same one when it's sent again. After another owner's answer,
 * or something the member added, it's refused with the question as it is now, so that nobody answers what they haven't read.
 */
export function answerQuestion(
  ctx: Context,
  owner: Owner,
  sent: QuestionAnswer & { questionId: string },
): QuestionRecord {
  const { questionId, id, text, files, videoId, postSlug } = sent
  return transact(ctx, () => {
    const row = questionRow(ctx, questionId)
    const known = messageById.get(ctx, { id })
    if (known?.questionId === questionId && known.author === 'coach') return readRecord(ctx, questionId)
    if (known !== undefined) throw new AppError('conflict', 'That didn’t save. Change a word and send it again.')
    if (row.withdrawnAt !== null) throw new AppError('conflict', 'They’ve withdrawn this question.')
    assertSeen(ctx, row, sent)
    assertMayOpen(ctx, row.userId, { videoId, postSlug })
    const now = ctx.now().toISOString()
    const ownerId = owner.userId
    const message = {
      id,
      questionId,
      author: 'coach',
      ownerId,
      text,
      videoId,
      postSlug,
      at: now,
      receivedAt: now,
    } as const
    insertRow(ctx, questionMessages, message)
    announceFiles(ctx, id, files)
    changeQuestion(ctx, row, {
      answeredAt: now,
      closedAt: null,
      readByCoachAt: row.readByCoachAt ?? now,
      readByMemberAt: null,
    })
    tellOnceWhole(ctx, id)
    audit(ctx, owner.actor, 'question.answered', { targetId: row.userId, detail: { question: questionId } })
    return readRecord(ctx, questionId)
  })
}

function assertSeen(ctx: Context, { id, version: now }: QuestionRow, sent: { version: number }): void {
  if (sent.version === now) return
  const current = readRecord(ctx, id)
  const last = current.question.messages.at(-1)
  const said =
    last?.author === 'coach'
      ? `${last.name ?? 'Another owner'} has answered since you opened this.`
      : 'This has changed since you opened it.'
  throw new AppError('version_conflict', `${said} Read it first.`, { versions: { sent, current } })
}

type Linked = { videoId: string | null; postSlug: string | null }

/** Only to what they can open: a video of their tier, or a post that's out. */
function assertMayOpen(ctx: Context, userId: string, { videoId, postSlug }: Linked): void {
  if (videoId !== null && postSlug !== null) throw invalidField('postSlug', 'Choose a video or a post, not both.')
  if (postSlug !== null && publishedPost(ctx, postSlug) === undefined)
    throw invalidField('postSlug', 'This post isn’t published. Choose another.')
  if (videoId === null) return
  const member = { id: userId, isAdmin: false, access: accessOfUser(ctx, userId) }
  if (!visibleVideos(ctx, member, [videoId]).has(videoId))
    throw invalidField('videoId', 'They can’t open this video. Choose another.')
}

/** What's closed waits no more. What the member writes later opens it again. */
export const closeQuestion = (ctx: Context, owner: Owner, step: QuestionStep & { id: string }): QuestionRecord =>
  takeStep(ctx, owner, step, { isClosed: true })

export const reopenQuestion = (ctx: Context, owner: Owner, step: QuestionStep & { id: string }): QuestionRecord =>
  takeStep(ctx, owner, step, { isClosed: false })

function takeStep(
  ctx: Context,
  owner: Owner,
  { id, ...sent }: QuestionStep & { id: string },
  { isClosed }: { isClosed: boolean },
): QuestionRecord {
  return transact(ctx, () => {
    const row = questionRow(ctx, id)
    if (row.withdrawnAt !== null) throw new AppError('conflict', 'They’ve withdrawn this question.')
    if ((row.closedAt !== null) === isClosed) return readRecord(ctx, id)
    assertSeen(ctx, row, sent)
    changeQuestion(ctx, row, { closedAt: isClosed ? ctx.now().toISOString() : null })
    audit(ctx, owner.actor, isClosed ? 'question.closed' : 'question.reopened', {
      targetId: row.userId,
      detail: { question: id },
    })
    return readRecord(ctx, id)
  })
}

/** The member sees that the coach has read it. Its version stays: nothing in it has changed. */
export function markAsRead(ctx: Context, id: string): Done {
  return transact(ctx, () => {
    const { readByCoachAt } = questionRow(ctx, id)
    const now = ctx.now().toISOString()
    if (readByCoachAt === null)
      ctx.db.update(questions).set({ readByCoachAt: now, updatedAt: now }).where(eq(questions.id, id)).run()
    return { success: true }
  })
}
