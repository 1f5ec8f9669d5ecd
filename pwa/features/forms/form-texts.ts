import type * as v from 'valibot'
import type { SiteRoute } from '#pwa/lib/site-content.tsx'
import type { FormKind } from '#pwa/sync/forms/store.ts'
import type { ToastMessage } from '#pwa/ui/toast-region.tsx'

export type FormContract<Form extends object = object> = {
  schema: v.GenericSchema<unknown, Form>
  toBody?(form: Form, now: Date): object
}

export type QueuedFormDefinition = {
  kind: FormKind
  /** Its code loads at the first touch of the form. */
  loadContract: () => Promise<FormContract>
  sent: ToastMessage
  failed: (sentence: string | undefined) => ToastMessage
  /** The title over the form after a rejection. */
  problem: string
}

/** What receipts and messages call each form, and the page it's on. */
export const formPages: Record<FormKind, { name: string; path: SiteRoute }> = {
  contact: { name: 'Your message', path: '/contact' },
  'coaching-application': { name: 'Your coaching application', path: '/coaching-application' },
  'coaching-booking': { name: 'Your call booking', path: '/book-coaching-call' },
}
