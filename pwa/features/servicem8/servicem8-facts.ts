import type { SiteContent } from '#shared/contract/site-content.ts'
import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'

export const servicem8Facts = ({ description, setup }: Servicem8Text, { url, brand }: SiteContent) => [
  {
    '@type': 'Product',
    name: setup.name,
    description,
    image: `${url}/social/servicem8.png`,
    brand: { '@type': 'Brand', name: brand.name },
    offers: {
      '@type': 'Offer',
      url: `${url}/servicem8`,
      price: setup.price.toFixed(2),
      priceCurrency: 'GBP',
      priceSpecification: {
        '@type': 'PriceSpecification',
        price: setup.price.toFixed(2),
        priceCurrency: 'GBP',
        valueAddedTaxIncluded: false,
      },
    },
  },
]
