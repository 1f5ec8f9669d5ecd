import * as v from 'valibot'
import { deviceStorage } from '#pwa/lib/storage.ts'

/** Not one of the device's own keys, so a logout deletes it. */
const key = 'profile-draft'

const Values = v.record(v.string(), v.string())
const Draft = v.object({ version: v.number(), base: Values, typed: Values })

export type ProfileDraft = v.InferOutput<typeof Draft>

export function readProfileDraft(): ProfileDraft | null {
  const draft = v.safeParse(v.pipe(v.string(), v.parseJson(), Draft), deviceStorage.getItem(key))
  return draft.success ? draft.output : null
}

export const saveProfileDraft = (draft: ProfileDraft) => deviceStorage.setItem(key, JSON.stringify(draft))
export const removeProfileDraft = () => deviceStorage.removeItem(key)
