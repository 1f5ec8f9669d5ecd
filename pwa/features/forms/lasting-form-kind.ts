import type { FormKind } from '#pwa/sync/forms/store.ts'
import type { ToastMessage } from '#pwa/ui/toast.tsx'
import type { FieldErrors } from './field-errors.ts'
import type { Typed } from './typed.ts'

/** The body to send, or what is wrong with what is typed. */
export type FormCheck = (typed: Typed, now: Date) => { body: object } | { errors: FieldErrors }

/** What sets one public form apart from another. */
export type LastingFormKind = {
  kind: FormKind
  /** As a receipt calls it: 'Your message'. */
  name: string
  /** The checks come with the first touch of the form. */
  loadCheck: () => Promise<FormCheck>
  sent: ToastMessage
  /** `sentence`: the server's, where it gave one. */
  failed: (sentence: string | undefined) => ToastMessage
  /** Over the form after a refusal. */
  problem: string
}
