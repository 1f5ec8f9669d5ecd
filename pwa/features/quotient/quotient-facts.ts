import { productFacts } from '#pwa/lib/product-facts.ts'
import { quotientPackages, quotientPrices } from '#shared/contract/quotient-setups.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'

/** Both packages with their prices, for search engines. */
export const quotientFacts = ({ description, image = '', packages }: QuotientText, site: SiteContent) =>
  quotientPackages.map((key) => {
    const name = `Quotient ${packages.offers[key].name}`
    const address = `/quotient/checkout?package=${key}`
    return productFacts({ name, description, image, address, net: quotientPrices[key] }, site)
  })
