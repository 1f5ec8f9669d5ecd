import { asc, eq, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { savedReplies } from '#api/db/schema/questions.ts'
import { notFound, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import type { Done } from '#shared/contract/auth.ts'
import { SavedReply, type SavedReplyRequest } from '#shared/contract/questions.ts'

const fields = {
  id: savedReplies.id,
  title: savedReplies.title,
  text: savedReplies.text,
  version: savedReplies.version,
}

export const listSavedReplies = ({ db }: Context): SavedReply[] =>
  db.select(fields).from(savedReplies).orderBy(sql`fold(${savedReplies.title})`, asc(savedReplies.id)).all()

function savedReply({ db }: Context, id: string): SavedReply {
  const reply = db.select(fields).from(savedReplies).where(eq(savedReplies.id, id)).get()
  if (reply === undefined) throw notFound('This saved reply')
  return reply
}

type New = { request: SavedReplyRequest; key: string | undefined }

/** Repeating a request with the same key adds nothing. */
export const addSavedReply = (ctx: Context, owner: Owner, { request, key }: New): SavedReply =>
  runOncePerKey(ctx, { scope: 'saved-reply', key, body: request }, SavedReply, () => {
    const { title, text } = request
    const [id, now] = [ctx.newId(), ctx.now().toISOString()]
    insertRow(ctx, savedReplies, { id, title, text, createdAt: now, updatedAt: now })
    audit(ctx, owner.actor, 'saved-reply.added', { targetId: id, detail: { title } })
    return savedReply(ctx, id)
  })

/** Sending the same change again after a lost response isn't a conflict. */
export function changeSavedReply(ctx: Context, owner: Owner, sent: SavedReplyRequest & { id: string }): SavedReply {
  const { id, title, text, version } = sent
  return transact(ctx, () => {
    const current = savedReply(ctx, id)
    if (current.title === title && current.text === text) return current
    if (version !== current.version) throw versionConflict({ sent, current })
    ctx.db
      .update(savedReplies)
      .set({ title, text, version: version + 1, updatedAt: ctx.now().toISOString() })
      .where(eq(savedReplies.id, id))
      .run()
    audit(ctx, owner.actor, 'saved-reply.changed', { targetId: id, detail: { title } })
    return savedReply(ctx, id)
  })
}

export function removeSavedReply(ctx: Context, owner: Owner, id: string): Done {
  return transact(ctx, () => {
    const [removed] = ctx.db
      .delete(savedReplies)
      .where(eq(savedReplies.id, id))
      .returning({ title: savedReplies.title })
      .all()
    if (removed !== undefined) audit(ctx, owner.actor, 'saved-reply.removed', { targetId: id, detail: removed })
    return { success: true }
  })
}
