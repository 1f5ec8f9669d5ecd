import type { PageHead } from '#shared/contract/page.ts'
import type { PageText } from '#shared/contract/texts/parts.ts'

type Tag = { title?: unknown; name?: string; property?: string; content?: unknown }
type Match = { meta?: (Tag | undefined)[]; headScripts?: ({ children?: unknown } | undefined)[] }

/** `image` is a path or an address; `jsonLd` is schema.org without its `@context`. */
type PageHeadParts = PageText & {
  siteName: string
  imageAlt?: string | null
  type?: PageHead['type']
  jsonLd?: object[]
}

/** The `head` of a public route: its title with the site's name, and its preview on other sites. */
export const pageHead = ({ title, description, siteName, image, imageAlt, type, jsonLd = [] }: PageHeadParts) => ({
  meta: [
    { title: `${title} | ${siteName}` },
    { name: 'description', content: description },
    ...(image ? [{ property: 'og:image', content: image }] : []),
    ...(imageAlt ? [{ property: 'og:image:alt', content: imageAlt }] : []),
    ...(type ? [{ property: 'og:type', content: type }] : []),
  ],
  scripts: jsonLd.map((item) => ({
    type: 'application/ld+json',
    children: JSON.stringify({ '@context': 'https://schema.org', ...item }),
  })),
})

const defaultImage = '/social/default.png'

export const notFoundTitle = (siteName: string) => `404 Page Not Found | ${siteName}`

export function headOf(matches: readonly Match[]): PageHead {
  const tags = matches.flatMap(({ meta = [] }) => meta).filter((tag) => tag !== undefined)
  const last = (matchesTag: (tag: Tag) => boolean) => tags.findLast(matchesTag)
  const image = last(({ property }) => property === 'og:image')?.content
  const imageAlt = last(({ property }) => property === 'og:image:alt')?.content
  return {
    title: String(last(({ title }) => title !== undefined)?.title ?? ''),
    description: String(last(({ name }) => name === 'description')?.content ?? ''),
    image: image === undefined ? defaultImage : String(image),
    ...(imageAlt === undefined ? {} : { imageAlt: String(imageAlt) }),
    type: last(({ property }) => property === 'og:type')?.content === 'article' ? 'article' : 'website',
    jsonLd: matches.flatMap(({ headScripts = [] }) => headScripts.map((script) => String(script?.children ?? ''))),
  }
}
