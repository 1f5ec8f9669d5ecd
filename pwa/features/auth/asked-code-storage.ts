import { draftKey, isDraftSince, readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'

// While a person looks for the code in their mailbox, the phone may end the app. Opened anew, it still has the field for it.

const name = 'login-code'

/** A code's own life. */
const lifetimeMs = 10 * 60_000

export const noteAskedCode = (email: string) => saveDraft(name, email)

export const forgetAskedCode = () => removeDraft(name)

/** Where a code that still works was sent, as they typed it; null if none was. */
export function readAskedCode(): string | null {
  const email = isDraftSince(draftKey(name), Date.now() - lifetimeMs) ? readDraft(name) : null
  return typeof email === 'string' ? email : null
}
