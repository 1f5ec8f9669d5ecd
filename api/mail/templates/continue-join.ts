import { plural } from '#shared/rules/plural.ts'
import { type Message, paragraph } from './layout.ts'

export function continueJoinMail({ url, minutes }: { url: string; minutes: number }): Message {
  return {
    subject: 'Carry on joining',
    heading: 'Carry on where you left off',
    blocks: [
      paragraph('Somebody started to join with this address. If it was you, this link takes you back to it.'),
      { kind: 'button', label: 'Carry on joining', url },
      paragraph(`The link works once, for ${plural(minutes, 'minute')}. Nothing has been taken.`),
      paragraph('If it was not you, do nothing.'),
    ],
  }
}
