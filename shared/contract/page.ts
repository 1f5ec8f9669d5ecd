import type { SiteContent } from './site-content.ts'
import type { MembershipTier } from './tier.ts'

/** Everything that a public page can show; read by the server before it renders one. */
export type PageData = { content: SiteContent; tiers: MembershipTier[] }

/** What the browser starts with, so that it need not ask again for what is on the page. */
export type PageState = { content: SiteContent; answers: { key: readonly string[]; data: unknown }[] }

export type PageHead = { title: string; description: string }

/** `page`: rendered whole. `shell`: header and footer for a route that the browser renders. `missing`: no such page. */
export type PageKind = 'page' | 'shell' | 'missing'

export type RenderedPage = {
  kind: PageKind
  head: PageHead
  html: string
  state: PageState
  /** Ids of the routes on the page, whose chunks the browser will want. */
  routeIds: string[]
}

/** Renders public pages from one reading of the data. `shell` and `missing` are the same whatever the path. */
export type PageRenderer = {
  kindOf: (path: string) => PageKind
  render: (kind: PageKind, path: string) => Promise<RenderedPage>
  /** Every path that leads somewhere, with $ before what varies. */
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
  /** The script that starts the app, and what it needs at once. */
  entry: string
  entryChunks: string[]
  /** Route id → addresses of the chunks it needs besides those. */
  routeChunks: Record<string, string[]>
  /** Of this build; part of every ETag. */
  build: string
}
