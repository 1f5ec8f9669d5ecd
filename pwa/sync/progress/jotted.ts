import * as v from 'valibot'
import { isStoreFault } from '#pwa/sync/mending.ts'
import { isInMemory, type Platform } from '#pwa/sync/platform.ts'
import { hasEnded } from '#pwa/sync/transactions.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import { createServerClock, recordPosition, recordTick } from './outbox.ts'
import { isClosed, type MemberStore } from './store.ts'

// A page may be gone before its database has taken what was done last. So that's jotted down first, in local storage, which takes
// it at once. The next opening enters what's still there.

/** A tick, or where the member stopped. `wall`: when, on the device's clock. */
const Note = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ id: v.string(), videoId: v.string(), value: v.union([v.boolean(), v.number()]), wall: v.number() }),
)

type Recorder = { store: MemberStore; platform: Platform; clock: ReturnType<typeof createServerClock> }
type Change = Pick<v.InferOutput<typeof Note>, 'id' | 'videoId' | 'value'>

const record = ({ store, clock }: Recorder, { id, videoId, value }: Change, age: () => number) =>
  typeof value === 'boolean'
    ? recordTick(store, clock, { id, videoId, completed: value, age })
    : recordPosition(store, clock, { videoId, seconds: value, age })

const keyOf = ({ memberId }: Pick<MemberStore, 'memberId'>, id: string) => `jotted-${memberId}-${id}`

/** Whether a local storage key is a note of this member's. */
export const isJottedBy = (memberId: string, key: string) => key.startsWith(keyOf({ memberId }, ''))

/** Notes of ticks this page has only in memory. They stay until those are sent or discarded, so that a page that's left loses none. */
const unsent = new Set<string>()

function settleNote(recorder: Recorder, key: string, { value }: Pick<Change, 'value'>): void {
  if (typeof value === 'boolean' && isInMemory(recorder.platform, recorder.store)) unsent.add(key)
  else recorder.platform.storage.removeItem(key)
}

/** Call it after sending or discarding. */
export async function forgetSettledNotes(recorder: Pick<Recorder, 'store' | 'platform'>): Promise<void> {
  const { store, platform } = recorder
  if (unsent.size === 0 || !isInMemory(platform, store)) return
  const waiting = new Set((await store.outbox.toArray()).map(({ id }) => keyOf(store, id)))
  for (const key of unsent) {
    if (waiting.has(key) || !key.startsWith(keyOf(store, ''))) continue
    platform.storage.removeItem(key)
    unsent.delete(key)
  }
}

/**
 * `value`: whether it's completed, or the second. Without a response from the database the note stays, and while the database
 * fails: the next opening may do better.
 */
export async function recordWithNote(recorder: Recorder, change: Pick<Change, 'videoId' | 'value'>): Promise<void> {
  const { store, platform } = recorder
  const { storage, monotonic } = platform
  const [made, wall] = [monotonic(), platform.wall()]
  const note = { ...change, id: uuidV7(wall, platform.randomBytes(idRandomBytes)), wall }
  const key = keyOf(store, note.id)
  storage.setItem(key, JSON.stringify(note))
  try {
    await record(recorder, note, () => monotonic() - made)
  } catch (error) {
    if (hasEnded(store.dexie) || !isStoreFault(error)) storage.removeItem(key)
    throw error
  }
  settleNote(recorder, key, note)
}

/** Enters what earlier pages could only jot down. */
export async function enterJotted(store: MemberStore, platform: Platform): Promise<void> {
  const { storage } = platform
  const keys = storage.keys().filter((key) => key.startsWith(keyOf(store, '')))
  if (keys.length === 0) return
  const recorder = { store, platform, clock: createServerClock(platform) }
  // Already wiped: its notes go with it.
  const isReady = !(await isClosed(store)) && (await store.meta.get('clock')) !== undefined
  // In the order made, which their ids keep.
  for (const key of keys.sort()) {
    const { success, output } = v.safeParse(Note, storage.getItem(key))
    if (isReady && success) {
      await record(recorder, output, () => Math.max(0, platform.wall() - output.wall))
      settleNote(recorder, key, output)
    } else storage.removeItem(key)
  }
}
