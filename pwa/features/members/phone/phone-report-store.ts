import { createLive } from '#pwa/sync/hooks.ts'
import type { CommitmentEntry, CommitmentRow } from '#pwa/sync/progress/commitment-rows.ts'
import { readStored, type SyncState } from '#pwa/sync/progress/status.ts'
import type { MemberStore, OutboxEntry, PositionRow } from '#pwa/sync/progress/store.ts'
import { formatLongDate } from '#shared/rules/london.ts'

/** `at` is ms since 1970; `id` is there while the change can be discarded. `kind`: what's shown where its title mustn't be. */
export type PhoneChange = {
  key: string
  id: string | null
  title: string
  kind: 'A video' | 'Something you said you’d do'
  what: string
  at: number
  state: 'waiting' | 'sending' | 'refused' | 'sent'
  reason: string | null
}

export type PhoneReport = {
  sync: SyncState
  videos: number
  texts: number
  unsent: number
  changes: { open: PhoneChange[]; recent: PhoneChange[] }
}

/** How many of the changes the server has we list. */
const mostRecent = 10

async function readReport(store: MemberStore): Promise<PhoneReport> {
  const [stored, entries, texts, rows, clock, promised, promises] = await store.dexie.transaction(
    'r',
    store.dexie.tables,
    () =>
      Promise.all([
        readStored(store),
        store.outbox.toArray(),
        store.texts.count(),
        store.progress.toArray(),
        store.meta.get('clock'),
        store.commitmentOutbox.orderBy('seq').toArray(),
        store.commitments.toArray(),
      ]),
  )
  const { sync, videos, positions } = stored
  const titles = new Map(videos.map(({ id, title }) => [id, title]))
  const titleOf = (videoId: string) => titles.get(videoId) ?? 'A video that’s been taken down'
  const places = [...positions.values()].filter(({ isPending }) => isPending)
  const own = clock?.key === 'clock' ? clock.deviceId : null
  const recent = rows
    .flatMap(({ server }) => (server ? [server] : []))
    .map((item) => ({ ...item, ms: Date.parse(item.at) }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, mostRecent)
    .map(
      ({ videoId, completed, ms, deviceId }): PhoneChange => ({
        key: videoId,
        id: null,
        title: titleOf(videoId),
        kind: 'A video',
        what: tickText(completed),
        at: ms,
        state: 'sent',
        reason: deviceId === own ? null : 'From another device',
      }),
    )
  const open = [
    ...entries.map((entry) => changeOf(entry, titleOf, sync.sending > 0)),
    ...places.map((row) => placeOf(row, titleOf)),
    ...promisesOf(promised, promises),
  ]
  const unsent = sync.pending + sync.sending + places.length + sync.commitments
  return { sync, videos: videos.length, texts, unsent, changes: { open, recent } }
}

const tickText = (isCompleted: boolean) => (isCompleted ? 'Marked complete' : 'Marked incomplete')

function changeOf(entry: OutboxEntry, titleOf: (videoId: string) => string, isSending: boolean): PhoneChange {
  const { id, videoId, completed, at, refusal } = entry
  const state = entry.state === 'sending' && !isSending ? 'waiting' : entry.state
  const reason = refusal?.message ?? null
  return { key: id, id, title: titleOf(videoId), kind: 'A video', what: tickText(completed), at, state, reason }
}

function placeOf({ videoId, seconds, at }: PositionRow, titleOf: (videoId: string) => string): PhoneChange {
  const what = `Stopped at ${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
  const title = titleOf(videoId)
  return { key: `at-${videoId}`, id: null, title, kind: 'A video', what, at, state: 'waiting', reason: null }
}

/** Their own page says more of them, and is where a refused one is let go of. */
function promisesOf(entries: readonly CommitmentEntry[], rows: readonly CommitmentRow[]): PhoneChange[] {
  const texts = new Map(rows.map(({ id, text }) => [id, text]))
  return entries.map(({ id, commitmentId, text, day, state, at, status, refusal }) => {
    const title = text ?? texts.get(commitmentId) ?? ''
    texts.set(commitmentId, title)
    const what = state ? stateTexts[state] : day ? `For ${formatLongDate(day)}` : 'New words'
    const reason = refusal?.message ?? null
    return { key: id, id: null, title, kind: 'Something you said you’d do', what, at, state: status, reason }
  })
}

const stateTexts = { done: 'Done', dropped: 'Dropped', open: 'Not done after all' }

/** Undefined until we've read the store. */
export const usePhoneReport = createLive(readReport).use
