import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import {
  publishedQuestions,
  questionMessages,
  questions,
  savedReplies,
  usefulQuestions,
} from '#api/db/schema/questions.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { questionSeeds, savedReplySeeds } from '#data/seed/questions.ts'

type Seed = (typeof questionSeeds)[number]

/** What the named accounts have asked, so that neither Inbox nor their own list is empty. */
export function seedQuestions(ctx: Context): void {
  const now = ctx.now().toISOString()
  for (const reply of savedReplySeeds)
    insertRow(ctx, savedReplies, { ...reply, id: ctx.newId(), createdAt: now, updatedAt: now })
  for (const seed of questionSeeds) {
    const userId = findAccount(ctx, seed.email)?.id
    if (userId !== undefined) seedQuestion(ctx, seed, userId)
  }
}

function seedQuestion(ctx: Context, seed: Seed, userId: string): void {
  const { video, seconds = null, mayPublish = false, said, isRead = false } = seed
  const at = (hoursAgo: number) => new Date(ctx.now().getTime() - hoursAgo * 3_600_000).toISOString()
  const asked = said.find(({ by }) => by === undefined)
  const answer = said.find(({ by }) => by !== undefined)
  if (asked === undefined) return
  const [id, askedAt] = [ctx.newId(), at(asked.hoursAgo)]
  const answeredAt = answer === undefined ? null : at(answer.hoursAgo)
  insertRow(ctx, questions, {
    id,
    userId,
    origin: video === undefined ? 'header' : 'video',
    videoId: video === undefined ? null : videoTitled(ctx, video),
    videoTitle: video ?? null,
    seconds,
    mayPublish,
    askedAt,
    countedAt: askedAt,
    receivedAt: askedAt,
    waitsSince: askedAt,
    answeredAt,
    readByCoachAt: answeredAt,
    readByMemberAt: isRead ? answeredAt : null,
    version: said.length,
    updatedAt: answeredAt ?? askedAt,
  })
  for (const { hoursAgo, text, by, link } of said)
    insertRow(ctx, questionMessages, {
      // The first message has its question's id.
      id: by === undefined ? id : ctx.newId(),
      questionId: id,
      author: by === undefined ? 'member' : 'coach',
      ownerId: by === undefined ? null : (findAccount(ctx, by)?.id ?? null),
      text,
      videoId: link === undefined ? null : videoTitled(ctx, link),
      at: at(hoursAgo),
      receivedAt: at(hoursAgo),
    })
  seedPublished(ctx, seed, { id, at: answeredAt ?? askedAt })
}

function seedPublished(
  ctx: Context,
  { video, published }: Seed,
  { id: questionId, at }: { id: string; at: string },
): void {
  const videoId = video === undefined ? null : videoTitled(ctx, video)
  if (published === undefined || videoId === null) return
  const { question, answer, usefulTo } = published
  const id = ctx.newId()
  insertRow(ctx, publishedQuestions, { id, questionId, videoId, question, answer, createdAt: at, updatedAt: at })
  for (const email of usefulTo) {
    const userId = findAccount(ctx, email)?.id
    if (userId !== undefined) insertRow(ctx, usefulQuestions, { publishedId: id, userId, at })
  }
}

const videoTitled = ({ db }: Context, title: string): string | null =>
  db.select({ id: memberVideos.id }).from(memberVideos).where(eq(memberVideos.title, title)).get()?.id ?? null
