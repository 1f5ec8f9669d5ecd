import { deviceStorage } from './storage.ts'

/** What somebody has typed and not yet sent is kept this long on this device, and so is a receipt. */
export const formLifetimeMs = 48 * 60 * 60_000

const prefix = 'draft:'

/** Under which local storage holds what is typed into the form of this name. */
export const draftKey = (name: string) => prefix + name

/** Values that JSON can carry, of any shape: whoever reads them checks it. */
type Kept = { savedAt: number; value: unknown }

/** Keeps what is typed under the form's name. */
export const keepDraft = (name: string, value: unknown) =>
  deviceStorage.setItem(prefix + name, JSON.stringify({ savedAt: Date.now(), value } satisfies Kept))

/** What was typed in the last 48 hours; null where there is nothing. */
export const readDraft = (name: string): unknown => {
  sweepDrafts()
  return read(prefix + name)?.value ?? null
}

/** Takes away every draft that is older than that, whichever form it is of. */
export const sweepDrafts = () => {
  for (const key of deviceStorage.keys()) {
    if (key.startsWith(prefix) && !isDraftSince(key, Date.now() - formLifetimeMs)) deviceStorage.removeItem(key)
  }
}

export const forgetDraft = (name: string) => deviceStorage.removeItem(prefix + name)

/** Whether this key of local storage holds a draft that was written after then (ms since 1970). */
export const isDraftSince = (key: string, then: number): boolean =>
  key.startsWith(prefix) && (read(key)?.savedAt ?? 0) > then

/** What a value of local storage holds as typed. */
export const parseDraft = (stored: string | null): unknown => parse(stored)?.value ?? null

const read = (key: string): Kept | null => parse(deviceStorage.getItem(key))

const parse = (stored: string | null): Kept | null => {
  try {
    const kept: unknown = JSON.parse(stored ?? 'null')
    return isKept(kept) ? kept : null
  } catch {
    return null
  }
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'savedAt' in value && typeof value.savedAt === 'number'
