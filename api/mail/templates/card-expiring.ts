import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { greeting, type Message, paragraph } from './layout.ts'

export type CardExpiring = {
  firstName: string | null
  /** Such as `Visa ending 4242`. */
  card: string
  /** The last day it works. */
  worksUntil: string
  /** What is taken next, in pence with VAT, and when. */
  nextPayment: { total: number; on: string } | null
  billingUrl: string
}

/** The card on file works for another month at most. */
export function cardExpiringMail({ firstName, card, worksUntil, nextPayment, billingUrl }: CardExpiring): Message {
  const next =
    nextPayment === null
      ? 'Put a new card in, so that your next payment goes through.'
      : `Your next payment is ${formatPoundsAndPence(nextPayment.total)} with VAT on ${formatLongDate(nextPayment.on)}. Put a new card in, so that it goes through.`
  return {
    subject: 'Your card is about to expire',
    heading: `${greeting(firstName)} your card is about to expire`,
    blocks: [
      paragraph(`Your ${card} works until ${formatLongDate(worksUntil)}.`),
      paragraph(next),
      { kind: 'button', label: 'Change your card', url: billingUrl },
      paragraph(
        'Nothing is taken when you change it. If your bank has sent the new details to us already, do nothing.',
      ),
    ],
  }
}
