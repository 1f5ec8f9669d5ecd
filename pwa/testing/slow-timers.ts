import { vi } from 'vitest'

type Faked = NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake']

/** Not `setImmediate`: a database that was opening as its test ended would stay so, and every later one wait behind it. */
const timers: Faked = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
  ...(['Date', 'performance', 'requestAnimationFrame', 'cancelAnimationFrame'] as const),
]

/**
 * Fakes the timers and runs them at a fiftieth of their pace. What a page does in no time still happens, but a wait of seconds ends
 * only when the test moves the clock, even on a busy machine that takes seconds to draw the page. End with `vi.useRealTimers()`.
 */
export function useSlowTimers(toFake: Faked = timers): void {
  const { setInterval, clearInterval } = globalThis
  vi.useFakeTimers({ toFake })
  const faked = globalThis.setTimeout
  const running = setInterval(() => {
    if (globalThis.setTimeout === faked) vi.advanceTimersByTime(1)
    else clearInterval(running)
  }, 50)
}
