import { type QuotientSetup, quotientSetups } from '#shared/contract/quotient-setups.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'

/** Both packages with their prices, for search engines. */
export const quotientFacts = ({ description, image = '' }: QuotientText, { brand, url }: SiteContent): object[] =>
  // Nobody reads them in a browser, so no browser loads what makes them.
  import.meta.env.SSR
    ? Object.values(quotientSetups).map((setup) => ({
        '@type': 'Product',
        name: `Quotient ${setup.name}`,
        description,
        image: `${url}${image}`,
        brand: { '@type': 'Brand', name: brand.name },
        offers: offerOf(setup, `${url}/quotient/checkout?package=${setup.key}`),
      }))
    : []

const offerOf = ({ net }: QuotientSetup, address: string) => {
  const price = (net / 100).toFixed(2)
  return {
    '@type': 'Offer',
    url: address,
    price,
    priceCurrency: 'GBP',
    availability: 'https://schema.org/InStock',
    priceSpecification: { '@type': 'PriceSpecification', price, priceCurrency: 'GBP', valueAddedTaxIncluded: false },
  }
}
