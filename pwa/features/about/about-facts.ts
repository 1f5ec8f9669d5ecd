import type { SiteContent } from '#shared/contract/site-content.ts'
import type { AboutText } from '#shared/contract/texts/about.ts'

export const aboutFacts = ({ title, description }: AboutText, { url, brand }: SiteContent) => [
  {
    '@type': 'AboutPage',
    name: title,
    description,
    url: `${url}/about`,
    mainEntity: { '@type': 'Organization', name: brand.name, url, foundingDate: String(brand.founded) },
  },
]
