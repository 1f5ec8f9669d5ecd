import { type LinkProps, useRouter } from '@tanstack/react-router'
import type { NavigationEntry, NavigationLink } from '#shared/contract/site-content.ts'

/** A path that a link may name. */
export type SiteRoute = NonNullable<Exclude<LinkProps['to'], '.' | '..'>>

export type ShownLink = { label: string; to: SiteRoute }
export type ShownEntry = ShownLink | { label: string; items: ShownLink[] }

/** Keeps the entries whose page exists: content may name pages that are not built yet. */
export function useExistingRoutes() {
  const { routesByPath } = useRouter()
  const exists = (path: string): path is SiteRoute => Object.hasOwn(routesByPath, path)
  const keepLinks = (links: readonly NavigationLink[]): ShownLink[] =>
    links.flatMap(({ label, path }) => (exists(path) ? [{ label, to: path }] : []))
  const keepEntries = (entries: readonly NavigationEntry[]): ShownEntry[] =>
    entries.flatMap((entry): ShownEntry[] => {
      if (!('items' in entry)) return keepLinks([entry])
      const items = keepLinks(entry.items)
      return items.length > 0 ? [{ label: entry.label, items }] : []
    })
  return { exists, keepLinks, keepEntries }
}
