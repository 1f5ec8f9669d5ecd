import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isTrue, nullable } from '#api/db/expressions.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import type { AdminMail, MailStatus } from '#shared/contract/mail.ts'

const { id, to, cause, status, nextAttemptAt } = mailOutbox

/** No text and no whole cause: both can hold what is for the addressee alone. */
const fields = {
  id,
  to,
  subject: mailOutbox.subject,
  kind: sql`substr(${cause}, 1, instr(${cause} || ':', ':') - 1)`.mapWith(cause),
  status,
  attempts: mailOutbox.attempts,
  lastError: mailOutbox.lastError,
  createdAt: mailOutbox.createdAt,
  nextAttemptAt: nullable(nextAttemptAt, sql`iif(${inArray(status, ['waiting', 'sending'])}, ${nextAttemptAt}, null)`),
  sentAt: mailOutbox.sentAt,
  canResend: isTrue(sql`${inArray(status, ['refused', 'failed'])} and ${ne(mailOutbox.text, '')}`),
}

export type MailFilter = {
  limit: number
  cursor: string | undefined
  status: MailStatus | undefined
  to: string | undefined
}

/** Newest first; pages follow the id. */
export function listMail(ctx: Context, filter: MailFilter): AdminMail[] {
  const conditions = [
    filter.cursor === undefined ? undefined : lt(id, filter.cursor),
    filter.status === undefined ? undefined : eq(status, filter.status),
    filter.to === undefined ? undefined : eq(to, filter.to),
  ]
  return ctx.db
    .select(fields)
    .from(mailOutbox)
    .where(and(...conditions))
    .orderBy(desc(id))
    .limit(filter.limit)
    .all()
}

export const findMail = (ctx: Context, mailId: string): AdminMail | null =>
  ctx.db.select(fields).from(mailOutbox).where(eq(id, mailId)).get() ?? null
