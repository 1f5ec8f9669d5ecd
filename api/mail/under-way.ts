import type { Database as Sqlite } from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { oncePer } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { keepBodyIf } from './retry.ts'

type Sent = { id: string; sentAt: string; keepsBody: boolean }

/** `unrecorded`: those that the server has taken, which could not be recorded yet. */
type UnderWay = { ids: Set<string>; unrecorded: Map<string, Sent> }

/**
 * The mails that this process is handing over, by the database connection, which copies of a context share. The rows tell other
 * programs by the wall clock, and that may be moved, or stand still with the machine, while the server takes its time.
 */
const underWayOf = oncePer((_connection: Sqlite): UnderWay => ({ ids: new Set(), unrecorded: new Map() }))

/** As a JSON array. */
export const idsUnderWay = ({ sqlite }: Context): string => JSON.stringify([...underWayOf(sqlite).ids])

/** To be called in the turn of the event loop in which the mail was taken. */
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

/** To be called as soon as the server has taken a mail: from then on it is not sent again, whether or not that can be stored now. */
export function noteSent(ctx: Context, { id, keepsBody }: Omit<Sent, 'sentAt'>): void {
  underWayOf(ctx.sqlite).unrecorded.set(id, { id, keepsBody, sentAt: ctx.now().toISOString() })
}

/** Whether the server has taken any mail that could not be recorded yet. */
export const isUnrecorded = ({ sqlite }: Context): boolean => underWayOf(sqlite).unrecorded.size > 0

/** Records what the server has taken. What cannot be stored now stays noted, for the next call. */
export function recordSent(ctx: Context): void {
  const { ids, unrecorded } = underWayOf(ctx.sqlite)
  for (const { id, sentAt, keepsBody } of unrecorded.values()) {
    ctx.db
      .update(mailOutbox)
      .set({ status: 'sent', sentAt, lastError: null, ...keepBodyIf(keepsBody) })
      .where(eq(mailOutbox.id, id))
      .run()
    unrecorded.delete(id)
    ids.delete(id)
  }
}
