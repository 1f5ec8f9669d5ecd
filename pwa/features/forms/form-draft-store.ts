import { draftKey, parseDraft, readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'
import type { FormKind } from '#pwa/sync/forms/store.ts'
import { honeypotName } from '#shared/contract/form-labels.ts'
import { isControl } from './use-field-errors.ts'

/** What's typed into a form, by field name; never the honeypot. */
export type FormValues = Record<string, string>

export function readFormValues(form: HTMLFormElement): FormValues {
  const values: FormValues = {}
  for (const [name, value] of new FormData(form)) {
    // Pasting from a table brings invisible tabs, which the contract rejects.
    if (typeof value === 'string' && name !== honeypotName) values[name] = value.replaceAll('\t', ' ')
  }
  return values
}

/** Fills in the fields that are still empty, keeping what was typed before the app started. */
export function fillEmptyFields(form: HTMLFormElement, values: FormValues) {
  for (const field of form.elements) {
    if (isControl(field) && field.value === '') field.value = values[field.name] ?? ''
  }
}

export const areBlankValues = (values: FormValues) => Object.values(values).every((value) => value.trim() === '')

/** Null if the form isn't on the page, or is blank. */
export function readFilledIn(form: HTMLFormElement | null): FormValues | null {
  const values = form && readFormValues(form)
  return values && !areBlankValues(values) ? values : null
}

export const areSameValues = (one: FormValues, other: FormValues) =>
  Object.keys({ ...one, ...other }).every((name) => (one[name] ?? '') === (other[name] ?? ''))

/** A form being handed over. Sent again unchanged, it uses the same idempotency key and body. */
export type Submission = { id: string; body: string }

/** Local storage has these property names. */
export type FormDraft = { typed: FormValues; sending: Submission | null }

export const saveFormDraft = (kind: FormKind, draft: FormDraft) =>
  areBlankValues(draft.typed) ? removeDraft(kind) : saveDraft(kind, draft)

export const readFormDraft = (kind: FormKind): FormDraft | null => toFormDraft(readDraft(kind))

export const parseFormDraft = (stored: string | null): FormDraft | null => toFormDraft(parseDraft(stored))

export const isDraftKey = (key: string | null, kind: FormKind) => key === draftKey(kind)

/** Whether the draft has this text, and not one started since, in another tab for instance. */
export function isInDraft(kind: FormKind, values: FormValues): boolean {
  const draft = readFormDraft(kind)
  return draft !== null && areSameValues(draft.typed, values)
}

function toFormDraft(value: unknown): FormDraft | null {
  if (!isObject(value) || !isObject(value.typed)) return null
  const texts = Object.entries(value.typed).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { typed: Object.fromEntries(texts), sending: isSubmission(value.sending) ? value.sending : null }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isSubmission = (value: unknown): value is Submission =>
  isObject(value) && typeof value.id === 'string' && typeof value.body === 'string'
