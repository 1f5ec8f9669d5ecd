import { checkBy } from '#pwa/features/forms/check-by.ts'
import { ContactForm } from '#shared/contract/contact.ts'

export const checkContact = checkBy(ContactForm, (form) => form)
