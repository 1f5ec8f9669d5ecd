import type { BlogPost, BlogPostSummary } from './blog.ts'
import type { Health } from './health.ts'
import type { PageTexts } from './page-texts.ts'
import type { SiteContent } from './site-content.ts'
import type { MembershipTier } from './tier.ts'

/** All data a public page can show, read before rendering. `posts` are the published ones. */
export type PageData = {
  content: SiteContent
  texts: PageTexts
  tiers: MembershipTier[]
  posts: BlogPostSummary[]
  postBySlug: (slug: string) => BlogPost | null
  /** Only for visitors without scripts, since the others request it themselves; null during the build. */
  health: Health | null
}

/** The data embedded in a page, so the browser needn't request it again. */
export type PageState = { content: SiteContent; responses: { key: readonly unknown[]; data: unknown }[] }

export type PageHead = {
  title: string
  description: string
  /** The path of the picture for social networks. */
  image: string
  /** What it shows; absent if nobody has said. */
  imageAlt?: string
  type: 'website' | 'article'
  /** schema.org as JSON, for search engines. */
  jsonLd: string[]
}

/** `page`: fully rendered. `shell`: header and footer for a route the browser renders. `missing`: no such page. */
export type PageKind = 'page' | 'shell' | 'missing'

export type RenderedPage = {
  kind: PageKind
  head: PageHead
  html: string
  state: PageState
  routeIds: string[]
}

/** The page for a path. Paths with the same `key` get the same bytes. */
export type PageKey = { kind: PageKind; key: string }

export type PageRenderer = {
  find: (path: string) => PageKey
  render: (page: PageKey, path: string) => Promise<RenderedPage>
  routes: { path: string; isPublic: boolean }[]
}

export type EntryServer = { createPageRenderer: (data: PageData) => PageRenderer }

/** The file the build writes next to `entry-server.js`, for the server. */
export type PageTemplate = {
  document: string
  /** Goes into the shell's head, and requests the app's files. */
  ahead: string
  /** Goes into the shell, before the script that starts the app. */
  stopped: string
  /** Sources for the Content-Security-Policy, such as 'sha256-…': one for each inline script and style of the document. */
  hashes: { script: string[]; style: string[] }
  /** The script that starts the app, and the chunks it imports, in the order they run. */
  entry: string
  entryChunks: string[]
  /** Route id → addresses of the other chunks it needs. */
  routeChunks: Record<string, string[]>
  /** Route id → addresses of the styles it needs on top of the inline ones. */
  routeStyles: Record<string, string[]>
  /** The files of a route that only the browser renders, by path; `*` is any last part. */
  shellRoutes: Record<string, string[]>
  /** This build's id: the ETag of its files, and how the service worker knows which pages are its own. */
  build: string
}
