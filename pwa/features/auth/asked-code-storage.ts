import { draftKey, isDraftSince, readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'

// While someone looks for the code in their mailbox, the phone may close the app. When they open it again, the field is still there.

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
