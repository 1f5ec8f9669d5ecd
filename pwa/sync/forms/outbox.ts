import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import { isDue, retryAfterFailure } from '#pwa/sync/scheduler.ts'
import { dayMs } from '#shared/rules/durations.ts'
import type { FormEntry, FormReceipt, FormRefusal, FormStore, NewForm } from './store.ts'

/** Stores a form to send; the same id again changes nothing. */
export async function addForm({ dexie, entries, receipts }: FormStore, form: NewForm, madeAt: number): Promise<void> {
  await dexie.transaction('rw', entries, receipts, async () => {
    if ((await entries.get(form.id)) || (await receipts.get(form.id))) return
    await entries.add({
      ...form,
      madeAt,
      state: 'waiting',
      attempts: 0,
      retryAt: null,
      isWaitAsked: false,
      isServerBusy: false,
      doubtSince: null,
    })
  })
}

/** False if the form is being sent, and so may have arrived. */
export async function removeForm({ dexie, entries }: FormStore, id: string): Promise<boolean> {
  return dexie.transaction('rw', entries, async () => {
    if ((await entries.get(id))?.state === 'sending') return false
    await entries.delete(id)
    return true
  })
}

/** What a form and its receipt share. `madeAt`: ms, device clock. */
export type MadeForm = Pick<FormEntry, 'id' | 'madeAt'>

export async function deleteForms(
  { dexie, entries, receipts }: FormStore,
  isToGo: (form: MadeForm) => boolean,
): Promise<void> {
  await dexie.transaction('rw', entries, receipts, async () => {
    await entries.filter(isToGo).delete()
    await receipts.filter(isToGo).delete()
  })
}

export const readPendingForms = async ({ entries }: FormStore): Promise<FormEntry[]> =>
  (await entries.orderBy('id').toArray()).filter(({ state }) => state !== 'refused')

/**
 * The server remembers a key for 7 days. If a form may have arrived that long ago, sending it again could make a second one, so the
 * visitor decides.
 */
const doubtMs = 6.5 * dayMs
const inDoubt: FormRefusal = {
  message: 'We couldn’t tell if this arrived. Send it again if you haven’t heard from us.',
  fields: {},
}

type Outbox = { store: FormStore; platform: Platform }

/** Marks a form before sending, if it's still there and due. */
export async function claimForm(
  { store, platform }: Outbox,
  id: string,
  reason: WakeReason,
): Promise<FormEntry | null> {
  const wall = platform.wall()
  return store.dexie.transaction('rw', store.entries, async () => {
    const entry = await store.entries.get(id)
    if (entry?.state !== 'waiting' || !isDue(entry, reason, wall)) return null
    if (entry.doubtSince !== null && wall - entry.doubtSince > doubtMs) {
      await store.entries.put({ ...entry, state: 'refused', refusal: inDoubt })
      return null
    }
    await store.entries.put({ ...entry, state: 'sending', doubtSince: entry.doubtSince ?? wall })
    return entry
  })
}

export type FormResult =
  | { kind: 'sent'; reference: string; sentAt: string }
  | { kind: 'refused'; refusal: FormRefusal }
  /** Our server responded, but didn't store it. */
  | { kind: 'later'; askedWaitMs: number | null }
  /**
   * No response from our server: the form may have arrived. `isBusy`: a gateway in between says the site is in trouble, and may
   * name a wait.
   */
  | { kind: 'unreachable'; askedWaitMs: number | null; isBusy: boolean }

/** `entry` is as it was before sending. If it's gone by now it was wiped, and leaves no receipt. */
export async function settleForm(outbox: Outbox, entry: FormEntry, result: FormResult): Promise<void> {
  const { store, platform } = outbox
  const { id, kind, madeAt } = entry
  const keptAt = platform.wall()
  await store.dexie.transaction('rw', store.entries, store.receipts, async () => {
    if (!(await store.entries.get(id))) return
    if (result.kind === 'sent') {
      const { reference, sentAt } = result
      await store.entries.delete(id)
      await store.receipts.put({ id, kind, madeAt, sentAt, reference, keptAt, isSeen: false })
    } else if (result.kind === 'refused') {
      await store.entries.put({ ...entry, state: 'refused', refusal: result.refusal })
    } else await store.entries.put(postponedEntry(platform, entry, result))
  })
}

type Failure = Extract<FormResult, { kind: 'later' | 'unreachable' }>

function postponedEntry(platform: Platform, entry: FormEntry, result: Failure): FormEntry {
  const isOurs = result.kind === 'later'
  return {
    ...entry,
    ...retryAfterFailure(platform, entry.attempts, result.askedWaitMs),
    state: 'waiting',
    isServerBusy: isOurs || result.isBusy,
    doubtSince: isOurs ? entry.doubtSince : (entry.doubtSince ?? platform.wall()),
  }
}

export type FormOutcome =
  | { kind: 'sent'; receipt: FormReceipt }
  | { kind: 'refused'; refusal: FormRefusal }
  | { kind: 'pending' }

export async function readOutcome({ dexie, entries, receipts }: FormStore, id: string): Promise<FormOutcome | null> {
  return dexie.transaction('r', entries, receipts, async () => {
    const receipt = await receipts.get(id)
    if (receipt) return { kind: 'sent', receipt }
    const entry = await entries.get(id)
    if (!entry) return null
    const { refusal } = entry
    return refusal ? { kind: 'refused', refusal } : { kind: 'pending' }
  })
}

/** Receipts nobody has seen, now marked as seen. Leaves `isAwaited` forms to the page that awaits them. */
export async function takeUnseenReceipts(
  { dexie, receipts }: FormStore,
  isAwaited: (id: string) => boolean,
): Promise<FormReceipt[]> {
  return dexie.transaction('rw', receipts, async () => {
    const unseen = (await receipts.toArray()).filter(({ id, isSeen }) => !isSeen && !isAwaited(id))
    await receipts.bulkPut(unseen.map((receipt) => ({ ...receipt, isSeen: true })))
    return unseen
  })
}
