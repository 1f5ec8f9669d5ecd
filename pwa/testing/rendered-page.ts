import { createPageRenderer } from '#pwa/entry-server.tsx'
import type { OutsideLinks, SiteContent } from '#shared/contract/site-content.ts'
import { pageData, pageTexts, siteContent } from './public-data.ts'

const entities: Record<string, string> = { '&#x27;': "'", '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>' }

const unescapeHtml = (text: string) => text.replace(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)

export const textOf = (html: string) => unescapeHtml(html.replace(/<[^>]*>/g, ''))

const anchorsIn = (html: string) =>
  [...html.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)].map(([, attributes = '', inner = '']) => ({
    href: unescapeHtml(/href="([^"]*)"/.exec(attributes)?.[1] ?? ''),
    text: textOf(inner),
  }))

type Changes = { links?: Partial<OutsideLinks>; site?: Partial<SiteContent>; texts?: Partial<typeof pageTexts> }

/** A public page as the server sends it. By default no third-party address is configured. */
export async function renderPage(path: string, { links, site, texts }: Changes = {}) {
  const content = { ...siteContent, ...site, links: { ...siteContent.links, ...links } }
  const renderer = createPageRenderer({ ...pageData, content, texts: { ...pageTexts, ...texts } })
  const { html, head } = await renderer.render(renderer.find(path), path)
  return {
    html,
    text: textOf(html),
    anchors: anchorsIn(html),
    structuredData: head.jsonLd.map((item) => JSON.parse(item)),
  }
}
