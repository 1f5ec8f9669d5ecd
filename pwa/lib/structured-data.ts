import type { QueryClient } from '@tanstack/react-query'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import type { MembershipTier, PricePeriod } from '#shared/contract/tier.ts'
import { absoluteUrl } from '#shared/rules/absolute-url.ts'
import type { Pence } from '#shared/rules/money.ts'
import { addressOfLook } from '#shared/rules/picture-address.ts'
import { quotientPrices } from '#shared/rules/quotient-setups.ts'
import { quotientPackages } from '#shared/values/column-values.ts'
import { tiersQuery } from './tiers-query.ts'

/** What a page tells search engines, in schema.org terms without `@context`; `queryClient` has what its loader got. */
type StructuredData = {
  [Name in PageName]?: (text: PageTexts[Name], site: SiteContent, queryClient: QueryClient) => object[]
}

/** Only the server makes it. It has no ratings: search engines only accept those from other sites. */
export const structuredData: StructuredData = {
  home: (_, { brand, look, url, links, claims }) => {
    const networks = [links.facebook, links.instagram].filter(Boolean)
    return [
      {
        ...organisation({ brand, url }),
        logo: `${url}${addressOfLook('/icons/icon-512.png', look)}`,
        ...foundingOf(claims),
        ...(networks.length > 0 ? { sameAs: networks } : {}),
      },
    ]
  },

  about: ({ title, description }, { brand, url, claims, coaches }) => [
    {
      '@type': 'AboutPage',
      name: title,
      description,
      url: `${url}/about`,
      mainEntity: { ...organisation({ brand, url }), ...foundingOf(claims), ...employeesOf(coaches, url) },
    },
  ],

  podcast: ({ title, description }, { url, brand, links }) => [
    {
      '@type': 'PodcastSeries',
      name: `${brand.name}: ${title}`,
      description,
      url: `${url}/podcast`,
      inLanguage: 'en-GB',
      sameAs: [links.podcastMusic, links.podcastDirectory].filter((address) => address !== ''),
    },
  ],

  /** The questions with their answers, and each tier with the price the server charges. */
  'membership-tiers': ({ faq }, site, queryClient) => [
    {
      '@type': 'FAQPage',
      mainEntity: faq.map(({ topic, answer }) => ({
        '@type': 'Question',
        name: topic,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    },
    ...(queryClient.getQueryData<MembershipTier[]>(tiersQuery.queryKey) ?? []).flatMap(
      ({ name, description, prices: [first] }) =>
        first ? [product({ name, description, ...tiersPage, net: first.net, every: first.every }, site)] : [],
    ),
  ],

  servicem8: ({ description, setup: { name, price } }, site) => [
    product({ name, description, image: '/social/servicem8.png', address: '/servicem8', net: price * 100 }, site),
  ],

  quotient: ({ description, image = '', packages }, site) =>
    quotientPackages.map((key) => {
      const name = `Quotient ${packages.offers[key].name}`
      const address = `/quotient/checkout?package=${key}`
      return product({ name, description, image, address, net: quotientPrices[key] }, site)
    }),

  'website-builds': ({ title, packages }, { url, brand }) =>
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
    })),
}

const foundingOf = ({ founded }: SiteContent['claims']) => (founded.isOn ? { foundingDate: founded.figure } : {})

/** The coaches the page introduces. */
function employeesOf(coaches: SiteContent['coaches'], url: string) {
  const employee = coaches.flatMap(({ name, trade, town, photograph }) =>
    trade || town
      ? [
          {
            '@type': 'Person',
            name,
            ...(trade && { hasOccupation: { '@type': 'Occupation', name: trade } }),
            ...(town && { workLocation: { '@type': 'Place', name: town } }),
            ...(photograph && { image: absoluteUrl(photograph.image, url) }),
          },
        ]
      : [],
  )
  return employee.length > 0 ? { employee } : {}
}

const tiersPage = { image: '/social/tiers.png', address: '/membership-tiers' }

export const organisation = ({ brand, url }: Pick<SiteContent, 'brand' | 'url'>) => ({
  '@type': 'Organization',
  name: brand.name,
  url,
})

type Product = {
  name: string
  description: string
  image: string
  address: string
  net: Pence
  /** Without it, it’s paid once. */
  every?: PricePeriod
}

const perPeriod = (every: PricePeriod) => ({
  '@type': 'UnitPriceSpecification',
  billingDuration: every === 'month' ? 'P1M' : 'P1Y',
  referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: every === 'month' ? 'MON' : 'ANN' },
})

/** Something with a price. The price excludes VAT, and says so. */
function product({ name, description, image, address, net, every }: Product, { url, brand }: SiteContent) {
  const price = { price: (net / 100).toFixed(2), priceCurrency: 'GBP' }
  const once = { '@type': 'PriceSpecification' }
  return {
    '@type': 'Product',
    name,
    description,
    image: url + image,
    brand: { '@type': 'Brand', name: brand.name },
    offers: {
      '@type': 'Offer',
      url: url + address,
      ...price,
      availability: 'https://schema.org/InStock',
      priceSpecification: { ...(every ? perPeriod(every) : once), ...price, valueAddedTaxIncluded: false },
    },
  }
}
