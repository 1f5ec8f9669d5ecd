import { productFacts } from '#pwa/lib/product-facts.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'

const image = '/social/servicem8.png'

export const servicem8Facts = ({ description, setup: { name, price } }: Servicem8Text, site: SiteContent) => [
  productFacts({ name, description, image, address: '/servicem8', net: price * 100 }, site),
]
