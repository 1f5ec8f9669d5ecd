import { deviceStorage } from './storage.ts'

/* What an owner has typed or said and not saved. Here, because logging out asks about it, and the admin's code isn't loaded then. */

/** Local storage keys of what's typed. */
export const ownerDraftPrefix = 'owner-draft:'

/** The cache with what a coach says, one response a second, below `answerVoiceRoot` and its question's id. */
export const answerVoiceCache = 'alliance-answer-voice'
export const answerVoiceRoot = '/api/admin/question-files/kept'

export const answerDraftName = (questionId: string) => `answer:${questionId}`

export function ownerDraftKeys(): string[] {
  const found: string[] = []
  for (const key of deviceStorage.keys()) if (key.startsWith(ownerDraftPrefix)) found.push(key)
  return found
}

/** The question that a request of that cache belongs to. */
export const questionOfVoice = ({ url }: Request): string =>
  new URL(url).pathname.slice(answerVoiceRoot.length + 1).split('/')[0] ?? ''

export async function questionsWithVoice(): Promise<string[]> {
  if (!('caches' in globalThis) || !(await caches.has(answerVoiceCache))) return []
  return [...new Set((await (await caches.open(answerVoiceCache)).keys()).map(questionOfVoice))]
}

export const hasOwnerWork = async (): Promise<boolean> =>
  ownerDraftKeys().length > 0 || ('caches' in globalThis && (await caches.has(answerVoiceCache)))

/** How many things. A voice note and the words with it are one. */
export async function countOwnerWork(): Promise<number> {
  const drafts = new Set(ownerDraftKeys())
  for (const id of await questionsWithVoice()) drafts.add(ownerDraftPrefix + answerDraftName(id))
  return drafts.size
}

/** Of the person who logs out, and has been asked. */
export async function deleteOwnerWork(): Promise<void> {
  for (const key of ownerDraftKeys()) deviceStorage.removeItem(key)
  if ('caches' in globalThis) await caches.delete(answerVoiceCache)
}
