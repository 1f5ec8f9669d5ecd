import { advanceClockOnce, nextAdvancingClock, runTimer } from '#api/sandbox/billing/timeline.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { readSettings } from '#api/sandbox/store/settings.ts'
import { openStore, type Store, transact } from '#api/sandbox/store/store.ts'
import { nextTimer } from '#api/sandbox/store/timers.ts'
import { type Deliveries, type Receiver, startDeliveries } from '#api/sandbox/webhooks/deliveries.ts'

/** Billing time, which only moves forwards. */
export type SandboxClock = { now(): Date; moveTo(at: Date): void }

export type Engine = {
  store: Store
  deliveries: Deliveries
  context(request: Context['request']): Context
  /** Continues every test clock that is `advancing`, delivering webhooks between its steps. */
  advanceTestClocks(): void
  runDueTimers(): void
  /** Runs every timer due by `to` in order of time, advancing the clock along with them. */
  advance(to: Date): Promise<void>
  stop(): Promise<void>
}

export type EngineOptions = { file: string; clock: SandboxClock; receiver: Receiver; pagesUrl: () => string }

const noRequest = { id: null, idempotencyKey: null }

type State = EngineOptions & { store: Store; deliveries: Deliveries; isAdvancingClocks: boolean; isStopped: boolean }

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

/** Delivers webhooks before the clock moves on, so a receiver sees each event at its own time. */
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

/** Advances one step at a time, so other requests get in between. */
async function advanceTestClocks(state: State): Promise<void> {
  if (state.isAdvancingClocks) return
  state.isAdvancingClocks = true
  for (;;) {
    const id = nextAdvancingClock(state.store)
    if (id === null) break
    const now = seconds(state.clock.now())
    transact(state.store, () => advanceClockOnce(contextAt(state, noRequest, now), id))
    await state.deliveries.settle()
    if (state.isStopped) return
  }
  state.isAdvancingClocks = false
}

function startAdvancingTestClocks(state: State): void {
  advanceTestClocks(state).catch((error: unknown) => {
    state.isAdvancingClocks = false
    state.receiver.log('test clock failed', { reason: String(error) })
  })
}

export function startEngine(options: EngineOptions): Engine {
  const store = openStore(options.file)
  const state: State = {
    ...options,
    store,
    deliveries: startDeliveries(store, options.receiver),
    isAdvancingClocks: false,
    isStopped: false,
  }
  let queue: Promise<void> = Promise.resolve()
  return {
    store,
    deliveries: state.deliveries,
    context: (request) => contextAt(state, request, seconds(options.clock.now())),
    advanceTestClocks: () => startAdvancingTestClocks(state),
    runDueTimers: () => runDueTimers(state),
    advance(to) {
      const advanced = queue.then(() => advanceTo(state, to))
      queue = advanced.catch(() => undefined)
      return advanced
    },
    async stop() {
      state.isStopped = true
      await state.deliveries.stop()
      store.db.close()
    },
  }
}
