import type { Context } from '#api/context.ts'
import type { Sqlite } from '#api/db/open.ts'

const second = 1000
/** Most outages are a restart of the mail server, which takes seconds. */
const firstPauseMs = 5 * second
/** A minute is as long as mail may wait for a server that is back; asked more often, one may lock out a wrong password. */
const longestPauseMs = 60 * second

type Outage = { since: number; pauseMs: number }

/**
 * The mail server's outage, by the database connection, which copies of a context share: it is no mail's fault, so it is not
 * kept with the mails. A program that has just started asks the server anew.
 */
const outages = new WeakMap<Sqlite, Outage>()

/** Whether the server was away a moment ago and is not asked yet. What a clock that was set back since has noted counts for nothing. */
export function isPaused({ sqlite, now }: Context): boolean {
  const outage = outages.get(sqlite)
  if (outage === undefined) return false
  const elapsed = now().getTime() - outage.since
  return elapsed >= 0 && elapsed < outage.pauseMs
}

/** Begins the next pause of an outage: twice as long as the last. */
export function recordOutage({ sqlite, now }: Context): void {
  const last = outages.get(sqlite)
  const pauseMs = last === undefined ? firstPauseMs : Math.min(longestPauseMs, last.pauseMs * 2)
  outages.set(sqlite, { since: now().getTime(), pauseMs })
}

export const endOutage = ({ sqlite }: Context): boolean => outages.delete(sqlite)
