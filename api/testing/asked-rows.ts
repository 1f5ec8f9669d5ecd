import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import {
  publishedQuestions,
  questionFiles,
  questionMessages,
  questions,
  savedReplies,
} from '#api/db/schema/questions.ts'

type Asked = {
  userId: string
  text?: string
  videoId?: string | null
  videoTitle?: string | null
  mayPublish?: boolean
  at?: string
}

/** A question as a member's phone sends it. */
export function addQuestion(ctx: Context, asked: Asked): string {
  const { userId, text = 'Why is the furthest radiator cold?', videoId = null, mayPublish = false } = asked
  const [id, at] = [ctx.newId(), asked.at ?? ctx.now().toISOString()]
  const times = { askedAt: at, countedAt: at, receivedAt: at, waitsSince: at, updatedAt: at }
  const about = {
    origin: videoId === null ? 'header' : 'video',
    videoId,
    videoTitle: asked.videoTitle ?? null,
  } as const
  insertRow(ctx, questions, { id, userId, ...about, seconds: videoId === null ? null : 12, mayPublish, ...times })
  insertRow(ctx, questionMessages, { id, questionId: id, author: 'member', text, at, receivedAt: at })
  return id
}

/** One that waits, with a photo on its way, one that's answered and published, and a saved reply. */
export function addQuestions(
  ctx: Context,
  { userId, videoId, place }: { userId: string; videoId: string; place: number },
) {
  const at = ctx.now().toISOString()
  const waiting = addQuestion(ctx, { userId, text: `Question ${place}` })
  const photo = { kind: 'photo', position: 0, bytes: 10, sha256: '0'.repeat(64) } as const
  insertRow(ctx, questionFiles, { ...photo, id: ctx.newId(), messageId: waiting })
  const questionId = addQuestion(ctx, { userId, videoId, videoTitle: `Video ${place}`, mayPublish: true })
  const said = { id: ctx.newId(), questionId, author: 'coach', text: 'Bleed it.', at, receivedAt: at } as const
  insertRow(ctx, questionMessages, said)
  ctx.sqlite.prepare('update questions set answeredAt = ? where id = ?').run(at, questionId)
  const times = { createdAt: at, updatedAt: at }
  const published = { id: ctx.newId(), questionId, videoId, question: 'Cold radiator?', answer: 'Bleed it.' }
  insertRow(ctx, publishedQuestions, { ...published, ...times })
  insertRow(ctx, savedReplies, { id: ctx.newId(), title: `Reply ${place}`, text: 'Good question.', ...times })
}
