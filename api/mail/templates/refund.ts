import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { greeting, type Message, paragraph } from './layout.ts'

export type Refund = {
  firstName: string | null
  /** Pence with VAT. */
  amount: number
  refundedOn: string
  /** Our credit note, and the invoice that it takes back, whole or in part. */
  creditNote: { number: string; invoiceNumber: string } | null
}

/** Money is on its way back. */
export function refundMail({ firstName, amount, refundedOn, creditNote }: Refund): Message {
  const sum = formatPoundsAndPence(amount)
  const papers =
    creditNote === null
      ? []
      : [['Credit note', creditNote.number] as const, ['For VAT invoice', creditNote.invoiceNumber] as const]
  return {
    subject: `Refund of ${sum}`,
    heading: `${greeting(firstName)} ${sum} is on its way back to you`,
    blocks: [
      paragraph(
        `We have sent ${sum} back to the card or account that paid. It shows there within 5 to 10 working days.`,
      ),
      { kind: 'rows', rows: [['Refunded, with VAT', sum], ['Sent on', formatLongDate(refundedOn)], ...papers] },
      ...(creditNote === null ? [] : [paragraph('The credit note is attached. Keep it with the invoice.')]),
    ],
  }
}

export type RefundFailed = Pick<Refund, 'firstName' | 'amount' | 'refundedOn'> & { contactUrl: string }

/** What was said to be on its way has come back. */
export function refundFailedMail({ firstName, amount, refundedOn, contactUrl }: RefundFailed): Message {
  const sum = formatPoundsAndPence(amount)
  return {
    subject: `Your refund of ${sum} has not arrived`,
    heading: `${greeting(firstName)} your refund has not arrived`,
    blocks: [
      paragraph(
        `The ${sum} that we sent on ${formatLongDate(refundedOn)} came back: the card or account did not take it.`,
      ),
      paragraph('We still owe it to you. Please tell us where it should go.'),
      { kind: 'button', label: 'Contact us', url: contactUrl },
    ],
  }
}
