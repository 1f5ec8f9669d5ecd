import type { Context } from '#api/context.ts'
import { findPost, listPosts } from '#api/features/blog/service.ts'
import type { ContentStore } from '#api/features/content/service.ts'
import type { FeedSource } from '#api/features/feeds/service.ts'
import { listTiers } from '#api/features/tiers/service.ts'
import { outsideVersion, ownVersion } from './kept.ts'
import { onceATurn } from './once-a-turn.ts'
import { createPages, type PageSource, type Pages, type Site } from './pages.ts'

/** The site's pages, rendered from content, tiers and posts; where nothing has been built, a line that says so. */
export function sitePages(ctx: Context, site: Site | undefined, content: () => ContentStore): Pages {
  if (site === undefined) return () => new Response('The site has not been built. Run: npm start', { status: 503 })
  return createPages(site, pageSource(ctx, content))
}

export function pageSource(ctx: Context, content: () => ContentStore): PageSource {
  const outside = onceATurn(() => outsideVersion(ctx))
  return {
    publicUrl: ctx.settings.publicUrl,
    version: () => `${outside()}.${ownVersion(ctx)}.${content().version()}`,
    read: () => {
      const { site, pages } = content().read()
      return {
        content: site,
        texts: pages,
        tiers: listTiers(ctx).tiers,
        posts: listPosts(ctx),
        postBySlug: (slug) => findPost(ctx, slug),
      }
    },
  }
}

/** What feeds say of the site; where nothing has been built, its first page is the only one there is. */
export function feedSource(ctx: Context, site: Site | undefined, content: () => ContentStore): FeedSource {
  return {
    version: () => content().version(),
    channel: () => {
      const { title, description } = content().read().pages.blog
      return { title: `${title} | ${content().read().site.brand.name}`, description }
    },
    publicPaths: async () => {
      if (site === undefined) return ['/']
      const { createPageRenderer } = await site.loadEntry()
      const { routes } = createPageRenderer(pageSource(ctx, content).read())
      return routes.flatMap(({ path, isPublic }) => (isPublic && !path.includes('$') ? [path] : []))
    },
  }
}
