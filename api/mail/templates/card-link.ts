import { greeting, type Message, paragraph } from './layout.ts'

/** An owner asks a member to change the card that pays. */
export function cardLinkMail({ firstName, url }: { firstName: string | null; url: string }): Message {
  return {
    subject: 'Please check your card',
    heading: greeting(firstName ?? ''),
    blocks: [
      paragraph('Please look at the card that pays for your membership. You can change it in Billing.'),
      { kind: 'button', label: 'Open Billing', url },
      paragraph('Log in there as usual. Changing the card takes no payment.'),
    ],
  }
}
