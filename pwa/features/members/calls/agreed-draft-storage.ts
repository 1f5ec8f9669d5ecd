import * as v from 'valibot'
import { deviceStorage } from '#pwa/lib/storage.ts'

/** Not one of the device's own keys, so a logout deletes it. */
const keyOf = (callId: string) => `agreed-draft:${callId}`

const Draft = v.object({ text: v.string(), version: v.number() })
export type AgreedDraft = v.InferOutput<typeof Draft>

export function readAgreedDraft(callId: string): AgreedDraft | null {
  const draft = v.safeParse(v.pipe(v.string(), v.parseJson(), Draft), deviceStorage.getItem(keyOf(callId)))
  return draft.success ? draft.output : null
}

export const saveAgreedDraft = (callId: string, draft: AgreedDraft) =>
  deviceStorage.setItem(keyOf(callId), JSON.stringify(draft))
export const removeAgreedDraft = (callId: string) => deviceStorage.removeItem(keyOf(callId))
