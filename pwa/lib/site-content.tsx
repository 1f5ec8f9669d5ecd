import { type LinkProps, useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext } from 'react'
import type { NavigationEntry, NavigationLink, SiteContent } from '#shared/contract/site-content.ts'
import { PictureSourceContext } from './picture-source.ts'

const ContentContext = createContext<SiteContent | null>(null)

export const SiteContentProvider = ({ content, children }: { content: SiteContent; children: ReactNode }) => (
  <ContentContext value={content}>
    <PictureSourceContext value={content}>{children}</PictureSourceContext>
  </ContentContext>
)

export function useSiteContent(): SiteContent {
  const content = useContext(ContentContext)
  if (!content) throw new Error('This component needs a SiteContentProvider above it')
  return content
}

export type SiteRoute = NonNullable<Exclude<LinkProps['to'], '.' | '..'>>

export type SiteLink = { label: string; to: SiteRoute }
export type SiteEntry = SiteLink | { label: string; items: SiteLink[] }

/** Leaves out links to pages that don't exist: the content may name pages that aren't built yet. */
export function useSiteLinks() {
  const { routesByPath } = useRouter()
  const exists = (path: string): path is SiteRoute => Object.hasOwn(routesByPath, path)
  const toSiteLinks = (links: readonly NavigationLink[]): SiteLink[] =>
    links.flatMap(({ label, path }) => (exists(path) ? [{ label, to: path }] : []))
  const toSiteEntries = (entries: readonly NavigationEntry[]): SiteEntry[] =>
    entries.flatMap((entry): SiteEntry[] => {
      if (!('items' in entry)) return toSiteLinks([entry])
      const items = toSiteLinks(entry.items)
      return items.length > 0 ? [{ label: entry.label, items }] : []
    })
  return { exists, toSiteLinks, toSiteEntries }
}
