import { invalid } from '#api/sandbox/errors.ts'
import type { CreditNoteLine, Invoice, InvoiceLine, TaxRate } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { sumOf } from './invoice-lines.ts'
import { taxRatesOf } from './subscription-draft.ts'
import { lineTax } from './tax.ts'

export type CreditLineParams = {
  invoice_line_item: string
  amount?: number | undefined
  quantity?: number | undefined
}

type LineFields = Pick<CreditNoteLine, 'amount' | 'description' | 'tax_rates' | 'type'> & Partial<CreditNoteLine>

function creditLine(fields: LineFields, off: InvoiceLine['discount_amounts'] = []): CreditNoteLine {
  return {
    id: newId('cnli'),
    object: 'credit_note_line_item',
    livemode: false,
    metadata: {},
    quantity: null,
    unit_amount: null,
    unit_amount_decimal: null,
    discount_amount: sumOf(off),
    discount_amounts: off,
    pretax_credit_amounts: off.map((each) => ({ ...each, type: 'discount' })),
    taxes: fields.tax_rates.map((rate) => lineTax(fields.amount - sumOf(off), rate)),
    ...fields,
  }
}

function ratesOf(ctx: Context, line: InvoiceLine): TaxRate[] {
  return line.taxes.flatMap((tax) =>
    tax.tax_rate_details === null ? [] : getObject(ctx, 'tax_rate', tax.tax_rate_details.tax_rate),
  )
}

function amountOf(line: InvoiceLine, params: CreditLineParams): number {
  const unit = line.quantity === 0 ? 0 : line.amount / line.quantity
  const amount = params.amount ?? (params.quantity === undefined ? line.amount : Math.round(unit * params.quantity))
  if (amount <= line.amount) return amount
  throw invalid(`The credited amount of a line may not exceed the line's amount (${line.amount}).`, {
    param: 'lines[0][amount]',
  })
}

/** Credits a line of the invoice, with the line's share of the discounts and its taxes. */
export function lineOfInvoice(ctx: Context, invoice: Invoice, params: CreditLineParams): CreditNoteLine {
  const line = invoice.lines.data.find(({ id }) => id === params.invoice_line_item)
  if (line === undefined) {
    throw invalid(`No such invoice line item: '${params.invoice_line_item}'`, {
      code: 'resource_missing',
      param: 'lines[0][invoice_line_item]',
    })
  }
  const amount = amountOf(line, params)
  const off = line.discount_amounts.map((each) => ({
    ...each,
    amount: line.amount === 0 ? 0 : Math.round((each.amount * amount) / line.amount),
  }))
  const fields = {
    amount,
    description: line.description,
    invoice_line_item: line.id,
    quantity: params.quantity ?? null,
    tax_rates: ratesOf(ctx, line),
    type: 'invoice_line_item',
  }
  return creditLine(fields, off)
}

export type CustomLineParams = {
  description: string
  quantity: number
  unit_amount: number
  tax_rates?: string[] | null | undefined
}

export function customLine(ctx: Context, params: CustomLineParams): CreditNoteLine {
  const line = creditLine({
    amount: params.unit_amount * params.quantity,
    description: params.description,
    quantity: params.quantity,
    tax_rates: taxRatesOf(ctx, params.tax_rates, 'lines[0][tax_rates]'),
    type: 'custom_line_item',
  })
  return { ...line, unit_amount: params.unit_amount, unit_amount_decimal: String(params.unit_amount) }
}

/** Credits `total` pence of the whole invoice, split into net and taxes in the invoice's proportion. */
export function lineOfTotal(invoice: Invoice, total: number): CreditNoteLine {
  const taxes = invoice.total_taxes.map((tax) => ({
    ...tax,
    tax_behavior: 'exclusive',
    amount: Math.round((tax.amount * total) / invoice.total),
    taxable_amount: Math.round(((tax.taxable_amount ?? 0) * total) / invoice.total),
  }))
  const net = total - taxes.reduce((sum, tax) => sum + tax.amount, 0)
  const line = creditLine({ amount: net, description: 'Credit', tax_rates: [], type: 'custom_line_item' })
  return { ...line, quantity: 1, unit_amount: net, unit_amount_decimal: String(net), taxes }
}
