import { formLifetimeMs } from '#pwa/lib/draft.ts'
import { watchDatabase } from '#pwa/sync/database.ts'
import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import { createScheduler, waitLeftMs } from '#pwa/sync/scheduler.ts'
import { hasEnded } from '#pwa/sync/transactions.ts'
import {
  addForm,
  deleteForms,
  type FormOutcome,
  type MadeForm,
  readOutcome,
  readPendingForms,
  removeForm,
  takeUnseenReceipts,
} from './outbox.ts'
import {
  type FormEntry,
  type FormReceipt,
  type FormStore,
  type NewForm,
  openFormStore,
  readStoredForms,
  type StoredForms,
} from './store.ts'
import { sendForm, sendPendingForms } from './transport.ts'

/** `done`: nothing left to send. */
type FormsFlushOutcome = 'done' | 'later' | 'stopped'

/** The longest the button stays busy. After that we send the form in the background. */
const submitTimeoutMs = 8_000

/** How often an open page retries forms that failed for lack of signal. */
const usualDelayMs = 5 * 60_000

/** This device's public forms. Every promise rejects only if the store itself fails. */
export type FormQueue = {
  start(): void
  stop(): void
  /**
   * Stores the form on this device, then sends it. Resolves with the result, after 8 seconds at most; rejects only if it couldn't
   * store the form.
   */
  submit(form: NewForm): Promise<FormOutcome>
  flush(): Promise<FormsFlushOutcome>
  /** Tries everything once more; takes 8 seconds at most. */
  tryNow(): Promise<void>
  /** Whether a `submit` of this form is pending, so its caller will tell the visitor. */
  isAwaited(id: string): boolean
  /** Whether this page submitted it, and so told the visitor. */
  isSubmittedHere(id: string): boolean
  read(id: string): Promise<FormEntry | null>
  /** False if it's being sent. */
  remove(id: string): Promise<boolean>
  dismiss(id: string): Promise<void>
  /** Receipts of forms no page was awaiting when they were sent; returns each once, to one tab. */
  takeUnseenReceipts(): Promise<FormReceipt[]>
  readAll(): Promise<StoredForms>
  /** Deletes every matching form, and the receipts of sent ones. */
  deleteWhere(isToGo: (form: MadeForm) => boolean): Promise<void>
  /** Calls back now and at every change, including by other tabs; returns a function that unsubscribes. */
  watch(changed: (stored: StoredForms) => void): () => void
  settled(): Promise<void>
}

export function createFormQueue(platform: Platform): FormQueue {
  const store = openFormStore(platform.database)
  const stopping = new AbortController()
  const parts: Parts = { store, platform, signal: stopping.signal }
  const { flush, wakeUp, settled } = createScheduler<FormsFlushOutcome>({
    platform,
    stopping: stopping.signal,
    stopped: 'stopped',
    isOpen: () => !hasEnded(store.dexie),
    run: (reason) => flushOnce(parts, reason),
    nextDelay: () => nextDelay(parts),
    usualDelayMs,
  })
  const submissions: Submissions = new Map()
  const isAwaited = (id: string) => submissions.get(id) === true
  const tryNow = () => withTimeout(platform, flush('manual'))
  return {
    start: () => {
      stopping.signal.addEventListener('abort', platform.onWake(wakeUp))
      wakeUp('start')
    },
    stop: () => {
      stopping.abort()
      store.dexie.close()
    },
    submit: (form) => submitForm({ ...parts, submissions, tryNow }, form),
    flush: () => flush('manual'),
    tryNow,
    isAwaited,
    isSubmittedHere: (id) => submissions.has(id),
    read: async (id) => (await store.entries.get(id)) ?? null,
    remove: (id) => removeForm(store, id),
    dismiss: (id) => store.receipts.delete(id),
    takeUnseenReceipts: () => takeUnseenReceipts(store, isAwaited),
    readAll: () => readStoredForms(store),
    deleteWhere: (isToGo) => deleteForms(store, isToGo),
    watch: (changed) => watchDatabase(store.dexie, () => readStoredForms(store), { changed, failed: platform.report }),
    settled,
  }
}

/**
 * For when the device's store fails: sends the form straight away, under its idempotency key. Rejects if no response settles it.
 */
export async function sendWithoutStore(platform: Platform, form: NewForm): Promise<FormOutcome> {
  const result = await sendForm({ platform, signal: new AbortController().signal }, form)
  if (result.kind === 'refused') return result
  if (result.kind !== 'sent') throw new Error('The form could be neither stored nor sent.')
  const { id, kind } = form
  const { reference, sentAt } = result
  const now = platform.wall()
  return { kind: 'sent', receipt: { id, kind, madeAt: now, sentAt, reference, keptAt: now, isSeen: true } }
}

type Parts = { store: FormStore; platform: Platform; signal: AbortSignal }

async function flushOnce(parts: Parts, reason: WakeReason): Promise<FormsFlushOutcome> {
  const { store, platform, signal } = parts
  await platform.locks.request('alliance-forms', { signal }, (lost) => sendPendingForms(parts, reason, lost))
  await store.receipts.filter(({ keptAt }) => platform.wall() - keptAt > formLifetimeMs).delete()
  return (await readPendingForms(store)).length === 0 ? 'done' : 'later'
}

async function nextDelay({ store, platform }: Parts): Promise<number | null> {
  const pending = await readPendingForms(store)
  if (pending.length === 0) return null
  const waits = pending.map(({ retryAt }) => waitLeftMs(retryAt, platform.wall()) || usualDelayMs)
  return Math.max(Math.min(...waits), 1_000)
}

/** Forms submitted on this page: true while the page awaits the response and will tell the visitor itself. */
type Submissions = Map<string, boolean>

type Submitter = Parts & { submissions: Submissions; tryNow: () => Promise<void> }

async function submitForm(submitter: Submitter, form: NewForm): Promise<FormOutcome> {
  const { store, platform, submissions, tryNow } = submitter
  submissions.set(form.id, true)
  try {
    await addForm(store, form, platform.wall())
    platform.requestBackgroundSync()
    await tryNow()
    return await takeOutcome(submitter, form.id)
  } finally {
    submissions.set(form.id, false)
  }
}

/** Once stored, a form counts as pending, whatever happens to this page or its store. */
async function takeOutcome({ store, platform }: Parts, id: string): Promise<FormOutcome> {
  const unknown: FormOutcome = { kind: 'pending' }
  try {
    await store.receipts.update(id, { isSeen: true })
    return (await readOutcome(store, id)) ?? unknown
  } catch (error) {
    if (!hasEnded(store.dexie)) platform.report(error)
    return unknown
  }
}

async function withTimeout(platform: Platform, work: Promise<unknown>): Promise<void> {
  let cancel = () => {}
  const timeout = new Promise<void>((resolve) => {
    cancel = platform.after(submitTimeoutMs, resolve)
  })
  await Promise.race([work.catch(platform.report), timeout])
  cancel()
}
