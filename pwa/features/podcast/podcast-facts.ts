import type { SiteContent } from '#shared/contract/site-content.ts'
import type { PodcastText } from '#shared/contract/texts/podcast.ts'

export const podcastFacts = ({ title, description }: PodcastText, { url, brand, links }: SiteContent) => [
  {
    '@type': 'PodcastSeries',
    name: `${brand.name}: ${title}`,
    description,
    url: `${url}/podcast`,
    inLanguage: 'en-GB',
    sameAs: [links.podcastMusic, links.podcastDirectory].filter((address) => address !== ''),
  },
]
