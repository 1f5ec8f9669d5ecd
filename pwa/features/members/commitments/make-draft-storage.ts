import * as v from 'valibot'
import { deviceStorage } from '#pwa/lib/storage.ts'

/** Not one of the device's own keys, so a logout deletes it. */
const keyOf = (about: string) => `commitment-draft:${about}`

/** `id`: of the commitment it will be, so that two presses make one. `hasDay`: the member chose the day. */
const Draft = v.object({ id: v.string(), text: v.string(), day: v.string(), hasDay: v.boolean() })
export type MakeDraft = v.InferOutput<typeof Draft>

export function readMakeDraft(about: string): MakeDraft | null {
  const draft = v.safeParse(v.pipe(v.string(), v.parseJson(), Draft), deviceStorage.getItem(keyOf(about)))
  return draft.success ? draft.output : null
}

export const saveMakeDraft = (about: string, draft: MakeDraft) =>
  deviceStorage.setItem(keyOf(about), JSON.stringify(draft))
export const removeMakeDraft = (about: string) => deviceStorage.removeItem(keyOf(about))
