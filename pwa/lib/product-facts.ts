import type { SiteContent } from '#shared/contract/site-content.ts'
import type { Pence } from '#shared/rules/money.ts'

type Product = {
  name: string
  description: string
  /** A path of this site, as `address` is. */
  image: string
  address: string
  net: Pence
  /** Paid each month, not once. */
  isMonthly?: boolean
}

const perMonth = {
  '@type': 'UnitPriceSpecification',
  billingDuration: 'P1M',
  referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: 'MON' },
}

/** Something with a price, in schema.org's words. The price is without VAT, and says so. */
export const productFacts = (product: Product, { url, brand }: SiteContent) => {
  const price = { price: (product.net / 100).toFixed(2), priceCurrency: 'GBP' }
  const once = { '@type': 'PriceSpecification' }
  return {
    '@type': 'Product',
    name: product.name,
    description: product.description,
    image: url + product.image,
    brand: { '@type': 'Brand', name: brand.name },
    offers: {
      '@type': 'Offer',
      url: url + product.address,
      ...price,
      availability: 'https://schema.org/InStock',
      priceSpecification: { ...(product.isMonthly ? perMonth : once), ...price, valueAddedTaxIncluded: false },
    },
  }
}
