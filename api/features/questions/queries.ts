import { and, asc, count, desc, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { users } from '#api/db/schema/people.ts'
import {
  publishedQuestions,
  questionFileContents,
  questionFilePieces,
  questionFiles,
  questionMessages,
  questions,
} from '#api/db/schema/questions.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { memberVideos } from '#api/db/schema/videos.ts'

const linked = alias(memberVideos, 'linked')
const coach = alias(users, 'coach')

const questionFields = {
  id: questions.id,
  userId: questions.userId,
  origin: questions.origin,
  videoId: questions.videoId,
  videoSlug: memberVideos.slug,
  videoTitle: memberVideos.title,
  keptTitle: questions.videoTitle,
  seconds: questions.seconds,
  callId: questions.callId,
  callStartsAt: coachingBookings.startsAt,
  mayPublish: questions.mayPublish,
  askedAt: questions.askedAt,
  answeredAt: questions.answeredAt,
  waitsSince: questions.waitsSince,
  closedAt: questions.closedAt,
  withdrawnAt: questions.withdrawnAt,
  readByCoachAt: questions.readByCoachAt,
  readByMemberAt: questions.readByMemberAt,
  publishedAt: publishedQuestions.createdAt,
  version: questions.version,
}

const messageFields = {
  id: questionMessages.id,
  questionId: questionMessages.questionId,
  author: questionMessages.author,
  coachName: coach.firstName,
  text: questionMessages.text,
  at: questionMessages.at,
  linkedSlug: linked.slug,
  linkedTitle: linked.title,
  postSlug: blogPosts.slug,
  postTitle: blogPosts.title,
}

const fileFields = {
  id: questionFiles.id,
  messageId: questionFiles.messageId,
  kind: questionFiles.kind,
  bytes: questionFiles.bytes,
  sha256: questionFiles.sha256,
  received: questionFiles.received,
  readyAt: questionFiles.readyAt,
  refusal: questionFiles.refusal,
  type: questionFiles.type,
  width: questionFiles.width,
  height: questionFiles.height,
  durationMs: questionFiles.durationMs,
  announcedAt: questionMessages.receivedAt,
  aacOf: questionFileContents.fileId,
}

const hasAacCopy = and(eq(questionFileContents.fileId, questionFiles.id), sql`${questionFileContents.form} = 'aac'`)
const linkedPost = eq(blogPosts.slug, questionMessages.postSlug)

export const questionsOfMember = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select(questionFields)
    .from(questions)
    .leftJoin(memberVideos, eq(memberVideos.id, questions.videoId))
    .leftJoin(coachingBookings, eq(coachingBookings.id, questions.callId))
    .leftJoin(publishedQuestions, eq(publishedQuestions.questionId, questions.id))
    .where(eq(questions.userId, userId))
    .orderBy(desc(questions.askedAt), desc(questions.id)),
)

export const messagesOfMember = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select(messageFields)
    .from(questions)
    .innerJoin(questionMessages, eq(questionMessages.questionId, questions.id))
    .leftJoin(coach, eq(coach.id, questionMessages.ownerId))
    .leftJoin(linked, eq(linked.id, questionMessages.videoId))
    .leftJoin(blogPosts, linkedPost)
    .where(eq(questions.userId, userId))
    .orderBy(asc(questionMessages.at), asc(questionMessages.id)),
)

export const filesOfMember = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select(fileFields)
    .from(questions)
    .innerJoin(questionMessages, eq(questionMessages.questionId, questions.id))
    .innerJoin(questionFiles, eq(questionFiles.messageId, questionMessages.id))
    .leftJoin(questionFileContents, hasAacCopy)
    .where(eq(questions.userId, userId))
    .orderBy(asc(questionFiles.position)),
)

export const questionById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select(questionFields)
    .from(questions)
    .leftJoin(memberVideos, eq(memberVideos.id, questions.videoId))
    .leftJoin(coachingBookings, eq(coachingBookings.id, questions.callId))
    .leftJoin(publishedQuestions, eq(publishedQuestions.questionId, questions.id))
    .where(eq(questions.id, id)),
)

export const messagesOfQuestion = preparedQuery<{ questionId: string }>()((db, { questionId }) =>
  db
    .select(messageFields)
    .from(questionMessages)
    .leftJoin(coach, eq(coach.id, questionMessages.ownerId))
    .leftJoin(linked, eq(linked.id, questionMessages.videoId))
    .leftJoin(blogPosts, linkedPost)
    .where(eq(questionMessages.questionId, questionId))
    .orderBy(asc(questionMessages.at), asc(questionMessages.id)),
)

export const filesOfQuestion = preparedQuery<{ questionId: string }>()((db, { questionId }) =>
  db
    .select(fileFields)
    .from(questionMessages)
    .innerJoin(questionFiles, eq(questionFiles.messageId, questionMessages.id))
    .leftJoin(questionFileContents, hasAacCopy)
    .where(eq(questionMessages.questionId, questionId))
    .orderBy(asc(questionFiles.position)),
)

