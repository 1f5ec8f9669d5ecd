import { isDeparture, longestDepartureMs } from './departure.ts'

/** The press that started the app may have been one on a link. */
let leftAt = globalThis.departedAt ?? -longestDepartureMs

function leave(): void {
  leftAt = performance.now()
}

function comeBack(): void {
  leftAt = -longestDepartureMs
}

/** Whether the browser is on its way to another document. It stops this page's requests then, and they fail. */
export const isLeaving = (): boolean => performance.now() - leftAt < longestDepartureMs

/** One on a link that the router leaves to the browser. */
function onPress(event: Event): void {
  if (isDeparture(event)) leave()
}

export function noteDepartures(): void {
  addEventListener('click', onPress)
  addEventListener('pagehide', leave)
  addEventListener('pageshow', comeBack)
}

/** Also notes navigations without a press on a link. Only for a while: with this listener, Firefox may not keep the page. */
export function noteUnloads(): () => void {
  const note = () => leave()
  addEventListener('beforeunload', note)
  return () => removeEventListener('beforeunload', note)
}

/**
 * Does work that a navigation may stop. It fails only on a page that stays: on one that's being left, no one should see a failure, or
 * be taken elsewhere because of it.
 */
export async function whileHere<Result>(work: () => Promise<Result>): Promise<Result> {
  const stopNoting = noteUnloads()
  try {
    return await work()
  } catch (error) {
    while (isLeaving()) await new Promise((resolve) => setTimeout(resolve, 500))
    throw error
  } finally {
    stopNoting()
  }
}
