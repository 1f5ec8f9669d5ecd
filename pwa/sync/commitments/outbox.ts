import type { Platform } from '#pwa/sync/platform.ts'
import type { CommitmentEdit } from '#pwa/sync/progress/commitment-rows.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import type { ServerClock } from '#pwa/sync/progress/outbox.ts'
import { isClosed, type MemberStore, readClock } from '#pwa/sync/progress/store.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import { nextSeen } from '#shared/rules/progress-merge.ts'

type Recorder = { store: MemberStore; clock: ServerClock; platform: Platform }

const newId = ({ wall, randomBytes }: Platform) => uuidV7(wall(), randomBytes(idRandomBytes))

/** One transaction: the change to send, and the clock that stamped it. A new one that's here already isn't made again. */
async function record({ store, clock, platform }: Recorder, commitmentId: string, edit: CommitmentEdit): Promise<void> {
  const { commitments, commitmentOutbox, meta } = store
  await store.dexie.transaction('rw', commitments, commitmentOutbox, meta, async () => {
    if (await isClosed(store)) throw new Error('This member has been logged out here.')
    const isNew = edit.text !== undefined && edit.day !== undefined
    if (isNew) {
      const known = await commitments.get(commitmentId)
      const made = await commitmentOutbox.where('commitmentId').equals(commitmentId).count()
      // A line of a call that the coach has proposed is accepted by making it.
      if (made > 0 || (known !== undefined && known.state !== 'proposed')) return
    }
    const before = await readClock(store)
    const seen = nextSeen(before, clock.now(before.offset))
    await meta.put({ ...before, ...seen })
    await commitmentOutbox.add({ ...edit, id: newId(platform), commitmentId, ...seen, status: 'waiting' })
  })
}

export type NewCommitment = Required<Pick<CommitmentEdit, 'text' | 'day'>> & Pick<CommitmentEdit, 'video' | 'call'>

/** `id`: the same however often it's pressed. Resolves once it's kept on this device. */
export const makeCommitment = (engine: Engine, id: string, made: NewCommitment): Promise<void> =>
  engine.record((clock, platform) => record({ store: engine.store, clock, platform }, id, made))

/** Moves, rewords, ticks, undoes, drops or accepts one. */
export const changeCommitment = (
  engine: Engine,
  id: string,
  change: Pick<CommitmentEdit, 'text' | 'day' | 'state'>,
): Promise<void> =>
  engine.record(async (clock, platform) => {
    const recorder = { store: engine.store, clock, platform }
    const { text, day, state } = change
    // Text and day together would make a new one.
    if (text !== undefined && day !== undefined) {
      await record(recorder, id, { text })
      await record(recorder, id, state === undefined ? { day } : { day, state })
    } else await record(recorder, id, change)
  })

/** Deletes what the server refused, once the member has read why. */
export const forgetRefused = (engine: Engine, ids: readonly string[]): Promise<void> =>
  engine.record(async () => {
    await engine.store.commitmentOutbox.where('id').anyOf(ids).delete()
  })
