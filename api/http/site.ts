import type { Context } from '../context.ts'
import { readSiteContent, siteContentVersion } from '../features/content/content.ts'
import { listTiers } from '../features/tiers/service.ts'
import { databaseVersion } from './kept.ts'
import { createPages, type Pages, type Site } from './pages.ts'

/** The site's pages, rendered from content and tiers; where nothing has been built, a line that says so. */
export function sitePages(ctx: Context, site: Site | undefined): Pages {
  if (site === undefined) return () => new Response('The site has not been built. Run: npm start', { status: 503 })
  const { links, isLive } = ctx.settings
  const facts = { links, isLive, hasRealReviews: false }
  return createPages(site, {
    publicUrl: ctx.settings.publicUrl,
    version: () => `${databaseVersion(ctx)}.${siteContentVersion()}`,
    read: () => ({ content: readSiteContent(facts), tiers: listTiers(ctx).tiers }),
  })
}
