import type { SiteContent } from '#shared/contract/site-content.ts'
import type { WebsiteBuildsText } from '#shared/contract/texts/website-builds.ts'

export const websiteFacts = ({ title, packages }: WebsiteBuildsText, { url, brand }: SiteContent) =>
  packages.list.map(({ name, price, features }) => ({
    '@type': 'Product',
    name: `${title}: ${name}`,
    description: features.join(', '),
    image: `${url}/social/websites.png`,
    brand: { '@type': 'Brand', name: brand.name },
    offers: {
      '@type': 'Offer',
      url: `${url}/website-builds`,
      price: price.replace(/[^\d.]/g, ''),
      priceCurrency: 'GBP',
    },
  }))
