import { advanceClockOnce, advancingClockIds, runTimer } from '#api/sandbox/billing/timeline.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { readSettings } from '#api/sandbox/store/settings.ts'
import { openStore, type Store, transact } from '#api/sandbox/store/store.ts'
import { nextTimer } from '#api/sandbox/store/timers.ts'
import { type Deliveries, type Receiver, startDeliveries } from '#api/sandbox/webhooks/deliveries.ts'

/** Billing time. It only moves forwards. */
export type SandboxClock = { now(): Date; moveTo(at: Date): void }

export type Engine = {
  store: Store
  deliveries: Deliveries
  /** What a request works with: the store, billing time and settings as they are now. */
  context(request: Context['request']): Context
  /** Moves the test clocks that were told to, with webhooks in between. */
  advanceTestClocks(): void
  /** Lets everything happen that is due by now. */
  runDueTimers(): void
  /** Walks every happening up to `to` in time order, the clock with it. */
  advance(to: Date): Promise<void>
  stop(): Promise<void>
}

export type EngineOptions = { file: string; clock: SandboxClock; receiver: Receiver; pagesUrl: () => string }

const noRequest = { id: null, idempotencyKey: null }

type State = EngineOptions & { store: Store; deliveries: Deliveries; moving: boolean; stopped: boolean }

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

function contextAt({ store, pagesUrl }: State, request: Context['request'], now: number): Context {
  return { store, now, settings: readSettings(store), pagesUrl: pagesUrl().replace(/\/$/, ''), request }
}

function runDueTimers(state: State): void {
  const { store, clock, deliveries } = state
  for (;;) {
    const timer = nextTimer(store, seconds(clock.now()))
    if (timer === null) return
    transact(store, () => runTimer(contextAt(state, noRequest, timer.at), timer))
    deliveries.wake()
  }
}

function moveClock({ clock }: State, at: Date): void {
  if (at.getTime() > clock.now().getTime()) clock.moveTo(at)
}

/** Webhooks are delivered before the clock goes on, so receivers see each happening at its own time. */
async function advanceTo(state: State, to: Date): Promise<void> {
  runDueTimers(state)
  for (;;) {
    await state.deliveries.settle()
    const timer = nextTimer(state.store, seconds(to))
    if (timer === null) break
    moveClock(state, new Date(timer.at * 1000))
    if (seconds(state.clock.now()) < timer.at) throw new Error('The sandbox clock did not move.')
    runDueTimers(state)
  }
  moveClock(state, to)
}

/** Step by step, so that others are answered meanwhile. */
async function advanceTestClocks(state: State): Promise<void> {
  if (state.moving) return
  state.moving = true
  for (let [clock] = advancingClockIds(state.store); clock !== undefined; [clock] = advancingClockIds(state.store)) {
    const id = clock
    const now = seconds(state.clock.now())
    transact(state.store, () => advanceClockOnce(contextAt(state, noRequest, now), id))
    await state.deliveries.settle()
    if (state.stopped) return
  }
  state.moving = false
}

function startAdvancingTestClocks(state: State): void {
  advanceTestClocks(state).catch((error: unknown) => {
    state.moving = false
    state.receiver.log('test clock failed', { reason: String(error) })
  })
}

export function startEngine(options: EngineOptions): Engine {
  const store = openStore(options.file)
  const state: State = {
    ...options,
    store,
    deliveries: startDeliveries(store, options.receiver),
    moving: false,
    stopped: false,
  }
  let advancing: Promise<void> = Promise.resolve()
  return {
    store,
    deliveries: state.deliveries,
    context: (request) => contextAt(state, request, seconds(options.clock.now())),
    advanceTestClocks: () => startAdvancingTestClocks(state),
    runDueTimers: () => runDueTimers(state),
    advance(to) {
      const walked = advancing.then(() => advanceTo(state, to))
      advancing = walked.catch(() => undefined)
      return walked
    },
    async stop() {
      state.stopped = true
      await state.deliveries.stop()
      store.db.close()
    },
  }
}
