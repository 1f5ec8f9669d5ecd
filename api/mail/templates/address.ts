import { formatLongDate, formatMoment, londonClock } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Message, paragraph } from './layout.ts'

export function confirmAddressMail({ url, hours }: { url: string; hours: number }): Message {
  return {
    subject: 'Confirm your new email address',
    heading: 'Confirm your new email address',
    blocks: [
      paragraph(
        'Did you ask to use this address for your account? Confirm it, and you’ll log in with it and get our emails here.',
      ),
      { kind: 'button', label: 'Confirm this address', url },
      paragraph(`The link works for ${plural(hours, 'hour')}. Nothing changes until you confirm.`),
      paragraph('If it wasn’t you, ignore this email.'),
    ],
  }
}

/** To an address that already has an account. The person who asked sees the same answer as for any other address. */
export const addressTakenMail = ({ loginUrl }: { loginUrl: string }): Message => ({
  subject: 'You already have an account',
  heading: 'You already have an account',
  blocks: [
    paragraph('A member asked to use this address, but it already has an account. Nothing has changed.'),
    { kind: 'button', label: 'Log in', url: loginUrl },
    paragraph(
      'Was it you? Log in with this address, or choose another one under Profile. If it wasn’t, ignore this email.',
    ),
  ],
})

/** Prefix of `restoreAddressMail`'s cause. */
export const restoreAddressKind = 'address-restore'

/** To the account's old address. It doesn't name the new one, since the old one may belong to a stranger. */
export function restoreAddressMail({ url, at, until }: { url: string; at: string; until: string }): Message {
  return {
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    blocks: [
      paragraph(
        `The email address on your account was changed on ${formatLongDate(at)} at ${londonClock(at)}. Use the new one to log in. Links we sent to this address have stopped working.`,
      ),
      paragraph(
        'Was this you? Then you’re done. If it wasn’t, change it back. We’ll log out every device and ask you for a new password.',
      ),
      { kind: 'button', label: 'Change it back', url },
      paragraph(
        `The link works until ${formatMoment(until)}, or until someone buys a membership with the account. After that, contact us.`,
      ),
    ],
  }
}
