import { whileHere } from './leaving.ts'

// A browser may freeze a page that's left, to show it again on Back. It then keeps what it holds, and no other page gets it: an open
// transaction and a lock stop every other page of the site. It may also suspend a hidden app in the middle of anything.

let isFrozen = false
let back = Promise.withResolvers<void>()
let leaving = new AbortController()
const listeners = new Set<() => void>()

/** The page is frozen as soon as the event's listeners have run, so nothing new may begin. */
export const isPageLeft = () => isFrozen

/** Resolves while the page is here, or once it's back. */
export const untilPageIsBack = (): Promise<void> => (isFrozen ? back.promise : Promise.resolve())

/** Aborts when this page is left. Ask for it again once it's back. */
export const pageLeft = (): AbortSignal => leaving.signal

/** Calls `pausing` when this page is left, and when it's hidden. */
export function onPagePaused(pausing: () => void): void {
  listeners.add(pausing)
}

function pause(): void {
  for (const pausing of listeners) pausing()
}

function leave(): void {
  isFrozen = true
  pause()
  leaving.abort()
}

function comeBack(): void {
  isFrozen = false
  leaving = new AbortController()
  back.resolve()
  back = Promise.withResolvers<void>()
}

// Before all other listeners: what they begin must find the page left. A page that isn't kept takes what it holds with it.
globalThis.window?.addEventListener('pagehide', ({ persisted }) => persisted && leave(), { capture: true })
globalThis.window?.addEventListener('pageshow', ({ persisted }) => persisted && isFrozen && comeBack(), {
  capture: true,
})
globalThis.document?.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && pause(), {
  capture: true,
})

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** How long after a failure a page has to be there for the failure to count. */
const settleMs = 500

/**
 * A navigation ends the requests of the page it leaves, and some browsers tell the page so before they tell it that it's left. So a
 * failure counts once the page has stayed. Back on a page that was left, what only reads is asked again.
 */
export async function fetchWhileHere(init: RequestInit, send: () => Promise<Response>): Promise<Response> {
  const left = pageLeft()
  try {
    return await whileHere(send)
  } catch (error) {
    if (init.signal?.aborted) throw error
    if (globalThis.window !== undefined && navigator.onLine)
      await new Promise((resolve) => setTimeout(resolve, settleMs))
    await untilPageIsBack()
    if (left.aborted && (init.method ?? 'GET') === 'GET') return fetchWhileHere(init, send)
    throw error
  }
}
