import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'
import { billOf } from './amounts.ts'
import { type Block, greeting, type Message, paragraph } from './layout.ts'

export type Receipt = Price & {
  firstName: string | null
  /** Of our VAT invoice. */
  number: string
  /** What was paid for, line by line. */
  lines: readonly string[]
  /** A day or an instant of the billing clock. */
  paidOn: string
  /** Where all invoices are, after login; null for a buyer without an account. */
  billingUrl: string | null
  isMissingAddress: boolean
  /** The invoice that this one puts right, and the credit note that took it back. */
  replaces: { number: string; creditNote: string | null } | null
}

/** A payment has come in; our VAT invoice for it goes with the mail. */
export function receiptMail(receipt: Receipt): Message {
  const { number, total, paidOn, replaces } = receipt
  const paid = formatPoundsAndPence(total)
  const blocks: Block[] = [
    { kind: 'rows', rows: receipt.lines.map((line) => ['For', line] as const) },
    billOf(receipt),
    { kind: 'rows', rows: [['VAT invoice', number] as const, ['Paid on', formatLongDate(paidOn)] as const] },
    ...invoiceBlocks(receipt),
  ]
  if (replaces !== null) {
    return {
      subject: `Corrected VAT invoice ${number}`,
      heading: `${greeting(receipt.firstName)} your invoice is put right`,
      blocks: [paragraph(correction(replaces)), ...blocks],
    }
  }
  return {
    subject: `Receipt for ${paid}, VAT invoice ${number}`,
    heading: `${greeting(receipt.firstName)} your payment has arrived`,
    blocks: [paragraph(`Thank you. We have taken ${paid}. Your VAT invoice is attached.`), ...blocks],
  }
}

function correction({ number, creditNote }: { number: string; creditNote: string | null }): string {
  const by = creditNote === null ? '' : ` by credit note ${creditNote}`
  return `VAT invoice ${number} was taken back${by}. The one attached stands in its place. Nothing more was taken.`
}

function invoiceBlocks({ billingUrl, isMissingAddress }: Receipt): Block[] {
  if (billingUrl === null) return []
  const button: Block = { kind: 'button', label: 'See all your invoices', url: billingUrl }
  const missing =
    'The invoice has no address of yours yet. Add it under Billing, and a new invoice with it comes by mail.'
  return isMissingAddress ? [paragraph(missing), button] : [button]
}
