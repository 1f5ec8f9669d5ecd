/**
 * Pages this tab showed before a service worker could cache them. The visitor may leave them while it installs. It's part of every
 * document too, so it has no syntax from after 2018.
 */
const key = 'uncached-pages'

/** Notes what `next` makes of the paths noted before, and returns those. Blocked storage notes nothing. */
function noted(next: (paths: string[]) => string[]): string[] {
  try {
    const paths = (sessionStorage.getItem(key) || '').split(' ').filter(Boolean)
    sessionStorage.setItem(key, next(paths).join(' '))
    return paths
  } catch (_) {
    return []
  }
}

/** Uses the tab's history too: a browser may lose what a page stored just before it was left. */
function historyPaths(): string[] {
  const pages = window.navigation ? window.navigation.entries() : []
  return pages.flatMap(({ url }) => (url ? [new URL(url).pathname] : []))
}

/**
 * Reports to the worker once it's active, which may be long after this page opened: `path`, if there's one, and what's noted. It
 * needn't control the page: one that was requested before the worker came, and answered after, isn't claimed.
 */
export async function reportUncachedPages(container: ServiceWorkerContainer, path?: string): Promise<void> {
  if (path) noted((paths) => [...paths, path])
  const { active } = await container.ready
  const uncached = noted(() => [])
  if (!active || uncached.length === 0) return
  for (const one of new Set([...historyPaths(), ...uncached])) active.postMessage({ type: 'page-seen', path: one })
}
