import { useState } from 'react'
import { readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { answerDraftName } from '#pwa/lib/owner-work.ts'
import type { Question, QuestionMessage } from '#shared/contract/questions.ts'

/** `link`: a video’s id or a post’s slug, by `linkKind`; all three are empty without one. */
export type Answer = {
  /** The answer’s id, a new one with each change: the same words sent again after a lost response are the same answer. */
  id: string
  text: string
  linkKind: string
  link: string
  linkTitle: string
  /** `yes` with a voice note, which is kept in `voice-storage.ts`. */
  voice: string
  /** The last message that was there when it was begun. */
  known: string
}

const empty = (question: Question): Answer => ({
  id: newKey(),
  text: '',
  linkKind: '',
  link: '',
  linkTitle: '',
  voice: '',
  known: question.messages.at(-1)?.id ?? '',
})

export const isBegun = ({ text, link, voice }: Answer) => text !== '' || link !== '' || voice !== ''

/** An answer that isn’t sent yet, kept on this device with every keystroke. */
export function useAnswerDraft(question: Question) {
  const name = answerDraftName(question.id)
  const [{ answer, isRestored }, setDraft] = useState(() => {
    const kept = readOwnerDraft(name)
    return { answer: { ...empty(question), ...kept }, isRestored: kept !== null }
  })
  const write = (changed: Partial<Answer>) => {
    // Until something’s typed, it’s an answer to what’s on screen now.
    const next = { ...(isBegun(answer) ? answer : empty(question)), ...changed, id: newKey() }
    setDraft({ answer: next, isRestored })
    if (isBegun(next)) saveOwnerDraft(name, next)
    else removeOwnerDraft(name)
  }
  return { answer, isRestored, write, forget: () => removeOwnerDraft(name) }
}

/** What other owners have answered since this one was begun. */
export function answersSince(question: Question, { known }: Answer): readonly QuestionMessage[] {
  const at = question.messages.findIndex(({ id }) => id === known)
  return question.messages.slice(at + 1).filter(({ author }) => author === 'coach')
}
