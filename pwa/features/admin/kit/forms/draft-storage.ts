import * as v from 'valibot'
import { ownerDraftPrefix } from '#pwa/lib/owner-work.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { dayMs } from '#shared/rules/durations.ts'

export type FormValues = Record<string, string>

const Stored = v.object({ savedAt: v.number(), typed: v.record(v.string(), v.string()) })

/** Long enough for a half-written post to survive a holiday. */
const lifetimeMs = 60 * dayMs

export const saveOwnerDraft = (name: string, typed: FormValues) =>
  deviceStorage.setItem(ownerDraftPrefix + name, JSON.stringify({ savedAt: Date.now(), typed }))

export const removeOwnerDraft = (name: string) => deviceStorage.removeItem(ownerDraftPrefix + name)

export function readOwnerDraft(name: string): FormValues | null {
  const stored = v.safeParse(Stored, parseDrafts(deviceStorage.getItem(ownerDraftPrefix + name)))
  return stored.success && Date.now() - stored.output.savedAt < lifetimeMs ? stored.output.typed : null
}

function parseDrafts(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
