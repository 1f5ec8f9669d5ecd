import { type LinkProps, useRouter } from '@tanstack/react-router'
import type { NavigationEntry, NavigationLink } from '#shared/contract/site-content.ts'

/** A path that a link may name. */
export type SiteRoute = NonNullable<Exclude<LinkProps['to'], '.' | '..'>>

export type SiteLink = { label: string; to: SiteRoute }
export type SiteEntry = SiteLink | { label: string; items: SiteLink[] }

/** Leaves out the links whose page does not exist: the content may name pages that are not built yet. */
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
