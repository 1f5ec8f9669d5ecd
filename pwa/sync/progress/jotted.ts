import * as v from 'valibot'
import type { Platform } from '#pwa/sync/platform.ts'
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

const keyOf = (store: MemberStore, id: string) => `jotted-${store.memberId}-${id}`

/** `value`: whether it's completed, or the second. Without a response from the database the note stays. */
export async function recordWithNote(recorder: Recorder, change: Pick<Change, 'videoId' | 'value'>): Promise<void> {
  const { store, platform } = recorder
  const { storage, monotonic } = platform
  const [made, wall] = [monotonic(), platform.wall()]
  const note = { ...change, id: uuidV7(wall, platform.randomBytes(idRandomBytes)), wall }
  const key = keyOf(store, note.id)
  storage.setItem(key, JSON.stringify(note))
  try {
    await record(recorder, note, () => monotonic() - made)
  } finally {
    storage.removeItem(key)
  }
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
    if (isReady && success) await record(recorder, output, () => Math.max(0, platform.wall() - output.wall))
    storage.removeItem(key)
  }
}
