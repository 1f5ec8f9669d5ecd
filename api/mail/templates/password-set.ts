import { type Message, paragraph } from './layout.ts'

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
