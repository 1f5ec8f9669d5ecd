import { plural } from '#shared/rules/plural.ts'
import { type Block, type Message, paragraph } from './layout.ts'

/** Links to the page, because they'll be in a hurry. */
const notYou = (forgotUrl: string): Block[] => [
  paragraph('If it wasn’t you, set a new password now, then tell us.'),
  { kind: 'button', label: 'Set a new password', url: forgotUrl },
]

type Warning = { forgotUrl: string }

/** The code isn't in the subject, because the owners' list of emails shows subjects. */
export function signInCodeMail({ code, minutes }: { code: string; minutes: number }): Message {
  return {
    subject: 'Your login code',
    heading: `Your code: ${code}`,
    blocks: [
      paragraph(`Type it where you asked for it. It works once, for ${plural(minutes, 'minute')}.`),
      paragraph('Don’t share it. We’ll never ask you for it. Didn’t ask for a code? Ignore this email.'),
    ],
  }
}

/** An owner's account opens the whole business, so access to a mailbox isn't enough. */
export function noCodeForOwnersMail(): Message {
  return {
    subject: 'No login code for owners',
    heading: 'Owners log in with their password',
    blocks: [
      paragraph('Someone asked for a login code for this address. Only members can have one.'),
      paragraph('If it was you, log in with your password or a passkey. If it wasn’t, ignore this email.'),
    ],
  }
}

export function passkeyMail({ name, isAdded, forgotUrl }: Warning & { name: string; isAdded: boolean }): Message {
  const subject = isAdded ? 'A passkey was added' : 'A passkey was removed'
  const sentence = isAdded
    ? `The passkey “${name}” was added to your account. You can log in with it instead of your password.`
    : `The passkey “${name}” was removed from your account. You can’t log in with it any more.`
  return { subject, heading: subject, blocks: [paragraph(sentence), ...notYou(forgotUrl)] }
}

export function factorMail({ isSet, forgotUrl }: Warning & { isSet: boolean }): Message {
  const subject = isSet ? 'Two-step login is on' : 'Two-step login is off'
  const sentence = isSet
    ? 'You’ll need a code from your authenticator app to log in. We’ve logged out your other browsers.'
    : 'You no longer need a code from your authenticator app to log in.'
  return { subject, heading: subject, blocks: [paragraph(sentence), ...notYou(forgotUrl)] }
}

export function recoveryUsedMail({ left, forgotUrl }: Warning & { left: number }): Message {
  return {
    subject: 'A recovery code was used',
    heading: 'A recovery code was used',
    blocks: [
      paragraph(`Someone logged in to your account with a recovery code. You have ${plural(left, 'code')} left.`),
      ...notYou(forgotUrl),
    ],
  }
}
