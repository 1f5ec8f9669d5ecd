import type { PricePeriod } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, withVat } from '#shared/rules/money.ts'
import { everyText } from '#shared/rules/tier-prices.ts'
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

/** `next`: a price that's set to start before the link expires. */
type InvitedPrice = { every: PricePeriod; net: number; next: { net: number; from: string } | null }

type Invited = {
  firstName: string
  tier: { name: string; prices: readonly InvitedPrice[] }
  freeMonths: number
  url: string
  expires: string
}

const sumText = (net: number, every: PricePeriod) => `${formatPoundsAndPence(withVat(net).total)} ${everyText(every)}`

export function invitationMail({ firstName, tier, freeMonths, url, expires }: Invited): Message {
  const sum = `${tier.prices.map(({ net, every }) => sumText(net, every)).join(' or ')} with VAT`
  const later = tier.prices.flatMap(({ every, next }) =>
    next ? [paragraph(`If you join from ${formatLongDate(next.from)}, it’s ${sumText(next.net, every)}.`)] : [],
  )
  return {
    subject: `Your invitation to ${tier.name}`,
    heading: `${greeting(firstName)} you’re invited`,
    blocks: [
      paragraph(`We’d like you to join ${tier.name}.`),
      { kind: 'button', label: `Join ${tier.name}`, url },
      paragraph(
        freeMonths === 0
          ? `It’s ${sum}. You don’t pay until you’ve filled in the application and confirmed the payment.`
          : `Your first ${freeMonths === 1 ? 'month is' : `${freeMonths} months are`} free. After that it’s ${sum}. You give us a card when you join, and can cancel before the first payment.`,
      ),
      ...later,
      paragraph(`The link works until ${formatLongDate(expires)}. Any questions? Reply to this email.`),
    ],
  }
}