export const fileById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({
      ...fileFields,
      author: questionMessages.author,
      questionId: questionMessages.questionId,
      userId: questions.userId,
    })
    .from(questionFiles)
    .innerJoin(questionMessages, eq(questionMessages.id, questionFiles.messageId))
    .innerJoin(questions, eq(questions.id, questionMessages.questionId))
    .leftJoin(questionFileContents, hasAacCopy)
    .where(eq(questionFiles.id, id)),
)

export type QuestionRow = NonNullable<ReturnType<typeof questionById.get>>
export type MessageRow = ReturnType<typeof messagesOfQuestion.all>[number]
export type FileRow = ReturnType<typeof filesOfQuestion.all>[number]
export type OwnedFileRow = NonNullable<ReturnType<typeof fileById.get>>

export const messageById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ questionId: questionMessages.questionId, author: questionMessages.author, at: questionMessages.at })
    .from(questionMessages)
    .where(eq(questionMessages.id, id)),
)

/** As their index has it, which the job reads each minute. */
const isMissing = and(isNull(questionFiles.readyAt), isNull(questionFiles.refusal))

/** A coach's message, and how many of its files aren't here yet. */
export const answerById = preparedQuery<{ messageId: string }>()((db, { messageId }) =>
  db
    .select({
      questionId: questionMessages.questionId,
      userId: questions.userId,
      receivedAt: questionMessages.receivedAt,
      missing: sql`(select count(*) from ${questionFiles} where ${eq(questionFiles.messageId, questionMessages.id)}
        and ${isMissing})`.mapWith(Number),
    })
    .from(questionMessages)
    .innerJoin(questions, eq(questions.id, questionMessages.questionId))
    .where(and(eq(questionMessages.id, messageId), sql`${questionMessages.author} = 'coach'`)),
)

/** Answers of this time that aren't whole: each has one voice note at most. */
export const lateAnswers = preparedQuery<{ since: string; before: string }>()((db, { since, before }) =>
  db
    .select({
      messageId: questionMessages.id,
      questionId: questionMessages.questionId,
      userId: questions.userId,
    })
    .from(questionFiles)
    .innerJoin(questionMessages, eq(questionMessages.id, questionFiles.messageId))
    .innerJoin(questions, eq(questions.id, questionMessages.questionId))
    .where(
      and(
        isMissing,
        sql`${questionMessages.author} = 'coach'`,
        gte(questionMessages.receivedAt, since),
        lt(questionMessages.receivedAt, before),
      ),
    ),
)

/** Both bounds of the day lie within those of the month. */
export const questionsCounted = preparedQuery<{
  userId: string
  dayFrom: string
  dayTo: string
  monthFrom: string
  monthTo: string
}>()((db, { userId, dayFrom, dayTo, monthFrom, monthTo }) =>
  db
    .select({
      inMonth: count(),
      onDay:
        sql`count(*) filter (where ${questions.countedAt} >= ${dayFrom} and ${questions.countedAt} < ${dayTo})`.mapWith(
          Number,
        ),
    })
    .from(questions)
    .where(and(eq(questions.userId, userId), gte(questions.countedAt, monthFrom), lt(questions.countedAt, monthTo))),
)

export const questionsPerMonthOfTier = preparedQuery<{ slug: string }>()((db, { slug }) =>
  db
    .select({ perMonth: membershipTiers.questionsPerMonth })
    .from(membershipTiers)
    .where(eq(membershipTiers.slug, slug)),
)

export const nameOfVideo = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ title: memberVideos.title }).from(memberVideos).where(eq(memberVideos.id, id)),
)

/** All here, and not read: the server was stopped, or the decoder ended. The conditions are those of their index. */
export const unreadFiles = preparedQuery()((db) =>
  db
    .select({ id: questionFiles.id })
    .from(questionFiles)
    .where(and(isMissing, eq(questionFiles.received, questionFiles.bytes)))
    .orderBy(asc(questionFiles.id)),
)

/** Voice notes that may still get an AAC copy. */
export const uncopiedVoices = preparedQuery()((db) =>
  db
    .select({ id: questionFiles.id })
    .from(questionFiles)
    .where(and(sql`${questionFiles.kind} = 'voice'`, isNotNull(questionFiles.readyAt), isNull(questionFiles.copiedAt)))
    .orderBy(asc(questionFiles.id)),
)

export const piecesOfFile = preparedQuery<{ fileId: string }>()((db, { fileId }) =>
  db
    .select({ content: questionFilePieces.content })
    .from(questionFilePieces)
    .where(eq(questionFilePieces.fileId, fileId))
    .orderBy(asc(questionFilePieces.offset)),
)

export const contentOfFile = preparedQuery<{ fileId: string; form: 'served' | 'aac' }>()((db, { fileId, form }) =>
  db
    .select({ content: questionFileContents.content })
    .from(questionFileContents)
    .where(and(eq(questionFileContents.fileId, fileId), eq(questionFileContents.form, form))),
)

/** A question and all that's in it. */
export const rowsOfQuestion = (ctx: HasDb, questionId: string) => ({
  messages: messagesOfQuestion.all(ctx, { questionId }),
  files: filesOfQuestion.all(ctx, { questionId }),
})
