import { counted } from '#shared/rules/plural.ts'
import { type Letter, words } from './layout.ts'

export function resetPasswordMail({ url, minutes }: { url: string; minutes: number }): Letter {
  return {
    subject: 'Set a new password',
    heading: 'Set a new password',
    blocks: [
      words('Somebody asked for a new password for this address. If it was you, set it here.'),
      { kind: 'button', label: 'Set a new password', url },
      words(`The link works once, for ${counted(minutes, 'minute')}.`),
      words('If it was not you, do nothing. Your password stays as it is.'),
    ],
  }
}
