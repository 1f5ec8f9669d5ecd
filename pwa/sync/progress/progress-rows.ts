import type { SyncItem } from '#shared/contract/progress.ts'
import { layOver } from '#shared/rules/progress.ts'
import type { MemberStore, OutboxEntry, ProgressRow } from './store.ts'

/** ISO text, or the bare number where it is none: an entry that rotted on disk must reach the server to be refused. */
export function iso(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}

/** A row as a change that waits makes it look, over what the server last said of it. */
export function waitingRow({ videoId, completed, at }: Omit<OutboxEntry, 'seq'>, server: SyncItem | null): ProgressRow {
  return { videoId, completed, completedAt: completed ? iso(at) : null, server }
}

const answeredRow = (server: SyncItem): ProgressRow => ({
  videoId: server.videoId,
  completed: server.completed,
  completedAt: server.completedAt,
  server,
})

/** Replaces every row by the server's, under what still waits. */
export async function showAll(store: MemberStore, items: readonly SyncItem[], waiting: readonly OutboxEntry[]) {
  const answered = new Map(items.map((item) => [item.videoId, item]))
  const over = waiting.map((entry) => waitingRow(entry, answered.get(entry.videoId) ?? null))
  await store.progress.clear()
  await store.progress.bulkPut([...layOver(items.map(answeredRow), over).values()])
}

/** Puts one row right after one of its changes has gone. */
export async function showOne(store: MemberStore, videoId: string, waiting: readonly OutboxEntry[]): Promise<void> {
  const server = (await store.progress.get(videoId))?.server ?? null
  const last = waiting.findLast((entry) => entry.videoId === videoId)
  if (last) await store.progress.put(waitingRow(last, server))
  else if (server) await store.progress.put(answeredRow(server))
  else await store.progress.delete(videoId)
}
