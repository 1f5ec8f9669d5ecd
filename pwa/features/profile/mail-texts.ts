import type { MailPurpose } from '#shared/contract/mail.ts'

/** What each kind of mail is, as a member reads it. */
export const mailTexts: Record<MailPurpose, string> = {
  'call-reminder': 'A reminder the day before a call',
  'card-expiry': 'A warning before your card expires',
}
