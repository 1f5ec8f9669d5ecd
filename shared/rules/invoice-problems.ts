import { addDays } from './london.ts'

type Line = { description: string; quantity: number; unitPrice: number; net: number; rate: number; vat: number }

type Invoice = {
  number: string
  isRetroactive: boolean
  replacesId: string | null
  taxPoint: string
  issuedOn: string
  seller: { name: string; address: string; vatNumber: string }
  customer: { name: string; address: string | null }
  lines: readonly Line[]
  net: number
  vat: number
  gross: number
}

type Payment = { status: string; net: number; vat: number; total: number; paidOn: string }

/**
 * `credit`: a credit note and a new invoice put it right. `fix`: the same, once the customer has given us what's missing. The
 * credit note prints `reason`.
 */
export type Problem = { says: string; reason: string; mend: 'credit' | 'fix' | null }

/** For an invoice without an address when we don't have one. Adding it reissues the invoice straight away. */
export const addAddress = 'Add it on the member’s page, or ask them to, under Billing.'

const missing = (what: string): Problem => ({
  says: `${what} is missing.`,
  reason: `${what} was missing`,
  mend: 'credit',
})
const wrong = (says: string): Problem => ({ says, reason: says.replace(/\.$/, ''), mend: 'credit' })
const strange = (says: string): Problem => ({ says, reason: says, mend: null })

/** A VAT invoice is due within 30 days of the time of supply: regulation 13(5) of the VAT Regulations 1995. */
const daysToIssue = 30

/**
 * What's wrong with an invoice. Checks the 14 particulars of regulation 14(1) of the VAT Regulations 1995 (no row can lack the
 * number, dates and amounts), the 30 days, and what Stripe took.
 */
export function findInvoiceProblems(invoice: Invoice, payment: Payment | null): Problem[] {
  return [
    ...particularProblems(invoice),
    ...lineProblems(invoice),
    ...dayProblems(invoice),
    ...paymentProblems(invoice, payment),
  ]
}

function particularProblems({ number, seller, customer, lines }: Invoice): Problem[] {
  return [
    ...(number === '' ? [strange('The number is missing.')] : []),
    ...(seller.name === '' ? [missing('The seller’s name')] : []),
    ...(seller.address === '' ? [missing('The seller’s address')] : []),
    ...(seller.vatNumber === '' ? [missing('The seller’s VAT number')] : []),
    ...(customer.name === '' ? [missing('The customer’s name')] : []),
    ...(customer.address === null ? [{ ...missing('The customer’s address'), mend: 'fix' as const }] : []),
    ...(lines.length === 0 ? [missing('What was supplied')] : []),
    ...(lines.some(({ description }) => description === '') ? [missing('A description')] : []),
    ...(lines.some(({ quantity }) => quantity <= 0) ? [wrong('A quantity is nought or less.')] : []),
  ]
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** Rounding a rate can put a line out by a penny. */
function lineProblems({ lines, net, vat, gross }: Invoice): Problem[] {
  const isOff = lines.some((line) => Math.abs(line.vat - (line.net * line.rate) / 100) > 1)
  return [
    ...(sum(lines.map((line) => line.net)) === net
      ? []
      : [wrong('The lines don’t add up to the amount excluding VAT.')]),
    ...(sum(lines.map((line) => line.vat)) === vat ? [] : [wrong('The lines don’t add up to the VAT.')]),
    ...(net + vat === gross ? [] : [wrong('The amounts don’t add up to the total.')]),
    ...(isOff ? [wrong('A line’s VAT doesn’t match its rate.')] : []),
  ]
}

/** Whether to print that an invoice was issued later than the law allows, or retroactively. A replacement keeps the note. */
export const saysItIsLate = ({ isRetroactive, replacesId, taxPoint, issuedOn }: Dates): boolean =>
  isRetroactive || (replacesId !== null && isLate({ taxPoint, issuedOn }))

type Dates = Pick<Invoice, 'isRetroactive' | 'replacesId' | 'taxPoint' | 'issuedOn'>

const isLate = ({ taxPoint, issuedOn }: Pick<Invoice, 'taxPoint' | 'issuedOn'>) =>
  issuedOn > addDays(taxPoint, daysToIssue)

function dayProblems(invoice: Invoice): Problem[] {
  const { taxPoint, issuedOn } = invoice
  return [
    ...(isLate(invoice) && !saysItIsLate(invoice)
      ? [strange(`It was issued more than ${daysToIssue} days after the tax point, and doesn’t say so.`)]
      : []),
    ...(issuedOn < taxPoint ? [strange('It was issued before the tax point.')] : []),
  ]
}

function paymentProblems({ net, vat, gross, taxPoint }: Invoice, payment: Payment | null): Problem[] {
  if (payment === null) return []
  const isEqual = payment.net === net && payment.vat === vat && payment.total === gross
  return [
    ...(isEqual ? [] : [wrong('Stripe’s amounts are different.')]),
    ...(payment.status === 'paid' ? [] : [strange(`Its payment is ${payment.status} in Stripe.`)]),
    ...(payment.paidOn === taxPoint ? [] : [wrong(`The tax point isn’t the day of the payment, ${payment.paidOn}.`)]),
  ]
}
