import { plural } from '#shared/rules/plural.ts'
import { type Message, paragraph } from './layout.ts'

export function resetPasswordMail({ url, minutes }: { url: string; minutes: number }): Message {
  return {
    subject: 'Set a new password',
    heading: 'Set a new password',
    blocks: [
      paragraph('Somebody asked for a new password for this address. If it was you, set it here.'),
      { kind: 'button', label: 'Set a new password', url },
      paragraph(`The link works once, for ${plural(minutes, 'minute')}.`),
      paragraph('If it was not you, do nothing. Your password stays as it is.'),
    ],
  }
}
