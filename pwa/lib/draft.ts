import { deviceStorage } from './storage.ts'

/** Typed text that was not sent stays this long on this device, and so does the receipt of a form. */
export const formLifetimeMs = 48 * 60 * 60_000

const prefix = 'draft:'

/** The key of local storage for the draft of this form. */
export const draftKey = (name: string) => prefix + name

/** Values that JSON can carry, of any shape: the reader checks it. */
type Draft = { savedAt: number; value: unknown }

export const saveDraft = (name: string, value: unknown) =>
  deviceStorage.setItem(prefix + name, JSON.stringify({ savedAt: Date.now(), value } satisfies Draft))

/** What was typed in the last 48 hours; null where there is nothing. */
export function readDraft(name: string): unknown {
  removeExpiredDrafts()
  return readStored(prefix + name)?.value ?? null
}

/** Removes the drafts of all forms that are older than that. */
export function removeExpiredDrafts(): void {
  for (const key of deviceStorage.keys()) {
    if (key.startsWith(prefix) && !isDraftSince(key, Date.now() - formLifetimeMs)) deviceStorage.removeItem(key)
  }
}

export const removeDraft = (name: string) => deviceStorage.removeItem(prefix + name)

/** Whether this key of local storage holds a draft that was written after then (ms since 1970). */
export const isDraftSince = (key: string, then: number): boolean =>
  key.startsWith(prefix) && (readStored(key)?.savedAt ?? 0) > then

/** What was typed, from a value of local storage. */
export const parseDraft = (stored: string | null): unknown => parseStored(stored)?.value ?? null

const readStored = (key: string): Draft | null => parseStored(deviceStorage.getItem(key))

function parseStored(stored: string | null): Draft | null {
  try {
    const draft: unknown = JSON.parse(stored ?? 'null')
    return isDraft(draft) ? draft : null
  } catch {
    return null
  }
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'savedAt' in value && typeof value.savedAt === 'number'
