import { deviceStorage } from './storage.ts'

/* What an owner has typed or said and not saved. Here, because logging out asks about it, and the admin's code isn't loaded then. */

/** Local storage keys of what's typed. */
export const ownerDraftPrefix = 'owner-draft:'

/** The cache with what a coach says, below `answerVoiceRoot`, its question's id and its recording's name. */
export const answerVoiceCache = 'alliance-answer-voice'
export const answerVoiceRoot = '/api/admin/question-files/kept'

/** The recording that isn't sent with an answer yet. The others are called by their file's id. */
export const voiceDraftOf = (questionId: string) => `${questionId}/draft`

export const answerDraftName = (questionId: string) => `answer:${questionId}`

export function ownerDraftKeys(): string[] {
  const found: string[] = []
  for (const key of deviceStorage.keys()) if (key.startsWith(ownerDraftPrefix)) found.push(key)
  return found
}

/** What a request of that cache belongs to: the question and the recording, with a slash between. */
export const recordingOf = ({ url }: Request): string =>
  new URL(url).pathname
    .slice(answerVoiceRoot.length + 1)
    .split('/', 2)
    .join('/')

export async function recordingsHere(): Promise<string[]> {
  if (!('caches' in globalThis) || !(await caches.has(answerVoiceCache))) return []
  return [...new Set((await (await caches.open(answerVoiceCache)).keys()).map(recordingOf))]
}

export const hasOwnerWork = async (): Promise<boolean> =>
  ownerDraftKeys().length > 0 || ('caches' in globalThis && (await caches.has(answerVoiceCache)))

/** How many things. A voice note and the words with it are one. */
export async function countOwnerWork(): Promise<number> {
  const things = new Set(ownerDraftKeys())
  for (const recording of await recordingsHere())
    things.add(ownerDraftPrefix + answerDraftName(recording.replace(/\/draft$/, '')))
  return things.size
}

/** Of the person who logs out, and has been asked. */
export async function deleteOwnerWork(): Promise<void> {
  for (const key of ownerDraftKeys()) deviceStorage.removeItem(key)
  if ('caches' in globalThis) await caches.delete(answerVoiceCache)
}
