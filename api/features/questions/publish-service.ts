import { and, desc, eq, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { publishedQuestions, usefulQuestions } from '#api/db/schema/questions.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { AppError, invalidField, notFound, versionConflict } from '#api/errors.ts'
import { visibleVideos } from '#api/features/videos/progress/visibility-service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { Member, Owner } from '#api/identity/person.ts'
import type { Done } from '#shared/contract/auth.ts'
import type { PublishedQuestion, PublishRequest, QuestionRecord, VideoQuestion } from '#shared/contract/questions.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { videoAddress } from '#shared/rules/video.ts'
import { questionRow } from './answer-service.ts'
import { touchQuestion } from './arrival-service.ts'
import { tellOfPublished } from './mails.ts'
import { readRecord } from './owner-queries.ts'
import { nameOfVideo } from './queries.ts'

/** Publishes a question with its answer below a video, in the owner's words, or changes those. The member is told the first time. */
export function publishQuestion(ctx: Context, owner: Owner, wanted: PublishRequest & { id: string }): QuestionRecord {
  const { id: questionId, version, ...texts } = wanted
  return transact(ctx, () => {
    const { userId, mayPublish } = questionRow(ctx, questionId)
    const record = readRecord(ctx, questionId)
    const current = record.published
    if (!mayPublish) throw new AppError('conflict', 'They haven’t said you can publish this.')
    if (!record.question.messages.some(({ author }) => author === 'coach'))
      throw new AppError('conflict', 'Answer it first. Then you can publish it.')
    if (current !== null && isSame(current, texts)) return record
    if (version !== (current?.version ?? 0)) throw versionConflict({ sent: wanted, current })
    // In the member's own words it would be theirs that others read (docs/decisions/080).
    if (record.question.messages.some(({ author, text }) => author === 'member' && isWorded(text, texts.question)))
      throw invalidField('question', 'That’s word for word what they wrote. Put it in your own words.')
    const video = videoOf(ctx, texts.videoId)
    const now = ctx.now().toISOString()
    const id = current?.id ?? ctx.newId()
    if (current === null)
      insertRow(ctx, publishedQuestions, { id, questionId, ...texts, createdAt: now, updatedAt: now })
    else
      ctx.db
        .update(publishedQuestions)
        .set({ ...texts, version: version + 1, updatedAt: now })
        .where(eq(publishedQuestions.id, id))
        .run()
    touchQuestion(ctx, questionId)
    if (current === null) {
      const member = { id: userId, isAdmin: false, access: accessOfUser(ctx, userId) }
      const isOpen = visibleVideos(ctx, member, [texts.videoId]).has(texts.videoId)
      tellOfPublished(ctx, { id, userId, video: { title: video.title, path: videoAddress(video) }, isOpen })
    }
    audit(ctx, owner.actor, current === null ? 'question.published' : 'question.publication_changed', {
      targetId: userId,
      detail: { question: questionId, video: texts.videoId },
    })
    return readRecord(ctx, questionId)
  })
}

type Texts = Omit<PublishRequest, 'version'>

const isSame = (one: Texts, other: Texts) =>
  one.videoId === other.videoId && one.question === other.question && one.answer === other.answer

const isWorded = (one: string, other: string) => wordsOf(one) === wordsOf(other)

const wordsOf = (text: string) =>
  foldText(text)
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ')

function videoOf({ db }: Context, id: string) {
  const video = db
    .select({ title: memberVideos.title, slug: memberVideos.slug })
    .from(memberVideos)
    .where(eq(memberVideos.id, id))
    .get()
  if (video === undefined) throw invalidField('videoId', 'We can’t find this video. Choose another.')
  return video
}

/** By its own id: the question it came from is gone with its account. */
export function unpublishQuestion(ctx: Context, owner: Owner, id: string): Done {
  return transact(ctx, () => {
    const [removed] = ctx.db
      .delete(publishedQuestions)
      .where(eq(publishedQuestions.id, id))
      .returning({ questionId: publishedQuestions.questionId, video: publishedQuestions.videoId })
      .all()
    if (removed !== undefined) {
      const { questionId, video } = removed
      const known = questionId === null ? null : questionRow(ctx, questionId)
      if (known !== null) touchQuestion(ctx, known.id)
      audit(ctx, owner.actor, 'question.unpublished', {
        targetId: known?.userId ?? null,
        detail: { ...(known && { question: known.id }), video },
      })
    }
    return { success: true }
  })
}

const usefulTo = sql`(select count(*) from ${usefulQuestions} where ${eq(usefulQuestions.publishedId, publishedQuestions.id)})`
const useful = sql`${usefulTo}`.mapWith(Number)

const isMine = (userId: unknown) =>
  sql`exists (select 1 from ${usefulQuestions} where ${and(eq(usefulQuestions.publishedId, publishedQuestions.id), eq(usefulQuestions.userId, sql`${userId}`))})`

const fields = {
  id: publishedQuestions.id,
  question: publishedQuestions.question,
  answer: publishedQuestions.answer,
  useful,
}

const fieldsFor = (userId: unknown) => ({
  ...fields,
  isUsefulToMe: sql`${isMine(userId)}`.mapWith(Boolean),
})

/** The most useful first, then the newest. */
const publishedBelow = preparedQuery<{ videoId: string; userId: string }>()((db, { videoId, userId }) =>
  db
    .select(fieldsFor(userId))
    .from(publishedQuestions)
    .where(eq(publishedQuestions.videoId, videoId))
    .orderBy(sql`${usefulTo} desc`, sql`${publishedQuestions.createdAt} desc`, publishedQuestions.id),
)

const publishedById = preparedQuery<{ id: string; userId: string }>()((db, { id, userId }) =>
  db
    .select({ ...fieldsFor(userId), videoId: publishedQuestions.videoId })
    .from(publishedQuestions)
    .where(eq(publishedQuestions.id, id)),
)

const publishedOfVideo = preparedQuery<{ videoId: string }>()((db, { videoId }) =>
  db
    .select(fields)
    .from(publishedQuestions)
    .where(eq(publishedQuestions.videoId, videoId))
    .orderBy(desc(publishedQuestions.createdAt), publishedQuestions.id),
)

/** The newest first. */
export function listVideoQuestions(ctx: Context, videoId: string): VideoQuestion[] {
  if (nameOfVideo.get(ctx, { id: videoId }) === undefined) throw notFound('This video')
  return publishedOfVideo.all(ctx, { videoId })
}

export function listPublished(ctx: Context, member: Member, videoId: string): PublishedQuestion[] {
  if (!visibleVideos(ctx, member, [videoId]).has(videoId)) throw notFound('This video')
  return publishedBelow.all(ctx, { videoId, userId: member.id })
}

type Mark = { id: string; isUseful: boolean }

/** One press, and one more takes it back. Pressed twice it counts once. */
export function markUseful(ctx: Context, member: Member, { id, isUseful }: Mark): PublishedQuestion {
  return transact(ctx, () => {
    const before = publishedById.get(ctx, { id, userId: member.id })
    if (before === undefined || !visibleVideos(ctx, member, [before.videoId]).has(before.videoId))
      throw new AppError('not_found', 'We’ve taken this question down.')
    const { publishedId, userId } = usefulQuestions
    if (isUseful)
      insertIfAbsent(ctx, usefulQuestions, { publishedId: id, userId: member.id, at: ctx.now().toISOString() })
    else
      ctx.db
        .delete(usefulQuestions)
        .where(and(eq(publishedId, id), eq(userId, member.id)))
        .run()
    const { videoId: _, ...after } = publishedById.get(ctx, { id, userId: member.id }) ?? before
    return after
  })
}
