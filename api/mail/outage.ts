import type { Context } from '#api/context.ts'
import type { Sqlite } from '#api/db/open.ts'

const second = 1000
/** Most outages are a restart of the mail server, which takes seconds. */
const firstPauseMs = 5 * second
/** Mail may wait a minute for a server that's back. Asking more often may get a wrong password locked out. */
const longestPauseMs = 60 * second

/** `leftAt`: emails during which the server disconnected. `isLinkLast`: the last of them has a one-time link. */
type Outage = { since: number; pauseMs: number; leftAt: Set<string>; isLinkLast: boolean }

/**
 * The mail server's outage, by database connection, which a context's copies share. It isn't kept with the emails, as it's not
 * their fault. A new program asks the server again.
 */
const outages = new WeakMap<Sqlite, Outage>()

/** Whether to hold off because the server was just unavailable. Ignores times from before the clock was set back. */
export function isPaused({ sqlite, now }: Context): boolean {
  const outage = outages.get(sqlite)
  if (outage === undefined) return false
  const elapsed = now().getTime() - outage.since
  return elapsed >= 0 && elapsed < outage.pauseMs
}

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
 * Notes that the server disconnected during an email. Returns whether the email may be the cause, which is only while it's the
 * outage's only one. If the server disconnects during another one too, it's the server.
 */
export function blameMail(ctx: Context, mail: { id: string; isRepeatable: boolean }): boolean {
  const outage = outageOf(ctx)
  outage.isLinkLast = !mail.isRepeatable
  return outage.leftAt.add(mail.id).size === 1
}

/** Whether the server last disconnected during a one-time link. Another email goes first then, so links can't block the rest. */
export const letsLinksWait = ({ sqlite }: Context): boolean => outages.get(sqlite)?.isLinkLast === true

/** Call it when the server answers: it's up, and any disconnect was that email's fault. */
export const endOutage = ({ sqlite }: Context): boolean => outages.delete(sqlite)
