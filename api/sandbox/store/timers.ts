import { findPublic, type Store } from './store.ts'

/** In order: of two timers due in the same second, the earlier kind runs first. */
const timerKinds = [
  'incomplete_expiry',
  'trial_will_end',
  'discount_end',
  'pending_update_expiry',
  'schedule_start',
  'phase_end',
  'cancel',
  'trial_end',
  'renewal',
  'collection_resume',
  'resume_expiry',
  'finalize',
  'retry',
] as const

export type TimerKind = (typeof timerKinds)[number]
/** `at` in unix seconds of billing time. */
export type Timer = { kind: TimerKind; at: number }
export type DueTimer = Timer & { objectId: string }

/** The test clock an object belongs to, directly or through its customer. Null means billing time. */
export const testClockOf = (store: Store, id: string): string | null =>
  hasTestClock(store) ? readClockOf(store, id) : null

/** Every request and every saved invoice asks for its clock, and mostly there's none. */
const hasTestClock = (store: Store): boolean =>
  store.prepare("SELECT 1 FROM objects WHERE kind = 'test_helpers.test_clock' LIMIT 1").get() !== undefined

function readClockOf(store: Store, id: string): string | null {
  const object = findPublic(store, id)
  if (object === null || object.deleted === true) return null
  if (object.object === 'test_helpers.test_clock') return id
  if (typeof object.test_clock === 'string') return object.test_clock
  return typeof object.customer === 'string' ? readClockOf(store, object.customer) : null
}

/** Timers derive from an object's state, so each save replaces all of them. */
export function setTimers(store: Store, objectId: string, timers: Timer[]): void {
  store.prepare('DELETE FROM timers WHERE object_id = ?').run(objectId)
  if (timers.length === 0) return
  const insert = store.prepare('INSERT INTO timers (object_id, kind, at, clock) VALUES (?, ?, ?, ?)')
  const clock = testClockOf(store, objectId)
  for (const timer of timers) insert.run(objectId, timer.kind, timer.at, clock)
}

const timerRank = timerKinds.map((kind, rank) => `WHEN '${kind}' THEN ${rank}`).join(' ')

/** The first timer due by `until`, in billing time or on that test clock. */
export function nextTimer(store: Store, until: number, clock: string | null = null): DueTimer | null {
  // Every request asks, and mostly none is due. Sorting takes several times as long as looking.
  const due = store
    .prepare<[number, string | null], { at: number | null }>(
      'SELECT min(at) AS at FROM timers WHERE at <= ? AND clock IS ?',
    )
    .get(until, clock)
  if (!due?.at) return null
  const row = store
    .prepare<[number, string | null], { object_id: string; kind: TimerKind; at: number }>(
      `SELECT object_id, kind, at FROM timers WHERE at = ? AND clock IS ? ORDER BY CASE kind ${timerRank} END, object_id LIMIT 1`,
    )
    .get(due.at, clock)
  return row ? { objectId: row.object_id, kind: row.kind, at: row.at } : null
}

/** The first timer of these objects, whenever it falls due. */
export function nextTimerOf(store: Store, objectIds: string[]): DueTimer | null {
  const row = store
    .prepare<[string], { object_id: string; kind: TimerKind; at: number }>(
      `SELECT object_id, kind, at FROM timers WHERE object_id IN (SELECT value FROM json_each(?))
       ORDER BY at, CASE kind ${timerRank} END, object_id LIMIT 1`,
    )
    .get(JSON.stringify(objectIds))
  return row ? { objectId: row.object_id, kind: row.kind, at: row.at } : null
}

export function dropTimer(store: Store, timer: DueTimer): void {
  store.prepare('DELETE FROM timers WHERE object_id = ? AND kind = ?').run(timer.objectId, timer.kind)
}
