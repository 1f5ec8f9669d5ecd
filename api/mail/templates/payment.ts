import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { paidFromCredit } from '#shared/rules/payment-words.ts'
import { type Bill, type Block, billOf, greeting, type Message, paragraph } from './layout.ts'

export type Receipt = Bill & {
  firstName: string | null
  /** Our VAT invoice's. */
  number: string
  /** What was paid for, line by line, without VAT. Deductions are negative. */
  lines: readonly { description: string; net: number }[]
  /** A day, or an instant of the billing clock. */
  paidOn: string
  /** When it's for a year: the day of the next one. */
  renewsOn?: string | null
  /** Where all invoices are, after login. Null for a buyer without an account. */
  billingUrl: string | null
  isMissingAddress: boolean
  /** The invoice this one replaces, and the credit note that cancelled it. */
  replaces: { number: string; creditNote: string | null } | null
  /** The number of the payment's earlier invoice, which a restore lost from the books. */
  takesPlaceOf: string | null
  /** What of it came from the member's credit. */
  fromCredit?: number
  /** Stripe's type of what paid the rest. */
  paidBy?: string | null
  /** What they owed from before, in pence. It was taken with it, and isn't on the invoice. */
  fromBefore?: number
}

export function receiptMail(receipt: Receipt): Message {
  const {
    number,
    total,
    paidOn,
    replaces,
    takesPlaceOf,
    fromCredit = 0,
    paidBy = null,
    fromBefore = 0,
    renewsOn,
  } = receipt
  const paid = formatPoundsAndPence(total + fromBefore)
  const blocks: Block[] = [
    ...billBlocks(receipt),
    {
      kind: 'rows',
      rows: [
        ['VAT invoice', number],
        ['Paid on', formatLongDate(paidOn)],
        ...(renewsOn ? [['Renews on', formatLongDate(renewsOn)] as const] : []),
        ...(fromCredit > 0 ? [['Paid', paidFromCredit({ total, fromCredit, paidBy })] as const] : []),
      ],
    },
    ...invoiceBlocks(receipt),
  ]
  if (replaces !== null) {
    return {
      subject: `Corrected VAT invoice ${number}`,
      heading: `${greeting(receipt.firstName)} we’ve corrected your invoice`,
      blocks: [paragraph(correctionText(replaces)), ...blocks],
    }
  }
  if (takesPlaceOf !== null) {
    return {
      subject: `VAT invoice ${number}, replacing ${takesPlaceOf}`,
      heading: `${greeting(receipt.firstName)} your invoice has a new number`,
      blocks: [
        paragraph(
          `The invoice attached replaces VAT invoice ${takesPlaceOf}, which is no longer in our books. Keep this one instead. You haven’t been charged again.`,
        ),
        ...blocks,
      ],
    }
  }
  return {
    subject: `Receipt for ${paid}, VAT invoice ${number}`,
    heading: `${greeting(receipt.firstName)} thanks for your payment`,
    blocks: [paragraph(`${paidText(total, fromBefore)} Your VAT invoice is attached.`), ...blocks],
  }
}

function paidText(total: number, fromBefore: number): string {
  const [whole, ofInvoice, owed] = [total + fromBefore, total, fromBefore].map(formatPoundsAndPence)
  return fromBefore === 0
    ? `You’ve paid ${whole}.`
    : `You’ve paid ${whole}: ${ofInvoice} for this invoice and ${owed} you owed from before.`
}

/** With more than one line, each shows its amount so the sum can be checked: charges first, then deductions. */
function billBlocks({ lines, ...price }: Receipt): Block[] {
  const bill = billOf(price)
  if (lines.length === 1) return [{ kind: 'rows', rows: lines.map(({ description }) => ['For', description]) }, bill]
  const rows = lines
    .toSorted((one, other) => Number(one.net < 0) - Number(other.net < 0))
    .map(({ description, net }) => [description, formatPoundsAndPence(net)] as const)
  return [{ ...bill, rows: [...rows, ...bill.rows] }]
}

function correctionText({ number, creditNote }: { number: string; creditNote: string | null }): string {
  const by = creditNote === null ? '' : ` with credit note ${creditNote}`
  return `The invoice attached replaces VAT invoice ${number}, which we’ve cancelled${by}. You haven’t been charged again.`
}

