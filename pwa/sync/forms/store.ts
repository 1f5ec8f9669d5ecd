import type Dexie from 'dexie'
import type { DexieOptions, Table } from 'dexie'
import type { LeaseRow } from '#pwa/sync/locks.ts'
import { openDexie } from '#pwa/sync/progress/store.ts'

export type FormKind = 'coaching-application' | 'coaching-booking' | 'contact'

/** Why the server would not take a form; `fields` is the sentence for each field of its body. */
export type FormRefusal = { message: string; fields: Record<string, string> }

/** A form as it is handed over. `id` is also its Idempotency-Key; `body` is JSON, and the same at every try. */
export type NewForm = {
  id: string
  kind: FormKind
  body: string
  /** What was typed, by name of the field, so that it can go back into the form. */
  typed: Record<string, string>
}

/** A form on its way. Times are the device's clock in ms since 1970. */
export type FormEntry = NewForm & {
  madeAt: number
  state: 'waiting' | 'sending' | 'refused'
  /** Failures in a row. */
  attempts: number
  /** It does not go by itself before. */
  retryAt: number | null
  /** The server named that time itself (Retry-After). */
  isWaitAsked: boolean
  /** The last try reached our server, which could not take it just then. */
  isServerBusy: boolean
  /** The first try without an answer: it may have arrived. */
  doubtSince: number | null
  refusal?: FormRefusal
}

/** What is left of a form that was sent. `sentAt` is ISO, the server's clock; `reference` its id there. */
export type FormReceipt = {
  id: string
  kind: FormKind
  madeAt: number
  sentAt: string
  reference: string
  /** Device clock, ms: when the answer came. */
  keptAt: number
  /** The person has been told. */
  isSeen: boolean
}

/** Forms of whoever holds this phone, member or not. */
export type FormStore = {
  dexie: Dexie
  entries: Table<FormEntry, string>
  receipts: Table<FormReceipt, string>
  meta: Table<LeaseRow, 'lease'>
}

export function openFormStore(options: DexieOptions): FormStore {
  const dexie = openDexie('alliance-forms', options)
  dexie.version(1).stores({ entries: 'id, state', receipts: 'id', meta: 'key' })
  return {
    dexie,
    entries: dexie.table('entries'),
    receipts: dexie.table('receipts'),
    meta: dexie.table('meta'),
  }
}

/** A form that is kept, without its text. */
export type KeptForm = Pick<FormEntry, 'id' | 'kind' | 'madeAt' | 'state' | 'isServerBusy'>
export type KeptForms = { forms: KeptForm[]; receipts: FormReceipt[] }

/** All that is kept, in the order made. */
export async function readKeptForms({ dexie, entries, receipts }: FormStore): Promise<KeptForms> {
  return dexie.transaction('r', entries, receipts, async () => ({
    forms: (await entries.orderBy('id').toArray()).map(({ id, kind, madeAt, state, isServerBusy }) => ({
      ...{ id, kind, madeAt, state, isServerBusy },
    })),
    receipts: await receipts.orderBy('id').toArray(),
  }))
}

/** Writes a form down to be sent; the same id again changes nothing. */
export async function addForm({ dexie, entries, receipts }: FormStore, form: NewForm, madeAt: number): Promise<void> {
  await dexie.transaction('rw', entries, receipts, async () => {
    if ((await entries.get(form.id)) || (await receipts.get(form.id))) return
    await entries.add({
      ...form,
      ...{ madeAt, state: 'waiting', attempts: 0, retryAt: null },
      ...{ isWaitAsked: false, isServerBusy: false, doubtSince: null },
    })
  })
}

/** False where it is being sent just now, and so may have gone. */
export async function removeForm({ dexie, entries }: FormStore, id: string): Promise<boolean> {
  return dexie.transaction('rw', entries, async () => {
    if ((await entries.get(id))?.state === 'sending') return false
    await entries.delete(id)
    return true
  })
}

/** Leaves nothing of what was made up to then (ms, device clock), whether sent or not. */
export async function forgetForms({ dexie, entries, receipts }: FormStore, until: number): Promise<void> {
  await dexie.transaction('rw', entries, receipts, async () => {
    await entries.filter(({ madeAt }) => madeAt <= until).delete()
    await receipts.filter(({ madeAt }) => madeAt <= until).delete()
  })
}
