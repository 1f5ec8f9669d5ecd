import { and, eq, exists, isNull, lt } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { questionFilePieces, questionFiles, questionMessages } from '#api/db/schema/questions.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { touchQuestion } from './arrival-service.ts'

/** A phone that comes back after a season still sends the rest. */
const keptMs = 90 * dayMs

/** Gives up on files whose phone never sent the rest, and deletes their pieces. Returns how many. */
export function forgetLostFiles(ctx: Context): number {
  const { db, now } = ctx
  const before = new Date(now().getTime() - keptMs).toISOString()
  const ofOldMessage = db
    .select({ id: questionMessages.id })
    .from(questionMessages)
    .where(and(eq(questionMessages.id, questionFiles.messageId), lt(questionMessages.receivedAt, before)))
  const isLost = and(
    isNull(questionFiles.readyAt),
    isNull(questionFiles.refusal),
    lt(questionFiles.received, questionFiles.bytes),
    exists(ofOldMessage),
  )
  return transact(ctx, () => {
    const lost = db
      .select({ id: questionFiles.id, kind: questionFiles.kind, questionId: questionMessages.questionId })
      .from(questionFiles)
      .innerJoin(questionMessages, eq(questionMessages.id, questionFiles.messageId))
      .where(isLost)
      .all()
    for (const { id, kind, questionId } of lost) {
      db.delete(questionFilePieces).where(eq(questionFilePieces.fileId, id)).run()
      const refusal = `This ${kind === 'photo' ? 'photo' : 'voice note'} never arrived. Send it again.`
      db.update(questionFiles).set({ refusal }).where(eq(questionFiles.id, id)).run()
      touchQuestion(ctx, questionId)
    }
    return lost.length
  })
}