function invoiceBlocks({ billingUrl, isMissingAddress }: Receipt): Block[] {
  if (billingUrl === null) return []
  const button: Block = { kind: 'button', label: 'See all your invoices', url: billingUrl }
  const missing = 'Your address isn’t on the invoice yet. Add it under Billing and we’ll email you a new one.'
  return isMissingAddress ? [paragraph(missing), button] : [button]
}

export type Owed = Bill & {
  /** What's left to pay of it, in pence: credit may pay for a part, and a debt from before comes with it. */
  due?: number
  firstName: string | null
  tierName: string
  /** The day the renewal was due. A day or an instant, like the one below. */
  dueOn: string
  payUrl: string
  /** What is due, and how long access lasts without it. */
  stateLine: string
}

export type PaymentFailed = Owed & {
  /** An earlier email reported an attempt. */
  isAgain: boolean
  /** Stripe has stopped retrying the card. */
  isGivenUp: boolean
  /** A card is saved that could be tried again. */
  hasCard: boolean
}

function nextTryText({ isGivenUp, hasCard }: PaymentFailed): string {
  if (!hasCard) return 'You’ve no card saved, so we can’t try again. Pay with any card.'
  const next = isGivenUp
    ? 'We won’t try your saved card again.'
    : 'We’ll keep trying your saved card over the next few days.'
  return `Use the same card or another one. ${next}`
}

const owedText = ({ total, due = total, tierName, dueOn }: Owed) =>
  `${formatPoundsAndPence(due)}${due === total ? ' with VAT' : ''} for your ${tierName} membership, due on ${formatLongDate(dueOn)}`

export function paymentFailedMail(failed: PaymentFailed): Message {
  const { isAgain, hasCard, payUrl, stateLine } = failed
  const subject = `Your payment didn’t go through${isAgain ? ' again' : ''}`
  const tried =
    isAgain && hasCard
      ? `We tried your card again and couldn’t take ${owedText(failed)}. You haven’t been charged.`
      : `We couldn’t take ${owedText(failed)}. You haven’t been charged.`
  return {
    subject,
    heading: `${greeting(failed.firstName)} your payment didn’t go through${isAgain ? ' again' : ''}`,
    blocks: [
      paragraph(stateLine),
      paragraph(tried),
      { kind: 'button', label: 'Pay now', url: payUrl },
      owedBill(failed),
      paragraph(nextTryText(failed)),
    ],
  }
}

/** Access ends in three days unless they pay. `endsOn` is its last day. */
export function accessEndingMail(owed: Owed & { endsOn: string }): Message {
  const day = formatLongDate(owed.endsOn)
  return {
    subject: `Your access ends on ${day}`,
    heading: `${greeting(owed.firstName)} you’ve got access until ${day}`,
    blocks: [
      paragraph(owed.stateLine),
      paragraph(`We couldn’t take ${owedText(owed)}. Pay by ${day} and you keep your access.`),
      payButton(owed),
      owedBill(owed),
    ],
  }
}

export function accessEndedMail(owed: Owed): Message {
  return {
    subject: 'Your access has ended',
    heading: `${greeting(owed.firstName)} your access has ended`,
    blocks: [
      paragraph(owed.stateLine),
      paragraph(`We couldn’t take ${owedText(owed)}.`),
      payButton(owed),
      owedBill(owed),
      paragraph('Your account, ticks and invoices are still here.'),
    ],
  }
}

/** Where it isn't the invoice's total, what's to pay follows it. */
function owedBill({ due, ...price }: Owed): Block {
  const bill = billOf(price)
  return due === undefined || due === price.total
    ? bill
    : { ...bill, rows: [...bill.rows, bill.total], total: ['To pay', formatPoundsAndPence(due)] }
}

const payButton = ({ total, due = total, payUrl }: Owed): Block => ({
  kind: 'button',
  label: `Pay ${formatPoundsAndPence(due)}`,
  url: payUrl,
})

export type Refund = {
  firstName: string | null
  /** Pence with VAT. */
  amount: number
  refundedOn: string
  /** Our credit note, and the invoice it credits in whole or part. */
  creditNote: { number: string; invoiceNumber: string } | null
  /** Stripe's, or how a credit note there gave it back. */
  reason?: string | null
}

