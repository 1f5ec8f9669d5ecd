import type { CommitmentEntry, CommitmentRow, ConfirmedCommitment } from '#pwa/sync/progress/commitment-rows.ts'
import { changeFlush, isClosed, type MemberStore, readClock } from '#pwa/sync/progress/store.ts'
import type { CommitmentSyncResponse, FieldStamp } from '#shared/contract/commitments.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { clampAhead, isNewerStamp, seenAfter, storedAsOf } from '#shared/rules/progress-merge.ts'
import { changeQueue } from './store.ts'

/** As long as for ticks, and how many of them. */
const keptMs = 30 * dayMs
const keptAtMost = 300

/**
 * Merges a response in one transaction. What another copy of the server confirmed is pending again. `offset` is the clock's new one.
 * False if the member has logged out here meanwhile.
 */
export async function mergeCommitments(
  store: MemberStore,
  sent: readonly CommitmentEntry[],
  response: CommitmentSyncResponse,
  offset: number,
): Promise<boolean> {
  const { dexie, commitments, commitmentOutbox, confirmedCommitments, meta } = store
  const serverTime = Date.parse(response.serverTime)
  return dexie.transaction('rw', [commitments, commitmentOutbox, confirmedCommitments, meta], async () => {
    if (await isClosed(store)) return false
    const accepted = await settle(store, sent, response)
    await keepConfirmed(store, accepted, response)
    await takeBackConfirmed(store, response)
    const limit = clampAhead(Number.POSITIVE_INFINITY, serverTime)
    await commitmentOutbox.filter(({ at }) => at > limit).modify({ at: limit })
    await commitments.clear()
    await commitments.bulkPut(response.items)
    const clock = await readClock(store)
    const received = response.items
      .flatMap(({ stamps: { text, day, state } }) => [text, day, state])
      .map(({ at, counter }) => ({ at: Date.parse(at), counter }))
    await meta.put({ ...clock, ...seenAfter(clock, received, serverTime), offset })
    await changeQueue(store, { version: response.version, attempts: 0, retryAt: null, isWaitAsked: false })
    // The ticks' next answer says the same.
    await changeFlush(store, { commitments: response.version })
    return true
  })
}

export type Refusal = { code: string; message: string }

/** Deletes what was accepted, and sets aside what was refused. Returns what was accepted. */
async function settle(
  { commitmentOutbox }: MemberStore,
  sent: readonly CommitmentEntry[],
  { rejected }: Pick<CommitmentSyncResponse, 'rejected'>,
): Promise<CommitmentEntry[]> {
  const refusals = new Map<string | null, Refusal>(rejected.map(({ id, code, message }) => [id, { code, message }]))
  const refused = sent.flatMap((entry): CommitmentEntry[] => {
    const refusal = refusals.get(entry.id)
    // The member isn't asked about what they saw confirmed.
    return refusal === undefined || entry.isRepeat ? [] : [{ ...entry, status: 'refused', refusal }]
  })
  await commitmentOutbox.bulkDelete(sent.map(({ seq }) => seq))
  await commitmentOutbox.bulkPut(refused)
  return sent.filter(({ id }) => !refusals.has(id))
}

export const refuseChange = ({ commitmentOutbox }: MemberStore, entry: CommitmentEntry, refusal: Refusal) =>
  commitmentOutbox.put({ ...entry, status: 'refused', refusal })

async function keepConfirmed(
  { confirmedCommitments }: MemberStore,
  accepted: readonly CommitmentEntry[],
  { generation, serverTime }: Pick<CommitmentSyncResponse, 'generation' | 'serverTime'>,
): Promise<void> {
  const confirmedAt = Date.parse(serverTime)
  await confirmedCommitments.bulkPut(accepted.map((entry) => ({ ...entry, confirmedAt, generation })))
  await confirmedCommitments
    .where('confirmedAt')
    .below(confirmedAt - keptMs)
    .delete()
  const tooMany = (await confirmedCommitments.count()) - keptAtMost
  if (tooMany > 0) await confirmedCommitments.limit(tooMany).delete()
}

/**
 * Puts what another copy of the server confirmed back into the queue, in its old place. The server applies each id once, so one it
 * still has is harmless. What the rows show to be there stays kept.
 */
async function takeBackConfirmed(
  store: MemberStore,
  { generation, items, serverTime }: Pick<CommitmentSyncResponse, 'generation' | 'items' | 'serverTime'>,
): Promise<void> {
  const { confirmedCommitments, commitmentOutbox } = store
  const lost = await confirmedCommitments.filter((one) => one.generation !== generation).toArray()
  if (lost.length === 0) return
  const { deviceId } = await readClock(store)
  const rows = new Map(items.map((item) => [item.id, item]))
  const isMissing = (entry: ConfirmedCommitment) =>
    isNews(entry, rows.get(entry.commitmentId), { deviceId, now: Date.parse(serverTime) })
  const [missing, held] = [lost.filter(isMissing), lost.filter((entry) => !isMissing(entry))]
  await confirmedCommitments.bulkDelete(missing.map(({ seq }) => seq))
  await confirmedCommitments.bulkPut(held.map((entry) => ({ ...entry, generation })))
  const queued = new Set((await commitmentOutbox.toArray()).map(({ id }) => id))
  await commitmentOutbox.bulkPut(
    missing
      .filter(({ id }) => !queued.has(id))
      .map(({ confirmedAt: _, generation: __, ...entry }): CommitmentEntry => ({ ...entry, isRepeat: true })),
  )
}

/** Whether any field the change names is newer than the row's. */
function isNews(
  entry: CommitmentEntry,
  row: CommitmentRow | undefined,
  { deviceId, now }: { deviceId: string; now: number },
): boolean {
  if (row === undefined) return true
  const stamp = { at: entry.at, counter: entry.counter, deviceId, changeId: entry.id }
  const isNewer = (stored: FieldStamp) =>
    isNewerStamp(stamp, storedAsOf({ ...stored, at: Date.parse(stored.at) }, entry.at, now))
  const { text, day, state } = row.stamps
  return (
    (entry.text !== undefined && isNewer(text)) ||
    (entry.day !== undefined && isNewer(day)) ||
    (entry.state !== undefined && isNewer(state))
  )
}
