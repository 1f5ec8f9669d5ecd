import { RequestError } from '#pwa/lib/request-error.ts'
import { readStored } from '#pwa/sync/progress/status.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'

/** A login that was ended from elsewhere: the server's sentence about it, and the ticks that stay sealed on this device. */
export type EndedLogin = { text: string; waiting: number }

/** Null for any other error, and where this device knew nobody. To be asked before the store is wiped. */
export async function readEndedLogin({ engine }: SyncSession, error: unknown): Promise<EndedLogin | null> {
  if (!(error instanceof RequestError && error.wipe) || engine() === null) return null
  const unknown = new Promise<number>((resolve) => setTimeout(() => resolve(0), countMs))
  const waiting = await Promise.race([countWaitingTicks(engine()).catch(() => 0), unknown])
  return { text: error.text ?? '', waiting }
}

/** A store that does not answer must not hold up its own deletion. */
const countMs = 1_000

/** Also those on their way at this moment: after a logout none of them is sent any more. */
export async function countWaitingTicks(engine: ReturnType<SyncSession['engine']>): Promise<number> {
  if (engine === null) return 0
  const { pending, sending } = (await readStored(engine.store)).sync
  return pending + sending
}

/** What becomes of ticks that wait, for the person who is logged out; null where there are none. */
export function sealedTicksText(waiting: number): string | null {
  if (waiting === 0) return null
  return waiting === 1
    ? 'The tick not sent yet stays locked on this phone until you log in again.'
    : `The ${waiting} ticks not sent yet stay locked on this phone until you log in again.`
}

export const endedLoginText = ({ text, waiting }: EndedLogin) =>
  [text, sealedTicksText(waiting)].filter(Boolean).join(' ')
