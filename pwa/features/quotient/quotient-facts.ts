import { productFacts } from '#pwa/lib/product-facts.ts'
import { quotientSetups } from '#shared/contract/quotient-setups.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'

/** Both packages with their prices, for search engines. */
export const quotientFacts = ({ description, image = '' }: QuotientText, site: SiteContent) =>
  Object.values(quotientSetups).map(({ key, name, net }) =>
    productFacts(
      { name: `Quotient ${name}`, description, image, address: `/quotient/checkout?package=${key}`, net },
      site,
    ),
  )
