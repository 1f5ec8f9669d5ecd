import * as v from 'valibot'
import type { CommitmentEntry, NewCommitmentEntry } from '#pwa/sync/progress/commitment-rows.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import { readWaiting } from './store.ts'

/** What only this device can decrypt is what it wrote. */
export const SealedCommitments = v.array(
  v.custom<NewCommitmentEntry>((value) => typeof value === 'object' && value !== null),
)
export type SealedCommitments = v.InferOutput<typeof SealedCommitments>

const isWorded = ({ text, day }: CommitmentEntry) => text !== undefined || day !== undefined

/**
 * What waits, words included: a login that's ended from elsewhere leaves nobody to ask about them. A logout deletes those first. Call it
 * in a transaction with the outbox.
 */
export const commitmentsToSeal = async (store: MemberStore): Promise<SealedCommitments> =>
  (await readWaiting(store)).map(({ seq: _, ...entry }) => entry)

/** What a logout deletes, once it was named: words, and all that's about what only this phone knows. */
export async function forgetUnsentWords(store: MemberStore): Promise<void> {
  const { dexie, commitments, commitmentOutbox } = store
  await dexie.transaction('rw', commitments, commitmentOutbox, async () => {
    const known = new Set(await commitments.toCollection().primaryKeys())
    for (const entry of await commitmentOutbox.toArray()) {
      const { text: _, day: __, ...wordless } = entry
      if (entry.state === undefined || !known.has(entry.commitmentId)) await commitmentOutbox.delete(entry.seq)
      else if (isWorded(entry)) await commitmentOutbox.put(wordless)
    }
  })
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
  await commitmentOutbox.bulkAdd(missing)
}
