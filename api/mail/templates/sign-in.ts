import { plural } from '#shared/rules/plural.ts'
import { type Block, type Message, paragraph } from './layout.ts'

/** A person told in a hurry does not have to look for the page. */
const notYou = (forgotUrl: string): Block[] => [
  paragraph('If it was not you, set a new password now, then tell us.'),
  { kind: 'button', label: 'Set a new password', url: forgotUrl },
]

type Warning = { forgotUrl: string }

/** The code is not in the subject: that is kept in the list of mails, which the owners read. */
export function signInCodeMail({ code, minutes }: { code: string; minutes: number }): Message {
  return {
    subject: 'Your sign-in code',
    heading: `Your code: ${code}`,
    blocks: [
      paragraph(`Type it where you asked for it. It works once, for ${plural(minutes, 'minute')}.`),
      paragraph('Tell it to nobody: we never ask for it. If you did not ask for it, do nothing.'),
    ],
  }
}

/** An owner's account opens the whole business, which a mailbox alone shall not. */
export function noCodeForOwnersMail(): Message {
  return {
    subject: 'No sign-in code for owners',
    heading: 'Owners sign in with their password',
    blocks: [
      paragraph('Somebody asked for a sign-in code for this address. Codes by email are for members.'),
      paragraph('If it was you, sign in with your password or a passkey. If it was not, do nothing.'),
    ],
  }
}

export function passkeyMail({ name, isAdded, forgotUrl }: Warning & { name: string; isAdded: boolean }): Message {
  const subject = isAdded ? 'A passkey was added' : 'A passkey was removed'
  const sentence = isAdded
    ? `A passkey, “${name}”, was added to your account. It signs in without the password.`
    : `The passkey “${name}” was removed from your account. It no longer signs you in.`
  return { subject, heading: subject, blocks: [paragraph(sentence), ...notYou(forgotUrl)] }
}

export function factorMail({ isSet, forgotUrl }: Warning & { isSet: boolean }): Message {
  const subject = isSet ? 'Your second factor is on' : 'Your second factor was removed'
  const sentence = isSet
    ? 'Your account asks for a code from your authenticator app from now on. Other browsers have been signed out.'
    : 'Your account no longer asks for a code from your authenticator app.'
  return { subject, heading: subject, blocks: [paragraph(sentence), ...notYou(forgotUrl)] }
}

export function recoveryUsedMail({ left, forgotUrl }: Warning & { left: number }): Message {
  return {
    subject: 'A recovery code was used',
    heading: 'A recovery code was used',
    blocks: [
      paragraph(`Somebody signed in to your account with a recovery code. You have ${plural(left, 'code')} left.`),
      ...notYou(forgotUrl),
    ],
  }
}
