import { deviceStorage } from './storage.ts'

/** How long this device keeps unsent text, and a form's receipt. */
export const formLifetimeMs = 48 * 60 * 60_000

const prefix = 'draft:'

export const draftKey = (name: string) => prefix + name

/** Any JSON values; the reader checks their shape. */
type Draft = { savedAt: number; value: unknown }

export const saveDraft = (name: string, value: unknown) =>
  deviceStorage.setItem(prefix + name, JSON.stringify({ savedAt: Date.now(), value } satisfies Draft))

/** What was typed in the last 48 hours; null if nothing. */
export function readDraft(name: string): unknown {
  removeExpiredDrafts()
  return readStored(prefix + name)?.value ?? null
}

export function removeExpiredDrafts(): void {
  for (const key of deviceStorage.keys()) {
    if (key.startsWith(prefix) && !isDraftSince(key, Date.now() - formLifetimeMs)) deviceStorage.removeItem(key)
  }
}

export const removeDraft = (name: string) => deviceStorage.removeItem(prefix + name)

/** Whether this local storage key is for a draft written after `then` (ms since 1970). */
export const isDraftSince = (key: string, then: number): boolean =>
  key.startsWith(prefix) && (readStored(key)?.savedAt ?? 0) > then

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
