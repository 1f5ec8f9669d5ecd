import type { Database as Sqlite } from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { oncePer } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { keepBodyIf } from './retry.ts'
import { endSenderRefusals } from './sender-refusals.ts'

type Sent = { id: string; sentAt: string; keepsBody: boolean }

/** `unrecorded`: emails the server has accepted but we couldn't record. */
type UnderWay = { ids: Set<string>; unrecorded: Map<string, Sent> }

/**
 * The emails this process is sending, by database connection, which a context's copies share. The rows tell other programs by
 * wall clock, which may be changed, or stop while the machine sleeps.
 */
const underWayOf = oncePer((_connection: Sqlite): UnderWay => ({ ids: new Set(), unrecorded: new Map() }))

export const idsUnderWay = ({ sqlite }: Context): string => JSON.stringify([...underWayOf(sqlite).ids])

/** Call it in the same turn of the event loop in which the email was taken. */
export async function whileUnderWay<Result>(
  { sqlite }: Context,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { ids, unrecorded } = underWayOf(sqlite)
  ids.add(id)
  try {
    return await work()
  } finally {
    if (!unrecorded.has(id)) ids.delete(id)
  }
}

/** Call it as soon as the server accepts an email: from then on we won't send it again, even if that can't be stored yet. */
export function noteSent(ctx: Context, { id, keepsBody }: Omit<Sent, 'sentAt'>): void {
  underWayOf(ctx.sqlite).unrecorded.set(id, { id, keepsBody, sentAt: ctx.now().toISOString() })
}

export const isUnrecorded = ({ sqlite }: Context): boolean => underWayOf(sqlite).unrecorded.size > 0

/** Records what the server has accepted. Anything that can't be stored stays for the next call. */
export function recordSent(ctx: Context): void {
  const { ids, unrecorded } = underWayOf(ctx.sqlite)
  for (const { id, sentAt, keepsBody } of unrecorded.values()) {
    ctx.db
      .update(mailOutbox)
      .set({ status: 'sent', sentAt, lastError: null, ...keepBodyIf(keepsBody) })
      .where(eq(mailOutbox.id, id))
      .run()
    endSenderRefusals(ctx)
    unrecorded.delete(id)
    ids.delete(id)
  }
}
