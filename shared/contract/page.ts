import type { BlogPost, BlogPostSummary } from './blog.ts'
import type { Health } from './health.ts'
import type { PageTexts } from './page-texts.ts'
import type { SiteContent } from './site-content.ts'
import type { MembershipTier } from './tier.ts'

/** All data that a public page can show; the server reads it before it renders one. `posts` are the published ones. */
export type PageData = {
  content: SiteContent
  texts: PageTexts
  tiers: MembershipTier[]
  posts: BlogPostSummary[]
  postBySlug: (slug: string) => BlogPost | null
  /** For visitors without scripts alone, since the others request it themselves; null while the site is built. */
  health: Health | null
}

/** The data that is embedded in a page, so that the browser does not request it again. */
export type PageState = { content: SiteContent; responses: { key: readonly unknown[]; data: unknown }[] }

export type PageHead = {
  title: string
  description: string
  /** Path of the picture for social networks. */
  image: string
  /** Open Graph's `og:type`. */
  type: 'website' | 'article'
  /** schema.org as JSON, for search engines. */
  jsonLd: string[]
}

/** `page`: rendered whole. `shell`: header and footer for a route that the browser renders. `missing`: no such page. */
export type PageKind = 'page' | 'shell' | 'missing'

export type RenderedPage = {
  kind: PageKind
  head: PageHead
  html: string
  state: PageState
  /** Ids of the routes on the page, whose chunks the browser will load. */
  routeIds: string[]
}

/** The page that a path leads to. Paths with the same `key` get the same bytes. */
export type PagePlace = { kind: PageKind; key: string }

/** Renders public pages from one snapshot of the data. */
export type PageRenderer = {
  find: (path: string) => PagePlace
  render: (place: PagePlace, path: string) => Promise<RenderedPage>
  /** Every path of the site, with $ before a parameter. */
  routes: { path: string; isPublic: boolean }[]
}

/** The exports of the built `entry-server.js`. */
export type EntryServer = { createPageRenderer: (data: PageData) => PageRenderer }

/** The file that the build writes beside `entry-server.js`, for the server. */
export type PageTemplate = {
  /** The document, with <!--head--> and <!--body--> to fill in. */
  document: string
  /** Sources for the Content-Security-Policy, such as 'sha256-…': one for each inline script and style of the document. */
  hashes: { script: string[]; style: string[] }
  /** The script that starts the app, and the chunks that it imports, in the order in which they run. */
  entry: string
  entryChunks: string[]
  /** Route id → addresses of the further chunks that it needs. */
  routeChunks: Record<string, string[]>
  /** Route id → addresses of the styles that it needs besides the inline ones. */
  routeStyles: Record<string, string[]>
  /** The id of this build: the ETag of its files, and what tells the service worker which pages are its own. */
  build: string
}
