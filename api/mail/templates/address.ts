import { formatLongDate, londonClock } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Message, paragraph } from './layout.ts'

/** To the new address, which nobody has proved yet. */
export function confirmAddressMail({ url, hours }: { url: string; hours: number }): Message {
  return {
    subject: 'Confirm your new email address',
    heading: 'Confirm your new email address',
    blocks: [
      paragraph(
        'A member asked for their emails to come to this address, and to log in with it. If it was you, confirm it.',
      ),
      { kind: 'button', label: 'Confirm this address', url },
      paragraph(`The link works for ${plural(hours, 'hour')}. Until then nothing changes.`),
      paragraph('If it was not you, do nothing.'),
    ],
  }
}

/** To an address that has an account: who asked is told nothing of it, and gets the same answer as for any other. */
export const addressTakenMail = ({ loginUrl }: { loginUrl: string }): Message => ({
  subject: 'You already have an account',
  heading: 'You already have an account',
  blocks: [
    paragraph(
      'A member asked for their emails to come to this address. It has an account already, so nothing changes.',
    ),
    { kind: 'button', label: 'Log in', url: loginUrl },
    paragraph('If it wasn’t you, do nothing. If it was, log in with this address, or give another one under Profile.'),
  ],
})

/** What the cause of `restoreAddressMail` begins with. */
export const restoreAddressKind = 'address-restore'

/** To the address that an account had: it does not name the new one, since the old one may be a stranger's. */
export function restoreAddressMail({ url, at, until }: { url: string; at: string; until: string }): Message {
  return {
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    blocks: [
      paragraph(
        `Your account got another email address on ${formatLongDate(at)}, ${londonClock(at)}. Emails go there from now on, and it is what you log in with. Links that were emailed to this address no longer work.`,
      ),
      paragraph(
        'If it was you, there is nothing to do. If it was not, take it back: every device is logged out, and you set a new password.',
      ),
      { kind: 'button', label: 'Take it back', url },
      paragraph(
        `The link works until ${formatLongDate(until)}, ${londonClock(until)}, or until a membership is bought with the account. After that, contact us.`,
      ),
    ],
  }
}
