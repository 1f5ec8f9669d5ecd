import * as v from 'valibot'
import { Email, honeypot, Id, Instant, OptionalLine, RequiredLine, RequiredText } from './fields.ts'
import { contactLabels } from './form-labels.ts'

export const ContactForm = v.object({
  name: RequiredLine(contactLabels.name, 100),
  email: Email,
  trade: OptionalLine(100),
  message: RequiredText(contactLabels.message, 5000),
} satisfies Record<keyof typeof contactLabels, unknown>)
export type ContactForm = v.InferOutput<typeof ContactForm>

export const ContactRequest = v.object({ ...ContactForm.entries, ...honeypot })
export type ContactRequest = v.InferOutput<typeof ContactRequest>

export const ContactResponse = v.object({ success: v.literal(true), id: Id, receivedAt: Instant })
export type ContactResponse = v.InferOutput<typeof ContactResponse>
