import type Dexie from 'dexie'
import type { Table } from 'dexie'
import { openDatabase } from '#pwa/sync/database.ts'
import type { DatabaseOptions } from '#pwa/sync/spare.ts'

// Visitors' phones store the names of databases, tables, fields and states: changing one needs a new version.

export type FormKind = 'coaching-application' | 'coaching-booking' | 'contact'

/** Why the server refused a form; `fields` is the sentence for each field of its body. */
export type FormRefusal = { message: string; fields: Record<string, string> }

/** A form as submitted. `id` is also its Idempotency-Key; `body` is JSON, and the same in every attempt. */
export type NewForm = {
  id: string
  kind: FormKind
  body: string
  /** What was typed, by field name, to put back into the form. */
  typed: Record<string, string>
}

/** A form on its way to the server; `waiting` is queued. Times are the device's clock in ms since 1970. */
export type FormEntry = NewForm & {
  madeAt: number
  state: 'waiting' | 'sending' | 'refused'
  attempts: number
  /** We don't send it on our own before then. */
  retryAt: number | null
  /** The server named that time itself (Retry-After). */
  isWaitAsked: boolean
  /** The last attempt reached our server, or a gateway before it, which couldn't take it. */
  isServerBusy: boolean
  /** The first attempt without a response: the form may have arrived. */
  doubtSince: number | null
  refusal?: FormRefusal
}

/** What we keep of a sent form. `sentAt` is ISO, the server's clock; `reference` its id there. */
export type FormReceipt = {
  id: string
  kind: FormKind
  madeAt: number
  sentAt: string
  reference: string
  /** Device clock, ms: when the response came. */
  keptAt: number
  isSeen: boolean
}

/** The forms filled in on this phone, by a member or not. */
export type FormStore = {
  dexie: Dexie
  entries: Table<FormEntry, string>
  receipts: Table<FormReceipt, string>
}

export function openFormStore(options: DatabaseOptions): FormStore {
  const dexie = openDatabase('alliance-forms', options)
  // `meta` is empty: phones have it.
  dexie.version(1).stores({ entries: 'id, state', receipts: 'id', meta: 'key' })
  return {
    dexie,
    entries: dexie.table('entries'),
    receipts: dexie.table('receipts'),
  }
}

export type StoredForm = Pick<FormEntry, 'id' | 'kind' | 'madeAt' | 'state' | 'isServerBusy'>
export type StoredForms = { forms: StoredForm[]; receipts: FormReceipt[] }

export async function readStoredForms({ dexie, entries, receipts }: FormStore): Promise<StoredForms> {
  return dexie.transaction('r', entries, receipts, async () => ({
    forms: (await entries.orderBy('id').toArray()).map(({ id, kind, madeAt, state, isServerBusy }) => ({
      id,
      kind,
      madeAt,
      state,
      isServerBusy,
    })),
    receipts: await receipts.orderBy('id').toArray(),
  }))
}
