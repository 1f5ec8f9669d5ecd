import { coalesce } from './coalesce.ts'
import type { Platform, WakeReason } from './platform.ts'

export type ScheduleParts<Result> = {
  platform: Platform
  stopping: AbortSignal
  /** What a call comes to once this has ended. */
  stopped: Result
  /** False once the store was wiped or closed, which ends this. */
  isOpen(): boolean
  run(reason: WakeReason): Promise<Result>
  /** Ms to the next run after one that went well; null: none by itself. */
  nextDelay(): Promise<number | null>
  /** The same after a fault. */
  usualDelayMs: number
}

/** Decides when a queue is sent: one run at a time in this tab, each followed by the time of the next. */
export function createSchedule<Result>(parts: ScheduleParts<Result>) {
  const { platform, stopping, stopped } = parts
  let cancelTimer = () => {}
  const isOver = () => stopping.aborted || !parts.isOpen()
  const run = async (reason: WakeReason): Promise<Result> => {
    if (stopping.aborted) return stopped
    cancelTimer()
    let delay: number | null = parts.usualDelayMs
    try {
      const result = await parts.run(reason)
      delay = await parts.nextDelay()
      return result
    } catch (error) {
      // A store that was wiped under a run ends it; anything else is a fault.
      if (isOver()) return stopped
      throw error
    } finally {
      if (delay !== null && !isOver()) cancelTimer = platform.after(delay, () => wakeUp('timer'))
    }
  }
  const { ask, settled } = coalesce(run, (one, other) => (isPersonal(one) ? one : other))
  const wakeUp = (reason: WakeReason) => {
    ask(reason).catch(platform.report)
  }
  stopping.addEventListener('abort', () => cancelTimer())
  return { flush: ask, wakeUp, settled }
}

/** Somebody is looking, or signal has just come back: worth a try even while paused or backing off. */
export const isPersonal = (reason: WakeReason) => reason !== 'write' && reason !== 'timer'
