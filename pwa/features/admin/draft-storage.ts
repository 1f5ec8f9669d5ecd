import * as v from 'valibot'
import { deviceStorage } from '#pwa/lib/storage.ts'

/** What stands in a form, by name of the field. */
export type FormValues = Record<string, string>

/** Logging out removes them, like everything that is not stored under the prefix of public forms. */
const prefix = 'owner-draft:'

const Stored = v.object({ savedAt: v.number(), typed: v.record(v.string(), v.string()) })

/** A post may lie half-written over a holiday. */
const lifetimeMs = 60 * 24 * 60 * 60_000

export const saveOwnerDraft = (name: string, typed: FormValues) =>
  deviceStorage.setItem(prefix + name, JSON.stringify({ savedAt: Date.now(), typed }))

export const removeOwnerDraft = (name: string) => deviceStorage.removeItem(prefix + name)

export function removeOwnerDrafts(): void {
  for (const key of deviceStorage.keys()) if (key.startsWith(prefix)) deviceStorage.removeItem(key)
}

/** What was typed into this form before and never saved; null where there is nothing. */
export function readOwnerDraft(name: string): FormValues | null {
  const stored = v.safeParse(Stored, parseDrafts(deviceStorage.getItem(prefix + name)))
  return stored.success && Date.now() - stored.output.savedAt < lifetimeMs ? stored.output.typed : null
}

function parseDrafts(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
