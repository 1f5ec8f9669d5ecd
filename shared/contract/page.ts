import type { BlogPost, BlogPostSummary } from './blog.ts'
import type { PageTexts } from './page-texts.ts'
import type { SiteContent } from './site-content.ts'
import type { MembershipTier } from './tier.ts'

/** Everything that a public page can show; the server reads it before it renders one. `posts` are the published ones. */
export type PageData = {
  content: SiteContent
  texts: PageTexts
  tiers: MembershipTier[]
  posts: BlogPostSummary[]
  postBySlug: (slug: string) => BlogPost | null
}

/** What the browser starts with, so that it does not request again what is on the page. */
export type PageState = { content: SiteContent; responses: { key: readonly unknown[]; data: unknown }[] }

export type PageHead = {
  title: string
  description: string
  /** Path of the picture for social networks. */
  image: string
  /** As Open Graph names it. */
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

/** What a path leads to. Paths of the same `key` get the same bytes. */
export type PagePlace = { kind: PageKind; key: string }

/** Renders public pages from one reading of the data. */
export type PageRenderer = {
  find: (path: string) => PagePlace
  render: (place: PagePlace, path: string) => Promise<RenderedPage>
  /** Every path of the site, with $ before a parameter. */
  routes: { path: string; isPublic: boolean }[]
}

/** What the built `entry-server.js` exports. */
export type EntryServer = { createPageRenderer: (data: PageData) => PageRenderer }

/** What the build leaves for the server beside `entry-server.js`. */
export type PageTemplate = {
  /** The document, with <!--head--> and <!--body--> to fill in. */
  document: string
  /** Sources for the content policy, such as 'sha256-…': one for each inline script and style of the document. */
  hashes: { script: string[]; style: string[] }
  /** The script that starts the app, and what it needs at once, in the order in which they run. */
  entry: string
  entryChunks: string[]
  /** Route id → addresses of the chunks it needs besides those. */
  routeChunks: Record<string, string[]>
  /** Route id → addresses of the styles that its parts bring besides those in the document. */
  routeStyles: Record<string, string[]>
  /** Of this build: the ETag of its files, and what the service worker knows its own pages by. */
  build: string
}
