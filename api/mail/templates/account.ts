import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Message, paragraph } from './layout.ts'

export function resetPasswordMail({ url, minutes }: { url: string; minutes: number }): Message {
  return {
    subject: 'Set a new password',
    heading: 'Set a new password',
    blocks: [
      paragraph('Did you ask for a new password? Set it here.'),
      { kind: 'button', label: 'Set a new password', url },
      paragraph(`The link works once, for ${plural(minutes, 'minute')}.`),
      paragraph('If it wasn’t you, ignore this email. Your password hasn’t changed.'),
    ],
  }
}

/** `forgotUrl` is the page that sends a new link. */
export function passwordSetMail({ forgotUrl }: { forgotUrl: string }): Message {
  return {
    subject: 'Your password was set',
    heading: 'Your password was set',
    blocks: [
      paragraph('Your new password works from now on. We’ve logged out your other devices.'),
      paragraph('Was this you? Then you’re done. If it wasn’t, set a new password now, then tell us.'),
      { kind: 'button', label: 'Set a new password', url: forgotUrl },
    ],
  }
}

type AddressChange = { by: string; at: string; until: string; url: string }

/** To the account's old address. It doesn't name the new one, since the old one may belong to a stranger. */
export function addressChangedMail({ by, at, until, url }: AddressChange): Message {
  return {
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    blocks: [
      paragraph(
        `${by} changed the email address on your account on ${formatMoment(at)}. Use the new one to log in. Links we emailed to this address have stopped working.`,
      ),
      paragraph(
        'If you asked for it, there’s nothing to do. If you didn’t, tell us. We’ll send no password links to the new address until we’ve looked into it.',
      ),
      { kind: 'button', label: 'This wasn’t me', url },
      paragraph(`The link works until ${formatMoment(until)}. After that, contact us.`),
    ],
  }
}

export const testMail = (site: string): Message => ({
  subject: 'A test of your email',
  heading: 'Email works',
  blocks: [paragraph(`${site} sent this to check email gets through. It does.`)],
})

export function ownerLinkMail({ url, hours }: { url: string; hours: number }): Message {
  return {
    subject: 'Your owner account is ready',
    heading: 'Your owner account is ready',
    blocks: [
      paragraph('You’re an owner of the site. Set a password to get in.'),
      { kind: 'button', label: 'Set your password', url },
      paragraph(
        `The link works once, for ${plural(hours, 'hour')}. Keep it to yourself. Anyone who opens it can run the site.`,
      ),
      paragraph('Weren’t expecting this? Don’t open the link. Tell your developer.'),
    ],
  }
}

/** Tells every owner that an owner, or someone at the machine, made a link that sets an owner's password. */
export function ownerLinkMadeMail({ email, isByTerminal }: { email: string; isByTerminal: boolean }): Message {
  const who = isByTerminal ? 'Someone at the server’s terminal' : 'An owner'
  return {
    subject: 'A password link for an owner was created',
    heading: 'A password link for an owner was created',
    blocks: [
      paragraph(`${who} created a password reset link for ${email}.`),
      paragraph('If one of you asked for it, you’re done. If not, set new passwords now.'),
    ],
  }
}

export function continueJoinMail({ url, minutes }: { url: string; minutes: number }): Message {
  return {
    subject: 'Carry on joining',
    heading: 'Carry on where you left off',
    blocks: [
      paragraph('Did you start joining with this address? This link takes you back to where you were.'),
      { kind: 'button', label: 'Carry on joining', url },
      paragraph(`The link works once, for ${plural(minutes, 'minute')}. You haven’t been charged.`),
      paragraph('If it wasn’t you, ignore this email.'),
    ],
  }
}
