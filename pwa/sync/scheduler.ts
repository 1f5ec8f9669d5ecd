import { backOffMs, longestWaitMs } from './back-off.ts'
import type { Platform, WakeReason } from './platform.ts'

// When a queue sends. `createScheduler` decides when to look at it, `isDue` what can go out then, and `retryAfterFailure` when the
// next attempt is allowed. Locks between tabs are in locks.ts.

/** The person is looking, the signal has just come back, or it's used anyway: worth a try even while paused or backing off. */
const shouldOverrideBackOff = (reason: WakeReason) => reason !== 'write' && reason !== 'timer'

/** Without signal only a person's own request is worth a try: the browser may be wrong about the network. */
export const mayReachServer = (platform: Platform, reason: WakeReason) => platform.isOnline() || reason === 'manual'

/** When we may send again. `isWaitAsked`: the server named that time itself (Retry-After). */
export type Retry = { retryAt: number | null; isWaitAsked: boolean }

/** Someone looking cuts our own wait short, but not one the server named. */
export function isDue({ retryAt, isWaitAsked }: Retry, reason: WakeReason, wall: number): boolean {
  return waitLeftMs(retryAt, wall) === 0 || (shouldOverrideBackOff(reason) && !isWaitAsked)
}

/** The same for a queue that's paused until a person acts: if they're looking, they may have. */
export function isQueueDue(queue: Retry & { paused: unknown }, reason: WakeReason, wall: number): boolean {
  return isDue(queue, reason, wall) && (shouldOverrideBackOff(reason) || queue.paused === null)
}

/** Ms from now to `retryAt`; 0 if it has passed, or is so far ahead that the device's clock must have been put back. */
export function waitLeftMs(retryAt: number | null, wall: number): number {
  const left = (retryAt ?? 0) - wall
  return left > longestWaitMs ? 0 : Math.max(0, left)
}

/** The wait after one more failure: our own back-off, or the server's time if that's longer. */
export function retryAfterFailure(platform: Platform, failuresBefore: number, askedWaitMs: number | null) {
  const attempts = failuresBefore + 1
  const wait = Math.max(backOffMs(attempts, platform.random()), askedWaitMs ?? 0)
  return { attempts, retryAt: platform.wall() + wait, isWaitAsked: askedWaitMs !== null }
}

export type SchedulerParts<Result> = {
  platform: Platform
  stopping: AbortSignal
  /** The result of every call once the scheduler has stopped. */
  stopped: Result
  /** False once the store was wiped or closed, which ends the scheduler. */
  isOpen(): boolean
  run(reason: WakeReason): Promise<Result>
  /** Ms to the next run after one that ended so; null: no timer. */
  nextDelay(result: Result): Promise<number | null>
  /** The same after an error. */
  usualDelayMs: number
}

/** Decides when to send a queue: one run at a time in this tab, each followed by a timer for the next. */
export function createScheduler<Result>(parts: SchedulerParts<Result>) {
  const { platform, stopping, stopped } = parts
  let cancelTimer = () => {}
  const isOver = () => stopping.aborted || !parts.isOpen()
  const run = async (reason: WakeReason): Promise<Result> => {
    if (stopping.aborted) return stopped
    cancelTimer()
    let delay: number | null = parts.usualDelayMs
    try {
      const result = await parts.run(reason)
      delay = await parts.nextDelay(result)
      return result
    } catch (error) {
      // If the store was wiped during a run, that ends it; anything else is a real error.
      if (isOver()) return stopped
      throw error
    } finally {
      if (delay !== null && !isOver()) cancelTimer = platform.after(delay, () => wakeUp('timer'))
    }
  }
  const { request, settled } = coalesce(run, strongerOf)
  const wakeUp = (reason: WakeReason) => {
    request(reason).catch(platform.report)
  }
  stopping.addEventListener('abort', () => cancelTimer())
  return { flush: request, wakeUp, settled }
}

/** A person who looks asks for what's new as well. */
function strongerOf(one: WakeReason, other: WakeReason): WakeReason {
  const isFirst = shouldOverrideBackOff(one) && !(one === 'ahead' && shouldOverrideBackOff(other))
  return isFirst ? one : other
}

export type Coalesced<Input, Result> = {
  /** Resolves with the run that started at or after this call. */
  request(input: Input): Promise<Result>
  settled(): Promise<void>
}

/**
 * One run at a time. Requests during a run become one more run after it, because the current one may have read its data already;
 * `stronger` picks that run's input. A queue library would run each request separately.
 */
export function coalesce<Input, Result>(
  run: (input: Input) => Promise<Result>,
  stronger: (one: Input, other: Input) => Input,
): Coalesced<Input, Result> {
  let running: Promise<Result> | null = null
  let next: { input: Input; result: Promise<Result> } | null = null
  const begin = (input: Input): Promise<Result> => {
    const started = run(input).finally(() => {
      running = null
    })
    running = started
    return started
  }
  const beginNext = (requested: Input): Promise<Result> => {
    const input = next?.input ?? requested
    next = null
    return begin(input)
  }
  return {
    request: (input) => {
      if (running === null) return begin(input)
      if (next === null) {
        const follow = () => beginNext(input)
        next = { input, result: running.then(follow, follow) }
      } else next.input = stronger(next.input, input)
      return next.result
    },
    settled: async () => {
      while (running !== null) await running.catch(() => {})
    },
  }
}
