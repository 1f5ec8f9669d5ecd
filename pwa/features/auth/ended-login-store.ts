import { countOwnerWork } from '#pwa/lib/owner-work.ts'
import { hasUnsavedForm } from '#pwa/lib/reload.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { readStored } from '#pwa/sync/progress/status.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'
import type { LeftFormsStore, UnsentForms } from './left-forms-store.ts'

/**
 * A login another device ended: the server's message, the unsent ticks and what an owner hadn't saved, whether those stay sealed on
 * this device, and the forms we didn't send.
 */
export type EndedLogin = {
  text: string
  waiting: number
  drafts: number
  areKept: boolean
  isWorkKept: boolean
  forms: UnsentForms
}

/** Null for any other error, and if no one was logged in here. Ask before the store is wiped. */
export async function readEndedLogin({ sync, leftForms }: Session, error: unknown): Promise<EndedLogin | null> {
  const engine = sync.engine()
  if (!(error instanceof RequestError && error.wipe) || engine === null) return null
  const none = { waiting: 0, refused: 0 }
  const [waiting, drafts, forms] = await Promise.all([
    inTime(countWaitingTicks(engine), 0),
    engine.isReadOnly ? 0 : inTime(countOwnerWork(), 0),
    inTime(leftForms.count(), none),
  ])
  return { text: error.text ?? '', waiting, drafts, areKept: true, isWorkKept: true, forms }
}

/** How often a visible page checks. A touch also checks, but no sooner than this. */
const askEveryMs = 60_000
const touchAskMs = 15_000

/**
 * Checks that the login is still valid while this page is open: once another device has logged this one out, it shows the person's
 * nothing more of its person than the minute before. Nothing is asked without signal, or if no one is logged in.
 */
export function watchLogin(sync: SyncSession, ask: (by: { isTimer: boolean }) => void): void {
  let askedAt = Date.now()
  const askIfShown = (isTimer: boolean) => {
    if (document.hidden || !navigator.onLine || sync.engine() === null) return
    askedAt = Date.now()
    ask({ isTimer })
  }
  setInterval(() => askIfShown(true), askEveryMs)
  document.addEventListener('visibilitychange', () => askIfShown(false))
  const onTouch = () => Date.now() - askedAt >= touchAskMs && askIfShown(false)
  document.addEventListener('pointerdown', onTouch, { passive: true })
}

type Session = { sync: SyncSession; leftForms: LeftFormsStore }

/** A store that doesn't respond mustn't hold up its own deletion. */
const countMs = 1_000

export function inTime<Result>(work: Promise<Result>, otherwise: Result, ms = countMs): Promise<Result> {
  const unknown = new Promise<Result>((resolve) => setTimeout(() => resolve(otherwise), ms))
  return Promise.race([work.catch(() => otherwise), unknown])
}

/** Counts those being sent too: after a logout we send no more of them. */
export async function countWaitingTicks(engine: ReturnType<SyncSession['engine']>): Promise<number> {
  if (engine === null) return 0
  const { pending, sending } = (await readStored(engine.store)).sync
  return pending + sending
}

/** What the logged-out person reads about unsent ticks; null if there are none. */
export function unsentTicksText(waiting: number, areKept: boolean): string | null {
  if (waiting === 0) return null
  if (!areKept)
    return waiting === 1
      ? 'We couldn’t save 1 tick. Log in and tick it again.'
      : `We couldn’t save ${waiting} ticks. Log in and tick them again.`
  return waiting === 1
    ? 'You have 1 tick to send. It’s safe on this phone. Log in to send it.'
    : `You have ${waiting} ticks to send. They’re safe on this phone. Log in to send them.`
}

/** A waiting form may be sent a moment later, so the sentence has to be true either way. */
function unsentFormTexts({ waiting, refused }: UnsentForms): (string | null)[] {
  return [
    waiting === 1 ? 'We’ll send your form when you’re back in range. No need to log in.' : null,
    waiting > 1 ? `We’ll send your ${waiting} forms when you’re back in range. No need to log in.` : null,
    refused === 1 ? 'We couldn’t accept 1 form, so we’ve deleted it.' : null,
    refused > 1 ? `We couldn’t accept ${refused} forms, so we’ve deleted them.` : null,
  ]
}

function unsavedText(drafts: number, isKept: boolean): string | null {
  if (drafts === 0) return null
  if (!isKept) return 'We couldn’t keep what you hadn’t saved.'
  return 'What you hadn’t saved is safe on this device. It’s there again after you log in.'
}

export const endedLoginText = ({ text, waiting, drafts, areKept, isWorkKept, forms }: EndedLogin) =>
  [text, unsentTicksText(waiting, areKept), unsavedText(drafts, isWorkKept), ...unsentFormTexts(forms)]
    .filter(Boolean)
    .join(' ')

/**
 * A browser may restore a page as it was left. It stays hidden until we know its person is still logged in.
 * If they aren't, the page reloads. It also reloads if it was left in the middle of a login or logout, unless that loses something.
 */
export function hideWhileAway(sync: SyncSession): void {
  const { style } = document.documentElement
  const startAnew = () => window.location.reload()
  let left = { hasPerson: false, isBusy: false }
  window.addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) return
    left = { hasPerson: sync.engine() !== null, isBusy: sync.isBusy() }
    if (left.hasPerson) style.visibility = 'hidden'
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    if (left.isBusy && !hasUnsavedForm()) return startAnew()
    if (!left.hasPerson) return
    sync.isStillHere().then((isHere) => {
      if (isHere) style.visibility = ''
      else startAnew()
    }, startAnew)
  })
}
