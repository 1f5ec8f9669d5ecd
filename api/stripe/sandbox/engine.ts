import { happen } from '#api/stripe/sandbox/billing/happenings.ts'
import { readSettings } from '#api/stripe/sandbox/store/settings.ts'
import { openStore, type Store, transact } from '#api/stripe/sandbox/store/store.ts'
import { nextTimer } from '#api/stripe/sandbox/store/timers.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'
import { type Deliveries, type Receiver, startDeliveries } from '#api/stripe/sandbox/webhooks/deliveries.ts'

/** Billing time. It only moves forwards. */
export type SandboxClock = { now(): Date; moveTo(at: Date): void }

export type Engine = {
  store: Store
  deliveries: Deliveries
  /** What a request works with: the store, billing time and settings as they are now. */
  work(request: Work['request'], now?: number): Work
  /** Lets everything happen that is due by now. */
  catchUp(): void
  /** Walks every happening up to `to` in time order, the clock with it. */
  advance(to: Date): Promise<void>
  stop(): Promise<void>
}

export type EngineOptions = { file: string; clock: SandboxClock; receiver: Receiver; pagesUrl: () => string }

const NO_REQUEST = { id: null, idempotencyKey: null }

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

export function startEngine({ file, clock, receiver, pagesUrl }: EngineOptions): Engine {
  const store = openStore(file)
  const deliveries = startDeliveries(store, receiver)
  let advancing: Promise<void> = Promise.resolve()

  function work(request: Work['request'], now = seconds(clock.now())): Work {
    return { store, now, settings: readSettings(store), pagesUrl: pagesUrl().replace(/\/$/, ''), request }
  }

  function happenNext(until: number): boolean {
    const timer = nextTimer(store, until)
    if (timer === null) return false
    transact(store, () => happen(work(NO_REQUEST, timer.at), timer))
    return true
  }

  function catchUp(): void {
    while (happenNext(seconds(clock.now()))) deliveries.wake()
  }

  async function walk(to: Date): Promise<void> {
    catchUp()
    for (let timer = nextTimer(store, seconds(to)); timer !== null; timer = nextTimer(store, seconds(to))) {
      await deliveries.settle()
      moveClock(new Date(timer.at * 1000))
      catchUp()
    }
    moveClock(to)
    await deliveries.settle()
  }

  function moveClock(at: Date): void {
    if (at.getTime() > clock.now().getTime()) clock.moveTo(at)
  }

  function advance(to: Date): Promise<void> {
    const walked = advancing.then(() => walk(to))
    advancing = walked.catch(() => undefined)
    return walked
  }

  async function stop(): Promise<void> {
    await deliveries.stop()
    store.db.close()
  }

  return { store, deliveries, work, catchUp, advance, stop }
}
