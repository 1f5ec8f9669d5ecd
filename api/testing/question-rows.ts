import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { questionFileContents, questionFiles, questionMessages, questions } from '#api/db/schema/questions.ts'

/** A question about a video, with a photo that's here. Only its first bytes are a photo's. */
export function addQuestionRows(ctx: Context, { userId, videoId }: { userId: string; videoId: string }): string {
  const [id, fileId, at] = [ctx.newId(), ctx.newId(), ctx.now().toISOString()]
  const times = { askedAt: at, countedAt: at, receivedAt: at, waitsSince: at, updatedAt: at }
  insertRow(ctx, questions, { id, userId, origin: 'video', videoId, videoTitle: 'Video', seconds: 12, ...times })
  const said = { author: 'member', text: 'What would you charge?', at, receivedAt: at } as const
  insertRow(ctx, questionMessages, { id, questionId: id, ...said })
  const content = Buffer.from('ffd8ffe0', 'hex')
  insertRow(ctx, questionFiles, {
    id: fileId,
    messageId: id,
    kind: 'photo',
    position: 0,
    bytes: content.length,
    sha256: '0'.repeat(64),
    received: content.length,
    readyAt: at,
    type: 'image/jpeg',
    width: 1600,
    height: 1200,
    copiedAt: at,
  })
  insertRow(ctx, questionFileContents, { fileId, form: 'served', content })
  return id
}
