import { backOffMs, queueBackOff, waitLeft } from '#pwa/sync/back-off.ts'
import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import { isPersonal } from '#pwa/sync/scheduler.ts'
import type { FormEntry, FormRefusal, FormStore } from './store.ts'
import { type FormResult, sendForm } from './transport.ts'

/**
 * The server knows a key for 7 days. A form that may have arrived that long ago could make a second one if it were sent
 * again, so the person decides.
 */
const doubtMs = 6.5 * 24 * 60 * 60_000
const inDoubt: FormRefusal = {
  message:
    'There was no answer for days, so this may have arrived already. Send it again if you have not heard from us.',
  fields: {},
}

export type FormSender = { store: FormStore; platform: Platform; signal: AbortSignal }

/**
 * Sends what is due, one form at a time. Each step leaves the store whole, and no transaction is held while it waits for
 * the network: a tab may be killed between any two of them. A form that fails holds no other up, unless our server cannot be reached.
 */
export async function drainForms(
  sender: FormSender,
  reason: WakeReason,
  mayGoOn: () => Promise<boolean>,
): Promise<void> {
  const { store, platform, signal } = sender
  // A tab that was killed while sending has left these behind.
  await store.entries.where('state').equals('sending').modify({ state: 'waiting' })
  if (!platform.isOnline() && reason !== 'manual') return
  for (const { id } of await waitingForms(store)) {
    if (signal.aborted || !(await mayGoOn())) return
    const entry = await claim(sender, id, reason)
    if (entry === null) continue
    const result = await sendForm(sender, entry)
    if (signal.aborted) return
    await settle(sender, entry, result)
    if (result.kind === 'unreachable') return
  }
}

/** In the order made, since ids begin with the time. */
export const waitingForms = async ({ entries }: FormStore): Promise<FormEntry[]> =>
  (await entries.orderBy('id').toArray()).filter(({ state }) => state !== 'refused')

/** Marks a form before it is sent, as long as it is still there and due. */
async function claim({ store, platform }: FormSender, id: string, reason: WakeReason): Promise<FormEntry | null> {
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

function isDue({ retryAt, isWaitAsked }: FormEntry, reason: WakeReason, wall: number): boolean {
  const mustWait = waitLeft(retryAt, wall) > 0
  return !mustWait || (isPersonal(reason) && !isWaitAsked)
}

/** `entry` is as it was before it was sent. One that is gone meanwhile was wiped, and leaves no receipt. */
async function settle(sender: FormSender, entry: FormEntry, result: FormResult): Promise<void> {
  const { store, platform } = sender
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
    } else await store.entries.put(postponed(sender, entry, result))
  })
}

type Failure = Extract<FormResult, { kind: 'later' | 'unreachable' }>

function postponed({ platform }: FormSender, entry: FormEntry, failure: Failure): FormEntry {
  const attempts = entry.attempts + 1
  const { kind, askedWaitMs } = failure
  const wait = Math.max(backOffMs(queueBackOff, attempts, platform.random()), askedWaitMs ?? 0)
  return {
    ...entry,
    state: 'waiting',
    attempts,
    retryAt: platform.wall() + wait,
    isWaitAsked: askedWaitMs !== null,
    isServerBusy: kind === 'later',
    doubtSince: kind === 'later' ? entry.doubtSince : (entry.doubtSince ?? platform.wall()),
  }
}
