import { keptFormMs } from '#pwa/lib/draft.ts'
import { waitLeft } from '#pwa/sync/back-off.ts'
import { follow } from '#pwa/sync/database.ts'
import { alone, leaseLeft } from '#pwa/sync/locks.ts'
import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import { createSchedule } from '#pwa/sync/scheduler.ts'
import { drainForms, waitingForms } from './outbox.ts'
import {
  addForm,
  type FormEntry,
  type FormReceipt,
  type FormRefusal,
  type FormStore,
  forgetForms,
  type KeptForms,
  type NewForm,
  openFormStore,
  readKeptForms,
  removeForm,
} from './store.ts'
import { sendForm } from './transport.ts'

/** `done`: nothing is left to send. `busy`: another tab is at it. */
export type FormsFlushed = 'done' | 'later' | 'busy' | 'stopped'

/** How a form stands once somebody has waited for it. */
export type FormFate =
  | { kind: 'sent'; receipt: FormReceipt }
  | { kind: 'refused'; refusal: FormRefusal }
  /** `isServerBusy`: our server answered, and could not take it just then. */
  | { kind: 'waiting'; isServerBusy: boolean }

/** Longer than this nobody waits for an answer with the button still busy: the form is kept and goes on by itself. */
const patienceMs = 8_000

/** How often an open page tries what has no time of its own, for want of signal. */
const usualDelayMs = 5 * 60_000

/** The public forms of this device. Every promise rejects only where the store itself fails. */
export type FormQueue = {
  /** Begins to send by itself, and once now. */
  start(): void
  stop(): void
  /**
   * Keeps the form on this device, then sends it. Resolves with the answer, or without one after 8 seconds at most;
   * rejects only where it could not be kept.
   */
  submit(form: NewForm): Promise<FormFate>
  flush(): Promise<FormsFlushed>
  /** Tries everything once more; 8 seconds at most. */
  tryNow(): Promise<void>
  /** Whether `submit` still waits for this form's answer: whoever called it tells the person. */
  isInHand(id: string): boolean
  /** Whether it was handed over on this page, which has told of it. */
  isFromHere(id: string): boolean
  read(id: string): Promise<FormEntry | null>
  /** False where it is being sent just now. */
  remove(id: string): Promise<boolean>
  /** Takes a receipt away. */
  dismiss(id: string): Promise<void>
  /** Receipts of forms that nobody was waiting for when they went; each is told once, by one tab. */
  takeNews(): Promise<FormReceipt[]>
  kept(): Promise<KeptForms>
  /** Leaves nothing of what was made up to then, ms. */
  forget(until: number): Promise<void>
  /** Calls back now and at every change, also by other tabs; returns the end of it. */
  watch(changed: (kept: KeptForms) => void): () => void
  /** Resolves once nothing is under way. */
  settled(): Promise<void>
}

export function createFormQueue(platform: Platform): FormQueue {
  const store = openFormStore(platform.database)
  const stopping = new AbortController()
  const holder = platform.randomBytes(8).join('.')
  const parts: Parts = { store, platform, holder, signal: stopping.signal }
  const { flush, wakeUp, settled } = createSchedule<FormsFlushed>({
    platform,
    stopping: stopping.signal,
    stopped: 'stopped',
    isOpen: () => store.dexie.isOpen(),
    run: (reason) => flushOnce(parts, reason),
    nextDelay: () => nextDelay(parts),
    usualDelayMs,
  })
  const hands: Hands = new Map()
  const tryNow = () => withPatience(platform, flush('manual'))
  return {
    start: () => {
      stopping.signal.addEventListener('abort', platform.onWake(wakeUp))
      wakeUp('start')
    },
    stop: () => {
      stopping.abort()
      store.dexie.close()
    },
    submit: (form) => submit({ ...parts, hands, tryNow }, form),
    flush: () => flush('manual'),
    tryNow,
    isInHand: (id) => hands.get(id) === true,
    isFromHere: (id) => hands.has(id),
    read: async (id) => (await store.entries.get(id)) ?? null,
    remove: (id) => removeForm(store, id),
    dismiss: (id) => store.receipts.delete(id),
    takeNews: () => takeNews(store, hands),
    kept: () => readKeptForms(store),
    forget: (until) => forgetForms(store, until),
    watch: (changed) => follow(store.dexie, () => readKeptForms(store), { changed, failed: platform.report }),
    settled,
  }
}

