import { draftKey, forgetDraft, keepDraft, parseDraft, readDraft } from '#pwa/lib/draft.ts'
import type { FormKind } from '#pwa/sync/forms/store.ts'
import { honeypotName } from '#shared/contract/form-words.ts'
import { isControl } from './field-errors.ts'

/** What stands in a form, by name of the field; never the field that people do not see. */
export type Typed = Record<string, string>

export function readTyped(form: HTMLFormElement): Typed {
  const typed: Typed = {}
  for (const [name, value] of new FormData(form)) {
    // Pasted from a table, say: nobody can see a tab, and the contract takes none.
    if (typeof value === 'string' && name !== honeypotName) typed[name] = value.replaceAll('\t', ' ')
  }
  return typed
}

/** Fills in what is still empty: what was typed before the app had started stays. */
export function fillIn(form: HTMLFormElement, typed: Typed) {
  for (const field of form.elements) {
    if (isControl(field) && field.value === '') field.value = typed[field.name] ?? ''
  }
}

export const isBlank = (typed: Typed) => Object.values(typed).every((value) => value.trim() === '')

/** What stands in a form that is there and not blank. */
export function readFilledIn(form: HTMLFormElement | null): Typed | null {
  const typed = form && readTyped(form)
  return typed && !isBlank(typed) ? typed : null
}

/** Whether both would be sent as the same. */
export const isSameTyped = (one: Typed, other: Typed) =>
  Object.keys({ ...one, ...other }).every((name) => (one[name] ?? '') === (other[name] ?? ''))

/** A form that was being handed over: sent again unchanged, it goes under the same key with the same body. */
export type Sending = { id: string; body: string }

export type FormDraft = { typed: Typed; sending: Sending | null }

export const keepFormDraft = (kind: FormKind, draft: FormDraft) =>
  isBlank(draft.typed) ? forgetDraft(kind) : keepDraft(kind, draft)

export const readFormDraft = (kind: FormKind): FormDraft | null => toFormDraft(readDraft(kind))

/** From what local storage held. */
export const parseFormDraft = (stored: string | null): FormDraft | null => toFormDraft(parseDraft(stored))

export const isDraftKey = (key: string | null, kind: FormKind) => key === draftKey(kind)

function toFormDraft(value: unknown): FormDraft | null {
  if (!isObject(value) || !isObject(value.typed)) return null
  const texts = Object.entries(value.typed).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { typed: Object.fromEntries(texts), sending: isSending(value.sending) ? value.sending : null }
}

/** Whether the draft holds this text, and not another that was begun meanwhile, in another tab for instance. */
export function isInDraft(kind: FormKind, typed: Typed): boolean {
  const draft = readFormDraft(kind)
  return draft !== null && isSameTyped(draft.typed, typed)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isSending = (value: unknown): value is Sending =>
  isObject(value) && typeof value.id === 'string' && typeof value.body === 'string'
