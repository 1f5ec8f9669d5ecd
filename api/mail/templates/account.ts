import { formatLongDate, londonClock } from '#shared/rules/london.ts'
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

/** `forgotUrl` is the page that mails a new link. */
export function passwordSetMail({ forgotUrl }: { forgotUrl: string }): Message {
  return {
    subject: 'Your password was set',
    heading: 'Your password was set',
    blocks: [
      paragraph('A password was set for your account. Other devices have been logged out.'),
      paragraph('If it was you, there is nothing to do. If it was not, set a new one now, then tell us.'),
      { kind: 'button', label: 'Set a new password', url: forgotUrl },
    ],
  }
}

type AddressChange = { by: string; at: string; until: string; url: string }

/** To the address that an account had: it does not name the new one, since the old one may be a stranger's. */
export function addressChangedMail({ by, at, until, url }: AddressChange): Message {
  return {
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    blocks: [
      paragraph(
        `${by} gave your account another email address on ${formatLongDate(at)}, ${londonClock(at)}. Our emails go there from now on, and you log in with it. Links that we emailed to this address no longer work.`,
      ),
      paragraph(
        'If you asked for it, there’s nothing to do. If you didn’t, tell us. We’ll send no password links to the new address until we’ve looked into it.',
      ),
      { kind: 'button', label: 'This wasn’t me', url },
      paragraph(`The link works until ${formatLongDate(until)}, ${londonClock(until)}. After that, contact us.`),
    ],
  }
}

/** Says nothing but that mail arrives. */
export const testMail = (site: string): Message => ({
  subject: 'A test of your email',
  heading: 'Email works',
  blocks: [paragraph(`An owner of ${site} sent this to see whether email arrives. There is nothing to do.`)],
})

export function ownerLinkMail({ url, hours }: { url: string; hours: number }): Message {
  return {
    subject: 'Your owner account is ready',
    heading: 'Your owner account is ready',
    blocks: [
      paragraph('This address has been set up as an owner of the site. Set a password to get in.'),
      { kind: 'button', label: 'Set your password', url },
      paragraph(
        `The link works once, for ${plural(hours, 'hour')}. Keep it to yourself: anybody who opens it can run the site.`,
      ),
      paragraph('If you did not expect this, do not open the link. Tell the person who looks after the site.'),
    ],
  }
}

/** For every owner, when one of them, or the person at the machine, made a link that sets an owner's password. */
export function ownerLinkMadeMail({ email, isByTerminal }: { email: string; isByTerminal: boolean }): Message {
  const where = isByTerminal ? 'at the terminal of the machine that runs the site' : 'by an owner who is logged in'
  return {
    subject: 'A link for an owner was made',
    heading: 'A link for an owner was made',
    blocks: [
      paragraph(`A link that sets a new password for ${email} was made ${where}.`),
      paragraph('If one of you asked for it, there is nothing to do. If not, set new passwords now.'),
    ],
  }
}

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
