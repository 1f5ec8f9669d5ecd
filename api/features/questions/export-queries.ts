import { and, asc, eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import {
  publishedQuestions,
  questionFileContents,
  questionFiles,
  questionMessages,
  questions,
  usefulQuestions,
} from '#api/db/schema/questions.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import type { ArchiveTable } from '#shared/rules/account-archive.ts'

/** The most rows per list, as in the rest of an archive. */
const mostRows = 20_000

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
}

/** A photo’s or voice note’s name in a ZIP. */
export const questionFileName = ({ id, type }: { id: string; type: string | null }): string =>
  `question-files/${id}.${endings[(type ?? '').split(';')[0] ?? ''] ?? 'bin'}`

const servedContent = preparedQuery<{ fileId: string }>()((db, { fileId }) =>
  db
    .select({ content: questionFileContents.content })
    .from(questionFileContents)
    .where(and(eq(questionFileContents.fileId, fileId), sql`${questionFileContents.form} = 'served'`)),
)

/** What we serve of it. Undefined until it has been read. */
export const contentOfQuestionFile = (ctx: Context, fileId: string): Uint8Array | undefined =>
  servedContent.get(ctx, { fileId })?.content

/** What a person asked, was answered, and sent with it. `file` is its name in the ZIP. */
export function questionTables({ db }: Context, userId: string): ArchiveTable[] {
  const isTheirs = eq(questions.userId, userId)
  return [
    {
      name: 'questions',
      read: () =>
        db
          .select({
            id: questions.id,
            video: questions.videoTitle,
            seconds: questions.seconds,
            callId: questions.callId,
            mayPublish: questions.mayPublish,
            askedAt: questions.askedAt,
            answeredAt: questions.answeredAt,
            closedAt: questions.closedAt,
            withdrawnAt: questions.withdrawnAt,
            publishedQuestion: publishedQuestions.question,
            publishedAnswer: publishedQuestions.answer,
          })
          .from(questions)
          .leftJoin(publishedQuestions, eq(publishedQuestions.questionId, questions.id))
          .where(isTheirs)
          .orderBy(asc(questions.askedAt), asc(questions.id))
          .limit(mostRows)
          .all(),
    },
    {
      name: 'question-messages',
      read: () =>
        db
          .select({
            questionId: questionMessages.questionId,
            id: questionMessages.id,
            from: questionMessages.author,
            text: questionMessages.text,
            at: questionMessages.at,
          })
          .from(questionMessages)
          .innerJoin(questions, eq(questions.id, questionMessages.questionId))
          .where(isTheirs)
          .orderBy(asc(questionMessages.at), asc(questionMessages.id))
          .limit(mostRows)
          .all(),
    },
    {
      name: 'question-files',
      read: () =>
        db
          .select({
            id: questionFiles.id,
            messageId: questionFiles.messageId,
            kind: questionFiles.kind,
            type: questionFiles.type,
            readyAt: questionFiles.readyAt,
            refusal: questionFiles.refusal,
          })
          .from(questionFiles)
          .innerJoin(questionMessages, eq(questionMessages.id, questionFiles.messageId))
          .innerJoin(questions, eq(questions.id, questionMessages.questionId))
          .where(isTheirs)
          .orderBy(asc(questionMessages.at), asc(questionFiles.position))
          .limit(mostRows)
          .all()
          .map((file) => ({ ...file, file: file.readyAt === null ? null : questionFileName(file) })),
    },
    {
      name: 'found-useful',
      read: () =>
        db
          .select({ question: publishedQuestions.question, video: memberVideos.title, at: usefulQuestions.at })
          .from(usefulQuestions)
          .innerJoin(publishedQuestions, eq(publishedQuestions.id, usefulQuestions.publishedId))
          .innerJoin(memberVideos, eq(memberVideos.id, publishedQuestions.videoId))
          .where(eq(usefulQuestions.userId, userId))
          .limit(mostRows)
          .all(),
    },
  ]
}