/** Where the device's store fails: the form is sent at once, under its key. Rejects where there is no answer that settles it. */
export async function sendWithoutStore(platform: Platform, form: NewForm): Promise<FormFate> {
  const result = await sendForm({ platform, signal: new AbortController().signal }, form)
  if (result.kind === 'refused') return result
  if (result.kind !== 'sent') throw new Error('The form could be neither kept nor sent.')
  const { id, kind } = form
  const { reference, sentAt } = result
  const now = platform.wall()
  return { kind: 'sent', receipt: { id, kind, madeAt: now, sentAt, reference, keptAt: now, isSeen: true } }
}

type Parts = { store: FormStore; platform: Platform; holder: string; signal: AbortSignal }

async function flushOnce(parts: Parts, reason: WakeReason): Promise<FormsFlushed> {
  const { store, platform } = parts
  const { dexie, receipts } = store
  const wasAlone = await alone({ ...parts, dexie, lock: 'alliance-forms' }, (mayGoOn) =>
    drainForms(parts, reason, mayGoOn),
  )
  await receipts.filter(({ keptAt }) => platform.wall() - keptAt > keptFormMs).delete()
  if ((await waitingForms(store)).length === 0) return 'done'
  return wasAlone ? 'later' : 'busy'
}

async function nextDelay({ store, platform, holder }: Parts): Promise<number | null> {
  const waiting = await waitingForms(store)
  if (waiting.length === 0) return null
  const taken = await leaseLeft({ dexie: store.dexie, platform, holder })
  const waits = waiting.map(({ retryAt }) => waitLeft(retryAt, platform.wall()) || usualDelayMs)
  return Math.max(Math.min(...waits, taken || usualDelayMs), 1_000)
}

async function fateOf({ dexie, entries, receipts }: FormStore, id: string): Promise<FormFate | null> {
  return dexie.transaction('r', entries, receipts, async () => {
    const receipt = await receipts.get(id)
    if (receipt) return { kind: 'sent', receipt }
    const entry = await entries.get(id)
    if (!entry) return null
    const { refusal, isServerBusy } = entry
    return refusal ? { kind: 'refused', refusal } : { kind: 'waiting', isServerBusy }
  })
}

/** Forms that were handed over on this page: true as long as it waits for the answer, and tells of it itself. */
type Hands = Map<string, boolean>

type Submitter = Parts & { hands: Hands; tryNow: () => Promise<void> }

async function submit(submitter: Submitter, form: NewForm): Promise<FormFate> {
  const { store, platform, hands, tryNow } = submitter
  hands.set(form.id, true)
  try {
    await addForm(store, form, platform.wall())
    platform.requestBackgroundSync()
    await tryNow()
    return await tellFate(submitter, form.id)
  } finally {
    hands.set(form.id, false)
  }
}

/** A form that was kept is waiting, whatever happens to this page or its store from then on. */
async function tellFate({ store, platform }: Parts, id: string): Promise<FormFate> {
  const unknown: FormFate = { kind: 'waiting', isServerBusy: false }
  try {
    await store.receipts.update(id, { isSeen: true })
    return (await fateOf(store, id)) ?? unknown
  } catch (error) {
    if (store.dexie.isOpen()) platform.report(error)
    return unknown
  }
}

async function takeNews({ dexie, receipts }: FormStore, hands: Hands): Promise<FormReceipt[]> {
  return dexie.transaction('rw', receipts, async () => {
    const news = (await receipts.toArray()).filter(({ id, isSeen }) => !isSeen && hands.get(id) !== true)
    await receipts.bulkPut(news.map((receipt) => ({ ...receipt, isSeen: true })))
    return news
  })
}

/** Ends with the work, however that ends, or before. */
async function withPatience(platform: Platform, work: Promise<unknown>): Promise<void> {
  let cancel = () => {}
  const late = new Promise<void>((resolve) => {
    cancel = platform.after(patienceMs, resolve)
  })
  await Promise.race([work.catch(platform.report), late])
  cancel()
}
