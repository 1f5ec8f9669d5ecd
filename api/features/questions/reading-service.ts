import type { Context } from '#api/context.ts'
import { cachedRead } from '#api/db/cached-read.ts'
import { generationLabel } from '#api/db/generation.ts'
import type { HasDb } from '#api/db/query.ts'
import { notFound } from '#api/errors.ts'
import type { Member } from '#api/identity/person.ts'
import type {
  Question,
  QuestionFile,
  QuestionLink,
  QuestionList,
  QuestionMessage,
  QuestionResponse,
  QuestionState,
} from '#shared/contract/questions.ts'
import { stateOfQuestionFile } from '#shared/rules/question-file.ts'
import { videoAddress } from '#shared/rules/video.ts'
import { allowanceOf } from './allowance-service.ts'
import {
  type FileRow,
  filesOfMember,
  type MessageRow,
  messagesOfMember,
  type QuestionRow,
  questionById,
  questionsOfMember,
  rowsOfQuestion,
} from './queries.ts'

/** Who an owner views the site as keeps their questions to themselves. */
export function listQuestions(ctx: Context, member: Member): QuestionList {
  const shown = member.impersonator === null ? keptQuestions(ctx, keyOf(ctx, member)) : none
  const rest = { allowance: allowanceOf(ctx, member), generation: generationLabel(ctx) }
  const version = Bun.hash(shown.version + JSON.stringify(rest)).toString(36)
  return { questions: shown.questions, ...rest, serverTime: ctx.now().toISOString(), version }
}

type Shown = { questions: Question[]; version: string }

const toShown = (questions: Question[]): Shown => ({
  questions,
  version: Bun.hash(JSON.stringify(questions)).toString(36),
})
const none = toShown([])

/** The hour is that in which files may begin to count as missing. */
const keyOf = (ctx: Context, { id }: Member) => `${id} ${ctx.now().toISOString().slice(0, 13)}`

/** Phones ask often, and mostly for nothing new. */
const keptQuestions = cachedRead(
  (ctx, key): Shown => {
    const [userId = '', hour = ''] = key.split(' ')
    const now = new Date(`${hour}:00:00Z`)
    return toShown(questionsOf({ db: ctx.db, now: () => now }, userId))
  },
  { untilAnyWrite: true },
)

type Clock = Pick<Context, 'now'>

function questionsOf(ctx: HasDb & Clock, userId: string): Question[] {
  const messages = Map.groupBy(messagesOfMember.all(ctx, { userId }), ({ questionId }) => questionId)
  const files = Map.groupBy(filesOfMember.all(ctx, { userId }), ({ messageId }) => messageId)
  return questionsOfMember
    .all(ctx, { userId })
    .map((row) => toQuestion(ctx, row, { messages: messages.get(row.id) ?? [], files }))
}

/** A question as its member and the owners see it. */
export function readQuestion(ctx: Context, id: string): Question {
  const row = questionById.get(ctx, { id })
  if (row === undefined) throw notFound('This question')
  const { messages, files } = rowsOfQuestion(ctx, id)
  return toQuestion(ctx, row, { messages, files: Map.groupBy(files, ({ messageId }) => messageId) })
}

/** Someone else's isn't found. */
export function ownQuestion(ctx: Context, member: Member, id: string): QuestionRow {
  const row = questionById.get(ctx, { id })
  if (row?.userId !== member.id) throw notFound('This question')
  return row
}

export const questionResponse = (ctx: Context, id: string): QuestionResponse => ({
  question: readQuestion(ctx, id),
  serverTime: ctx.now().toISOString(),
  generation: generationLabel(ctx),
})

type Said = { messages: readonly MessageRow[]; files: ReadonlyMap<string, readonly FileRow[]> }

function toQuestion(ctx: Clock, row: QuestionRow, { messages, files }: Said): Question {
  const answer = messages.findLast(({ author }) => author === 'coach')
  const title = row.videoTitle ?? row.keptTitle
  return {
    id: row.id,
    origin: row.origin,
    video: title === null ? null : { id: row.videoId, slug: row.videoSlug, title, seconds: row.seconds ?? 0 },
    call: row.callId === null || row.callStartsAt === null ? null : { id: row.callId, startsAt: row.callStartsAt },
    mayPublish: row.mayPublish,
    state: stateOf(row),
    askedAt: row.askedAt,
    answeredAt: row.answeredAt,
    readByCoachAt: row.readByCoachAt,
    readByMemberAt: row.readByMemberAt,
    isUnread: answer !== undefined && (row.readByMemberAt === null || row.readByMemberAt < answer.at),
    publishedAt: row.publishedAt,
    version: row.version,
    messages: messages.map((message) => toMessage(ctx, message, files.get(message.id) ?? [])),
  }
}

export type QuestionTimes = Pick<QuestionRow, 'withdrawnAt' | 'closedAt' | 'answeredAt' | 'readByCoachAt'>

export function stateOf({ withdrawnAt, closedAt, answeredAt, readByCoachAt }: QuestionTimes): QuestionState {
  if (withdrawnAt !== null) return 'withdrawn'
  if (closedAt !== null) return 'closed'
  if (answeredAt !== null) return 'answered'
  return readByCoachAt === null ? 'sent' : 'read'
}

const toMessage = (ctx: Clock, row: MessageRow, files: readonly FileRow[]): QuestionMessage => ({
  id: row.id,
  author: row.author,
  name: row.coachName,
  text: row.text,
  link: linkOf(row),
  files: files.map((file) => toFile(ctx, file)),
  at: row.at,
})

/** What has been deleted since isn't linked. */
function linkOf({ linkedSlug, linkedTitle, postSlug, postTitle }: MessageRow): QuestionLink | null {
  if (linkedSlug !== null && linkedTitle !== null)
    return { kind: 'video', path: videoAddress({ slug: linkedSlug }), title: linkedTitle }
  return postSlug === null || postTitle === null ? null : { kind: 'post', path: `/blog/${postSlug}`, title: postTitle }
}

export const toFile = (ctx: Clock, row: FileRow): QuestionFile => ({
  id: row.id,
  kind: row.kind,
  state: stateOfQuestionFile(row, ctx.now()),
  bytes: row.bytes,
  received: row.received,
  refusal: row.refusal,
  type: row.type,
  width: row.width,
  height: row.height,
  durationMs: row.durationMs,
  hasAac: row.aacOf !== null,
})
