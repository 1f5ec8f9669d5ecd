import type Dexie from 'dexie'
import type { DexieOptions, Table } from 'dexie'
import { openDatabase } from '#pwa/sync/database.ts'
import type { LeaseRow } from '#pwa/sync/locks.ts'

// Names of databases, tables, fields and states are stored on visitors' phones: none may change without a new version.

export type FormKind = 'coaching-application' | 'coaching-booking' | 'contact'

/** Why the server would not take a form; `fields` is the sentence for each field of its body. */
export type FormRefusal = { message: string; fields: Record<string, string> }

/** A form as it is submitted. `id` is also its Idempotency-Key; `body` is JSON, and the same in every attempt. */
export type NewForm = {
  id: string
  kind: FormKind
  body: string
  /** What was typed, by name of the field, so that it can go back into the form. */
  typed: Record<string, string>
}

/** A form on its way to the server; `waiting` is queued. Times are the device's clock in ms since 1970. */
export type FormEntry = NewForm & {
  madeAt: number
  state: 'waiting' | 'sending' | 'refused'
  /** Failures in a row. */
  attempts: number
  /** It is not sent by itself before. */
  retryAt: number | null
  /** The server named that time itself (Retry-After). */
  isWaitAsked: boolean
  /** The last attempt reached our server, or a gateway before it, which could not take it just then. */
  isServerBusy: boolean
  /** The first attempt without a response: the form may have arrived. */
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
  /** Device clock, ms: when the response came. */
  keptAt: number
  /** It has been shown to the visitor. */
  isSeen: boolean
}

/** The forms that were filled in on this phone, by a member or not. */
export type FormStore = {
  dexie: Dexie
  entries: Table<FormEntry, string>
  receipts: Table<FormReceipt, string>
  meta: Table<LeaseRow, 'lease'>
}

export function openFormStore(options: DexieOptions): FormStore {
  const dexie = openDatabase('alliance-forms', options)
  dexie.version(1).stores({ entries: 'id, state', receipts: 'id', meta: 'key' })
  return {
    dexie,
    entries: dexie.table('entries'),
    receipts: dexie.table('receipts'),
    meta: dexie.table('meta'),
  }
}

/** A stored form without its text. */
export type StoredForm = Pick<FormEntry, 'id' | 'kind' | 'madeAt' | 'state' | 'isServerBusy'>
export type StoredForms = { forms: StoredForm[]; receipts: FormReceipt[] }

/** All forms and receipts, in the order made. */
export async function readStoredForms({ dexie, entries, receipts }: FormStore): Promise<StoredForms> {
  return dexie.transaction('r', entries, receipts, async () => ({
    forms: (await entries.orderBy('id').toArray()).map(({ id, kind, madeAt, state, isServerBusy }) => ({
      ...{ id, kind, madeAt, state, isServerBusy },
    })),
    receipts: await receipts.orderBy('id').toArray(),
  }))
}
