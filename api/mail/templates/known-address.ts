import { frameMail, type MailBody, words } from './frame.ts'

export function knownAddressMail({ loginUrl, forgotUrl }: { loginUrl: string; forgotUrl: string }): MailBody {
  return frameMail({
    subject: 'You already have an account',
    heading: 'You already have an account',
    blocks: [
      words('Somebody tried to join with your address. If it was you, log in instead. Nothing has been taken.'),
      { kind: 'button', label: 'Log in', url: loginUrl },
      words(`No password to hand? Set a new one at ${forgotUrl}`),
      words('If it was not you, do nothing. Nobody has got into your account.'),
    ],
  })
}
