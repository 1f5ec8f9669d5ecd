import { draftKey, parseDraft, readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'
import type { FormKind } from '#pwa/sync/forms/store.ts'
import { honeypotName } from '#shared/contract/form-labels.ts'
import { isControl } from './use-field-errors.ts'

/** What is typed into a form, by name of the field; never the field that people do not see. */
export type FormValues = Record<string, string>

export function readFormValues(form: HTMLFormElement): FormValues {
  const values: FormValues = {}
  for (const [name, value] of new FormData(form)) {
    // A paste from a table brings tabs: nobody can see them, and the contract refuses them.
    if (typeof value === 'string' && name !== honeypotName) values[name] = value.replaceAll('\t', ' ')
  }
  return values
}

/** Fills in the fields that are still empty: what was typed before the app had started stays. */
export function fillEmptyFields(form: HTMLFormElement, values: FormValues) {
  for (const field of form.elements) {
    if (isControl(field) && field.value === '') field.value = values[field.name] ?? ''
  }
}

export const areBlankValues = (values: FormValues) => Object.values(values).every((value) => value.trim() === '')

/** Null where the form is not on the page, or blank. */
export function readFilledIn(form: HTMLFormElement | null): FormValues | null {
  const values = form && readFormValues(form)
  return values && !areBlankValues(values) ? values : null
}

/** Whether both would be sent as the same. */
export const areSameValues = (one: FormValues, other: FormValues) =>
  Object.keys({ ...one, ...other }).every((name) => (one[name] ?? '') === (other[name] ?? ''))

/** A form that was being handed over: sent again unchanged, it goes under the same key with the same body. */
export type Submission = { id: string; body: string }

/** The names of its properties are those in local storage. */
export type FormDraft = { typed: FormValues; sending: Submission | null }

export const saveFormDraft = (kind: FormKind, draft: FormDraft) =>
  areBlankValues(draft.typed) ? removeDraft(kind) : saveDraft(kind, draft)

export const readFormDraft = (kind: FormKind): FormDraft | null => toFormDraft(readDraft(kind))

/** From what local storage held. */
export const parseFormDraft = (stored: string | null): FormDraft | null => toFormDraft(parseDraft(stored))

export const isDraftKey = (key: string | null, kind: FormKind) => key === draftKey(kind)

/** Whether the draft holds this text, and not another one that was started meanwhile, in another tab for instance. */
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
