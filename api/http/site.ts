import type { Context } from '../context.ts'
import type { ContentStore } from '../features/content/store.ts'
import { listTiers } from '../features/tiers/service.ts'
import { databaseVersion } from './kept.ts'
import { createPages, type Pages, type Site } from './pages.ts'

/** The site's pages, rendered from content, tiers and posts; where nothing has been built, a line that says so. */
export function sitePages(ctx: Context, site: Site | undefined, content: () => ContentStore): Pages {
  if (site === undefined) return () => new Response('The site has not been built. Run: npm start', { status: 503 })
  return createPages(site, {
    publicUrl: ctx.settings.publicUrl,
    version: () => `${databaseVersion(ctx)}.${content().version()}`,
    read: () => {
      const { site, pages } = content().read()
      return { content: site, texts: pages, tiers: listTiers(ctx).tiers, posts: [], postBySlug: () => null }
    },
  })
}
