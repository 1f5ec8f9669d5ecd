import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, withVat } from '#shared/rules/money.ts'
import { greeting, type Message, paragraph } from './layout.ts'

type Reply = { firstName: string; about: string; text: string }

/** An owner's reply. Answers to it go to that owner. */
export function inboxReplyMail({ firstName, about, text }: Reply): Message {
  return {
    subject: `About your ${about}`,
    heading: greeting(firstName),
    blocks: [...text.split(/\n{2,}/).map(paragraph), paragraph('Reply to this email to write back.')],
  }
}

type Invited = { firstName: string; tier: { name: string; price: number }; url: string; expires: string }

export function invitationMail({ firstName, tier, url, expires }: Invited): Message {
  const { total } = withVat(tier.price)
  return {
    subject: `Your invitation to ${tier.name}`,
    heading: `${greeting(firstName)} you’re invited`,
    blocks: [
      paragraph(`We’d like you to join ${tier.name}.`),
      { kind: 'button', label: `Join ${tier.name}`, url },
      paragraph(
        `It’s ${formatPoundsAndPence(total)} a month with VAT. You don’t pay until you’ve filled in the application and confirmed the payment.`,
      ),
      paragraph(`The link works until ${formatLongDate(expires)}. Any questions? Reply to this email.`),
    ],
  }
}
