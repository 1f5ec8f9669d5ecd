import { createLive } from '#pwa/sync/hooks.ts'
import type { CommitmentEntry, CommitmentRow } from '#pwa/sync/progress/commitment-rows.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import type { Commitment } from '#shared/contract/commitments.ts'
import { londonDay } from '#shared/rules/london.ts'

/** `isWaiting`: the server doesn't know all of it yet. */
export type ShownCommitment = Commitment & { isWaiting: boolean }

export type RefusedCommitment = { id: string; text: string; message: string }

export type ShownCommitments = { all: ShownCommitment[]; refused: RefusedCommitment[] }

/** The server's rows with this device's changes on top, in the order made. */
export function overlay(rows: readonly CommitmentRow[], entries: readonly CommitmentEntry[]): ShownCommitment[] {
  const shown = new Map<string, ShownCommitment>(
    rows.map(({ stamps: _, ...row }) => [row.id, { ...row, isWaiting: false }]),
  )
  for (const entry of entries) {
    if (entry.status === 'refused') continue
    const before = shown.get(entry.commitmentId) ?? begun(entry)
    // Of one that the server has and this device doesn't yet, such as after a login.
    if (before !== null) shown.set(entry.commitmentId, changed(before, entry))
  }
  return [...shown.values()]
}

function begun({ commitmentId, text, day, video = null, call = null, at }: CommitmentEntry): ShownCommitment | null {
  if (text === undefined || day === undefined) return null
  const createdAt = new Date(at).toISOString()
  const made = { id: commitmentId, madeBy: 'member' as const, state: 'open' as const, doneOn: null }
  return { ...made, text, day, video, call, createdAt, isWaiting: true }
}

function changed(before: ShownCommitment, { text, day, state, at }: CommitmentEntry): ShownCommitment {
  const isAccepted = text !== undefined && day !== undefined && before.state === 'proposed'
  const next = state ?? (isAccepted ? 'open' : before.state)
  const doneOn = state === undefined ? before.doneOn : state === 'done' ? londonDay(new Date(at)) : null
  return { ...before, text: text ?? before.text, day: day ?? before.day, state: next, doneOn, isWaiting: true }
}

/** What the pages show, and what the server didn't take. */
export async function readCommitments({
  dexie,
  commitments,
  commitmentOutbox,
}: MemberStore): Promise<ShownCommitments> {
  const [rows, entries] = await dexie.transaction('r', commitments, commitmentOutbox, () =>
    Promise.all([commitments.toArray(), commitmentOutbox.orderBy('seq').toArray()]),
  )
  const all = overlay(rows, entries)
  const textOf = (id: string) => all.find((one) => one.id === id)?.text ?? ''
  const refused = entries
    .filter(({ status }) => status === 'refused')
    .map(({ id, commitmentId, text, refusal }) => ({
      id,
      text: text ?? textOf(commitmentId),
      message: refusal?.message ?? '',
    }))
  return { all, refused }
}

const live = createLive(readCommitments)

/** Undefined until we've read this device's store. */
export const useCommitments = live.use
