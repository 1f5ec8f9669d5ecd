import type { InvoiceLine, TaxRate } from '#api/sandbox/store/billing-objects.ts'

type LineTax = InvoiceLine['taxes'][number]

/** A share of the amount, rounded half up, and for credits half away from zero. */
export function share(amount: number, numerator: number, denominator: number): number {
  const exact = Math.abs(amount) * numerator
  const rounded = Math.floor((exact * 2 + denominator) / (denominator * 2))
  return amount < 0 ? -rounded : rounded
}

/** The tax of one line, rounded on that line. `amount` is in pence. */
export function lineTax(amount: number, rate: TaxRate): LineTax {
  const parts = Math.round(rate.percentage * 10_000)
  const tax = rate.inclusive ? share(amount, parts, 1_000_000 + parts) : share(amount, parts, 1_000_000)
  return {
    amount: tax,
    tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: rate.percentage === 0 ? 'zero_rated' : 'standard_rated',
    taxable_amount: rate.inclusive ? amount - tax : amount,
    type: 'tax_rate_details',
  }
}

export function sumTaxes(taxes: LineTax[]): LineTax[] {
  const sums = new Map<string, LineTax>()
  for (const tax of taxes) {
    const key = tax.tax_rate_details?.tax_rate ?? ''
    const sum = sums.get(key)
    sums.set(
      key,
      sum === undefined
        ? { ...tax }
        : {
            ...sum,
            amount: sum.amount + tax.amount,
            taxable_amount: (sum.taxable_amount ?? 0) + (tax.taxable_amount ?? 0),
          },
    )
  }
  return [...sums.values()]
}

export function exclusivePart(taxes: LineTax[]): number {
  return taxes.filter((tax) => tax.tax_behavior === 'exclusive').reduce((sum, tax) => sum + tax.amount, 0)
}

export function inclusivePart(taxes: LineTax[]): number {
  return taxes.filter((tax) => tax.tax_behavior === 'inclusive').reduce((sum, tax) => sum + tax.amount, 0)
}
