import type { Context } from '#api/context.ts'
import { listTiers } from '#api/features/tiers/service.ts'
import { cacheVersion, readSparingly } from '#api/serving/kept-answers.ts'
import { ownOrigins } from '#api/settings.ts'
import type { PageData } from '#shared/contract/page.ts'
import type { AllContent } from '#shared/contract/site-content.ts'
import { addressOfLook } from '#shared/rules/picture-address.ts'
import { createHealthVersion, readHealth } from './features/operations/health/service.ts'
import { pathNow, slugNow, slugsBefore } from './features/site/blog/queries.ts'
import { findPost, listPosts } from './features/site/blog/service.ts'
import { podcastCover } from './features/site/brand/service.ts'
import { readPreview } from './features/site/content/preview-service.ts'
import { publicContent } from './features/site/content/public-service.ts'
import type { FeedSource } from './features/site/feeds/service.ts'
import { keptAssetsFolder } from './http/kept-assets.ts'
import { createReadyPages, type PageSource, type ReadyPages, type Site } from './http/page-cache.ts'
import { measuredPolicy } from './http/security-headers.ts'
import { contentOf } from './site/content.ts'
import { siteSettings } from './site/settings.ts'

/** What pages are rendered from: content, tiers, posts and, for visitors without scripts, the server's health. */
export function createPageSource(ctx: Context): PageSource {
  const healthVersion = createHealthVersion(ctx)
  return {
    publicUrl: ctx.settings.publicUrl,
    keptAssets: keptAssetsFolder(ctx.settings.dataDir),
    version: () => `${cacheVersion(ctx)}.${contentOf(ctx).version()}.${healthVersion()}`,
    movedTo: (path) => {
      const slug = slugOfPath(path)
      const now = slug === undefined ? null : slugNow(ctx, slug)
      return now === null ? null : pathOfSlug(now)
    },
    oldPath: (path) => pathNow(ctx, path),
    movedFrom: (path) => {
      const slug = slugOfPath(path)
      return slug === undefined ? [] : slugsBefore(ctx, slug).map(pathOfSlug)
    },
    read: () => pageData(ctx, contentOf(ctx).read()),
    publicPolicy: (policy) => measuredPolicy(policy, siteSettings(ctx)),
    preview: (token) => {
      const found = readPreview(ctx, token)
      if (found === null) return null
      const { site, pages } = found.content
      // A different look would make the service worker think the brand had changed.
      const { look } = contentOf(ctx).read().site
      return { data: pageData(ctx, { pages, site: { ...site, look } }), isFramed: found.isFramed }
    },
  }
}

const slugOfPath = (path: string) => /^\/blog\/([^/]+)$/.exec(path)?.[1]
const pathOfSlug = (slug: string) => `/blog/${encodeURIComponent(slug)}`

function pageData(ctx: Context, all: Pick<AllContent, 'site' | 'pages'>): PageData {
  const { site, pages } = publicContent(ctx, all)
  return {
    content: site,
    texts: pages,
    tiers: listTiers(ctx).tiers,
    posts: listPosts(ctx),
    postBySlug: (slug) => findPost(ctx, slug),
    health: readHealth(ctx),
  }
}

/** Pages sent without going through Elysia. */
export const openReadyPages = (ctx: Context): ReadyPages =>
  createReadyPages({
    hosts: new Set(ownOrigins(ctx.settings).map((origin) => new URL(origin).host)),
    version: readSparingly(ctx, createPageSource(ctx).version),
  })

/** What feeds and the sitemap are made from. Without a build, the home page is the only page. */
export function createFeedSource(ctx: Context, site: Site | undefined): FeedSource {
  return {
    version: () => contentOf(ctx).version(),
    channel: () => {
      const { title, description } = contentOf(ctx).read().pages.blog
      return { title: `${title} | ${contentOf(ctx).read().site.brand.name}`, description }
    },
    podcast: () => {
      const { site, pages } = contentOf(ctx).read()
      const { show, description } = pages.podcast
      const { name, email } = site.brand
      const cover = addressOfLook(`/social/${podcastCover}.png`, site.look)
      return { title: show.name, description, author: name, email, cover }
    },
    publicPaths: async () => {
      if (site === undefined) return ['/']
      const { createPageRenderer } = await site.loadEntry()
      const { routes } = createPageRenderer(createPageSource(ctx).read())
      return routes.flatMap(({ path, isPublic }) => (isPublic && !path.includes('$') ? [path] : []))
    },
  }
}
