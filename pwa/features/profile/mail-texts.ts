import type { MailPurpose } from '#shared/contract/mail.ts'

export const mailTexts: Record<MailPurpose, string> = {
  'call-reminder': 'A reminder the day before a call',
  'card-expiry': 'A warning before your card expires',
  'check-in': 'Help to get started, and a nudge when you’ve not been in for a while',
  news: 'News: new videos, events and offers',
}
