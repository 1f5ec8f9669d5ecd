import type { SiteContent } from '#shared/contract/site-content.ts'
import type { HomeText } from '#shared/contract/texts/home.ts'

/** Who runs the site. No ratings: search engines take those from other people's sites alone. */
export const homeFacts = (_: HomeText, { brand, url, links }: SiteContent) => {
  const networks = [links.facebook, links.instagram].filter(Boolean)
  return [
    {
      '@type': 'Organization',
      name: brand.name,
      url,
      logo: `${url}/icons/icon-512.png`,
      foundingDate: String(brand.founded),
      ...(networks.length > 0 ? { sameAs: networks } : {}),
    },
  ]
}
