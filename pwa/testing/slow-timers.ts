import { vi } from 'vitest'

type Faked = NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake']

/**
 * Fakes the timers and lets them run at a fiftieth of their pace, so that what a page does in no time still comes, while a wait
 * of seconds ends only where the test moves the clock: not on a busy machine that takes seconds to draw the page. Ends with
 * `vi.useRealTimers()`.
 */
export function useSlowTimers(toFake?: Faked): void {
  const { setInterval, clearInterval } = globalThis
  vi.useFakeTimers(toFake ? { toFake } : {})
  const faked = globalThis.setTimeout
  const running = setInterval(() => {
    if (globalThis.setTimeout === faked) vi.advanceTimersByTime(1)
    else clearInterval(running)
  }, 50)
}
