import { counted } from '#shared/rules/plural.ts'
import { type Letter, words } from './layout.ts'

export function continueJoinMail({ url, minutes }: { url: string; minutes: number }): Letter {
  return {
    subject: 'Carry on joining',
    heading: 'Carry on where you left off',
    blocks: [
      words('Somebody started to join with this address. If it was you, this link takes you back to it.'),
      { kind: 'button', label: 'Carry on joining', url },
      words(`The link works once, for ${counted(minutes, 'minute')}. Nothing has been taken.`),
      words('If it was not you, do nothing.'),
    ],
  }
}
