/** The service worker's caches of pages, one for each build. */
export const pageCachePrefix = 'pages-'

/** Header and footer, with room for what the browser renders. */
export const shellPath = '/app-shell'

/** The worker shows a page as it was last read, and renews it behind that. Owners who have just changed it want to see it changed. */
export async function forgetReadPages(): Promise<void> {
  if (!('caches' in window)) return
  for (const name of await caches.keys()) {
    if (!name.startsWith(pageCachePrefix)) continue
    const cache = await caches.open(name)
    const read = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== shellPath)
    await Promise.all(read.map((page) => cache.delete(page)))
  }
}