/** A credit note at Stripe may put the money into the balance, or say that it was given back outside Stripe. */
const noteTexts = {
  credit_note_credit: {
    heading: (sum: string) => `we’ve added ${sum} to your credit`,
    text: (sum: string) => `${sum} comes off your next payment.`,
  },
  credit_note_outside: {
    heading: (sum: string) => `we’ve credited ${sum}`,
    text: (sum: string) => `We’ve credited ${sum} of your payment. We’ll pay it to you directly, not to your card.`,
  },
}

function noteMail(
  { firstName, amount, refundedOn, creditNote }: Refund,
  { heading, text }: (typeof noteTexts)['credit_note_credit'],
): Message {
  const sum = formatPoundsAndPence(amount)
  return {
    subject: `Credit of ${sum}`,
    heading: `${greeting(firstName)} ${heading(sum)}`,
    blocks: [
      paragraph(text(sum)),
      {
        kind: 'rows',
        rows: [
          ['Credit with VAT', sum],
          ['On', formatLongDate(refundedOn)],
          ...(creditNote === null
            ? []
            : [['Credit note', creditNote.number] as const, ['For VAT invoice', creditNote.invoiceNumber] as const]),
        ],
      },
      ...(creditNote === null ? [] : [paragraph('The credit note is attached. Keep it with the invoice.')]),
    ],
  }
}

export function refundMail(refund: Refund): Message {
  const { firstName, amount, refundedOn, creditNote, reason } = refund
  if (reason === 'credit_note_credit' || reason === 'credit_note_outside') return noteMail(refund, noteTexts[reason])
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
        `We’ve refunded ${sum} to the card or account that paid. It should be there within 5 to 10 working days.`,
      ),
      { kind: 'rows', rows: [['Refund with VAT', sum], ['Sent on', formatLongDate(refundedOn)], ...papers] },
      ...(creditNote === null ? [] : [paragraph('The credit note is attached. Keep it with the invoice.')]),
    ],
  }
}

export type RefundFailed = Pick<Refund, 'firstName' | 'amount' | 'refundedOn'> & { contactUrl: string }

export function refundFailedMail({ firstName, amount, refundedOn, contactUrl }: RefundFailed): Message {
  const sum = formatPoundsAndPence(amount)
  return {
    subject: `Your refund of ${sum} didn’t arrive`,
    heading: `${greeting(firstName)} your refund didn’t arrive`,
    blocks: [
      paragraph(
        `The ${sum} we sent on ${formatLongDate(refundedOn)} came back. Your card or account didn’t accept it.`,
      ),
      paragraph('We still owe it to you. Tell us where to send it.'),
      { kind: 'button', label: 'Contact us', url: contactUrl },
    ],
  }
}

export type CardExpiring = {
  /** Such as `Visa ending 4242`. */
  card: string
  worksUntil: string
  /** The next payment's day, and its total in pence with VAT. */
  nextPayment: { total: number; on: string } | null
  billingUrl: string
}

/** The fixed part of the card expiry email, below the owners' own text. */
export function cardExpiringParts({ card, worksUntil, nextPayment, billingUrl }: CardExpiring): Block[] {
  const next =
    nextPayment === null
      ? 'Add a new card so your next payment goes through.'
      : `Your next payment is ${formatPoundsAndPence(nextPayment.total)} with VAT on ${formatLongDate(nextPayment.on)}. Add a new card so it goes through.`
  return [
    paragraph(`Your ${card} works until ${formatLongDate(worksUntil)}.`),
    paragraph(next),
    { kind: 'button', label: 'Change your card', url: billingUrl },
    paragraph('You won’t be charged for changing it. If your bank has already sent us the new details, you’re done.'),
  ]
}

export function cardLinkMail({ firstName, url }: { firstName: string | null; url: string }): Message {
  return {
    subject: 'Check the card for your membership',
    heading: `${greeting(firstName)} check your card`,
    blocks: [
      paragraph('Have a look at the card that pays for your membership. You can change it under Billing.'),
      { kind: 'button', label: 'Open Billing', url },
      paragraph('Log in as usual. You won’t be charged for changing it.'),
    ],
  }
}
