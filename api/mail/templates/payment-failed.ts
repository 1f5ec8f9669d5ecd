import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'
import { billOf } from './amounts.ts'
import { greeting, type Message, paragraph } from './layout.ts'

export type PaymentFailed = Price & {
  firstName: string | null
  tierName: string
  /** The day the renewal fell due; a day or an instant, like the one below. */
  dueOn: string
  payUrl: string
  /** How long access lasts without the payment; null where it does not hang on it. */
  access: { endsOn: string | null; isOver: boolean } | null
  /** The provider has stopped asking the card. */
  isGivenUp: boolean
}

/** A renewal that the card did not pay. */
export function paymentFailedMail(failed: PaymentFailed): Message {
  const { total, tierName, dueOn, payUrl, access } = failed
  const due = `${formatPoundsAndPence(total)} with VAT for your ${tierName} membership, due on ${formatLongDate(dueOn)}`
  return {
    subject: 'Your payment did not go through',
    heading: `${greeting(failed.firstName)} your payment did not go through`,
    blocks: [
      paragraph(`We could not take ${due}. Nothing has been taken.`),
      ...(access === null ? [] : [paragraph(accessWords(access))]),
      { kind: 'button', label: 'Pay now', url: payUrl },
      billOf(failed),
      paragraph(
        failed.isGivenUp
          ? 'Use the same card or another one. We do not try the card we have again by ourselves.'
          : 'Use the same card or another one. The card we have is tried again over the next days, until this is paid.',
      ),
    ],
  }
}

function accessWords({ endsOn, isOver }: { endsOn: string | null; isOver: boolean }): string {
  const day = endsOn === null ? null : formatLongDate(endsOn)
  if (isOver)
    return `Your access ${day === null ? 'has ended' : `ended on ${day}`}. It comes back as soon as this is paid.`
  return day === null
    ? 'Your access goes on for now.'
    : `Your access goes on until ${day}. Pay before then, and it stays.`
}
