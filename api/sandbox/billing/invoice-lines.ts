import type {
  Invoice,
  InvoiceItem,
  InvoiceLine,
  Subscription,
  SubscriptionItem,
  TaxRate,
} from '#api/sandbox/store/billing-objects.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { exclusivePart, inclusivePart, lineTax, sumTaxes } from './tax.ts'

type Period = { start: number; end: number }

/** `pence` is in the smallest unit of the currency. */
export function formatMoney(pence: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() }).format(pence / 100)
}

function buildLine(
  invoice: Invoice,
  fields: Pick<InvoiceLine, 'amount' | 'description' | 'period' | 'quantity'>,
): InvoiceLine {
  return {
    id: newId('il'),
    object: 'line_item',
    currency: invoice.currency,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: invoice.id,
    livemode: false,
    metadata: {},
    parent: null,
    pretax_credit_amounts: [],
    pricing: null,
    quantity_decimal: String(fields.quantity),
    subscription: null,
    subtotal: fields.amount,
    taxes: [],
    ...fields,
  }
}

export type LineDiscounts = (amount: number) => InvoiceLine['discount_amounts']

function withDiscounts(target: InvoiceLine, discount_amounts: InvoiceLine['discount_amounts']): InvoiceLine {
  return { ...target, discount_amounts, pretax_credit_amounts: pretaxCredits(discount_amounts) }
}

function pretaxCredits(amounts: InvoiceLine['discount_amounts']): { amount: number; discount: string; type: string }[] {
  return amounts.map((each) => ({ ...each, type: 'discount' }))
}

export function sumOf(amounts: { amount: number }[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0)
}

const freeReasons: Record<string, string> = { exempt: 'customer_exempt', reverse: 'reverse_charge' }

/** A customer whose tax status is exempt or reverse is charged no tax, though the rates are still named. */
function withTaxes(invoice: Invoice, target: InvoiceLine, rates: TaxRate[]): InvoiceLine {
  const net = target.amount - sumOf(target.discount_amounts)
  const reason = freeReasons[invoice.customer_tax_exempt ?? 'none'] ?? null
  const free = reason === null ? {} : { amount: 0, taxability_reason: reason }
  return { ...target, taxes: rates.map((rate) => ({ ...lineTax(net, rate), ...free })) }
}

function ratesOf(own: TaxRate[] | null, fallback: TaxRate[]): TaxRate[] {
  return own !== null && own.length > 0 ? own : fallback
}

/** The line for one period of a subscription. `name` is the product's; a trial is `free`. */
export function periodLine(
  invoice: Invoice,
  subscription: Subscription,
  item: SubscriptionItem,
  { name, period, free, discounts }: { name: string; period: Period; free: boolean; discounts: LineDiscounts },
): InvoiceLine {
  const { price } = item
  const each = `${formatMoney(price.unit_amount, price.currency)} / ${price.recurring?.interval ?? 'once'}`
  const base = buildLine(invoice, {
    amount: free ? 0 : price.unit_amount * item.quantity,
    description: free ? `Trial period for ${name}` : `${item.quantity} × ${name} (at ${each})`,
    period,
    quantity: item.quantity,
  })
  const parent = {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration: false,
      proration_details: { credited_items: null },
      subscription: subscription.id,
      subscription_item: item.id,
    },
  }
  const pricing = {
    type: 'price_details' as const,
    unit_amount_decimal: free ? '0' : price.unit_amount_decimal,
    price_details: { price: price.id, product: price.product },
  }
  const whole = { ...base, parent, pricing, subscription: subscription.id, metadata: subscription.metadata }
  return withTaxes(
    invoice,
    withDiscounts(whole, discounts(base.amount)),
    ratesOf(item.tax_rates, subscription.default_tax_rates),
  )
}

/** A credit for the unused part of a period, or a charge for the rest. Its amount is net of discounts. */
export function prorationLine(
  invoice: Invoice,
  subscription: Subscription,
  item: SubscriptionItem,
  fields: Pick<InvoiceLine, 'amount' | 'description' | 'period'> & { credits: CreditedItems },
): InvoiceLine {
  const { credits, ...shown } = fields
  const base = buildLine(invoice, { ...shown, quantity: item.quantity })
  const parent = {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration: true,
      proration_details: { credited_items: credits },
      subscription: subscription.id,
      subscription_item: item.id,
    },
  }
  const pricing = {
    type: 'price_details' as const,
    unit_amount_decimal: String(base.amount / Math.max(1, item.quantity)),
    price_details: { price: item.price.id, product: item.price.product },
  }
  const { id, metadata } = subscription
  const whole = { ...base, discountable: false, parent, pricing, subscription: id, metadata }
  return withTaxes(invoice, whole, ratesOf(item.tax_rates, subscription.default_tax_rates))
}

export type CreditedItems = { invoice: string; invoice_line_items: string[] } | null

export function itemLine(invoice: Invoice, item: InvoiceItem): InvoiceLine {
  const base = buildLine(invoice, {
    amount: item.amount,
    description: item.description,
    period: item.period,
    quantity: item.quantity,
  })
  const parent = {
    type: 'invoice_item_details',
    invoice_item_details: {
      invoice_item: item.id,
      proration: item.proration,
      proration_details: { credited_items: null },
      subscription: item.parent?.subscription_details?.subscription ?? null,
    },
    subscription_item_details: null,
  }
  const whole = { ...base, parent, pricing: item.pricing, metadata: item.metadata ?? {} }
  return withTaxes(invoice, whole, ratesOf(item.tax_rates, invoice.default_tax_rates))
}

function sumPerDiscount(lines: InvoiceLine[]): InvoiceLine['discount_amounts'] {
  const all = lines.flatMap((entry) => entry.discount_amounts)
  return [...new Set(all.map(({ discount }) => discount))].map((discount) => ({
    amount: sumOf(all.filter((each) => each.discount === discount)),
    discount,
  }))
}

/** Replaces the default tax rates, including those of these items' lines. */
export function withDefaultRates(invoice: Invoice, rates: TaxRate[], items: InvoiceItem[]): Invoice {
  const ids = items.map(({ id }) => id)
  const lines = invoice.lines.data.map((entry) =>
    ids.includes(entry.parent?.invoice_item_details?.invoice_item ?? '') ? withTaxes(invoice, entry, rates) : entry,
  )
  return withLines({ ...invoice, default_tax_rates: rates }, lines)
}

export function withLines(invoice: Invoice, lines: InvoiceLine[]): Invoice {
  const taxes = lines.flatMap((entry) => entry.taxes)
  const off = sumPerDiscount(lines)
  const subtotal = sumOf(lines)
  const total = subtotal - sumOf(off) + exclusivePart(taxes)
  const due = Math.max(total, 0)
  return {
    ...invoice,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${invoice.id}/lines` },
    amount_due: due,
    amount_remaining: due,
    subtotal,
    subtotal_excluding_tax: subtotal - inclusivePart(taxes),
    total,
    total_discount_amounts: off,
    total_excluding_tax: total - sumOf(taxes),
    total_pretax_credit_amounts: pretaxCredits(off),
    total_taxes: sumTaxes(taxes),
  }
}

/** Adds the customer's pending items in the invoice's currency to the invoice, and returns their lines. */
export function takePendingItems(ctx: Context, invoice: Invoice): InvoiceLine[] {
  return allObjects(ctx, 'invoiceitem', { customer: invoice.customer, currency: invoice.currency, invoice: null })
    .reverse()
    .map((item) => itemLine(invoice, saveObject(ctx.store, { ...item, invoice: invoice.id })))
}
