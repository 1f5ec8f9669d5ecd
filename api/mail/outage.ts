import type { Context } from '#api/context.ts'
import type { Sqlite } from '#api/db/open.ts'

const second = 1000
/** Most outages are a restart of the mail server, which takes seconds. */
const firstPauseMs = 5 * second
/** A minute is as long as mail may wait for a server that is back; asked more often, one may lock out a wrong password. */
const longestPauseMs = 60 * second

/** `leftAt`: the mails at which the server went away. `isLinkLast`: the last of them holds a one-time link. */
type Outage = { since: number; pauseMs: number; leftAt: Set<string>; isLinkLast: boolean }

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
export function recordOutage(ctx: Context): void {
  const outage = outageOf(ctx)
  outage.pauseMs = outage.pauseMs === 0 ? firstPauseMs : Math.min(longestPauseMs, outage.pauseMs * 2)
  outage.since = ctx.now().getTime()
}

function outageOf({ sqlite, now }: Context): Outage {
  const known = outages.get(sqlite)
  if (known !== undefined) return known
  const outage = { since: now().getTime(), pauseMs: 0, leftAt: new Set<string>(), isLinkLast: false }
  outages.set(sqlite, outage)
  return outage
}

/**
 * Notes that the server went away at a mail. Returns whether the mail may be why: it is as long as it is the only one of the
 * outage. Where the server goes away at another, too, it does so by itself.
 */
export function blameMail(ctx: Context, mail: { id: string; isRepeatable: boolean }): boolean {
  const outage = outageOf(ctx)
  outage.isLinkLast = !mail.isRepeatable
  return outage.leftAt.add(mail.id).size === 1
}

/** Whether the server went away at a one-time link last: another mail goes first then, so that no number of links stops the rest. */
export const letsLinksWait = ({ sqlite }: Context): boolean => outages.get(sqlite)?.isLinkLast === true

/** The server has answered: it is there, and what it left at is that mail's own. */
export const endOutage = ({ sqlite }: Context): boolean => outages.delete(sqlite)
