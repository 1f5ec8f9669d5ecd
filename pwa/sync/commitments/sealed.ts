import * as v from 'valibot'
import type { CommitmentEntry } from '#pwa/sync/progress/commitment-rows.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import { readWaiting } from './store.ts'

/** A waiting “done” and the like, without a word of what it's about. */
export const SealedCommitments = v.array(
  v.object({
    id: v.string(),
    commitmentId: v.string(),
    state: v.picklist(['open', 'done', 'dropped']),
    at: v.number(),
    counter: v.number(),
  }),
)
export type SealedCommitments = v.InferOutput<typeof SealedCommitments>

const isWorded = ({ text, day }: CommitmentEntry) => text !== undefined || day !== undefined

/** What a logout seals: states of commitments the server knows. Call it in a transaction with `commitments` and their outbox. */
export async function commitmentsToSeal(store: MemberStore): Promise<SealedCommitments> {
  const [waiting, known] = await Promise.all([readWaiting(store), store.commitments.toCollection().primaryKeys()])
  return waiting.flatMap(({ id, commitmentId, state, at, counter }) =>
    state !== undefined && known.includes(commitmentId) ? [{ id, commitmentId, state, at, counter }] : [],
  )
}

/** New texts and days, which a logout deletes: the text and, if it's new, the day. */
export async function unsentCommitments(store: MemberStore): Promise<{ text: string; day: string | null }[]> {
  const { dexie, commitments, commitmentOutbox } = store
  return dexie.transaction('r', commitments, commitmentOutbox, async () => {
    const [waiting, rows] = await Promise.all([readWaiting(store), commitments.toArray()])
    const texts = new Map(rows.map(({ id, text }) => [id, text]))
    const unsent = new Map<string, { text: string; day: string | null }>()
    for (const entry of waiting.filter(isWorded)) {
      const before = unsent.get(entry.commitmentId)
      const text = entry.text ?? before?.text ?? texts.get(entry.commitmentId) ?? ''
      unsent.set(entry.commitmentId, { text, day: entry.day ?? before?.day ?? null })
    }
    return [...unsent.values()]
  })
}

/** Puts what was sealed back into the queue, in a transaction of the caller's. */
export async function restoreCommitments({ commitmentOutbox }: MemberStore, sealed: SealedCommitments): Promise<void> {
  if (sealed.length === 0) return
  const known = await commitmentOutbox
    .where('id')
    .anyOf(sealed.map(({ id }) => id))
    .toArray()
  const missing = sealed.filter(({ id }) => known.every((entry) => entry.id !== id))
  await commitmentOutbox.bulkAdd(missing.map((entry) => ({ ...entry, status: 'waiting' as const })))
}
