import type { EntryServer, PageData, PageKind, PagePlace, PageRenderer, PageTemplate } from '#shared/contract/page.ts'
import { inBrandColours } from '#shared/rules/brand-colours.ts'
import { type CompressedBody, compressBody } from './compressed-response.ts'
import { renderDocument } from './page-document.ts'

/** The built site: its document, and how its pages are rendered. */
export type Site = { template: PageTemplate; clientFolder: string; loadEntry: () => Promise<EntryServer> }

/** The address of the site's own font, which the built document preloads; null where nothing is built. */
export const fontOf = (site: Site | undefined): string | null =>
  /<link rel="preload" as="font"[^>]* href="([^"]+)"/.exec(site?.template.document ?? '')?.[1] ?? null

/** Where pages get their data. A new `version` throws away everything that was rendered before. */
export type PageSource = {
  publicUrl: string
  version: () => string
  read: () => PageData
  /** Where a page is now that was at this path before; null for all others. */
  movedTo: (path: string) => string | null
  /** The paths that the page at this one had before. */
  movedFrom: (path: string) => readonly string[]
  /** What a signed address of an owner's draft shows; null where it is none, or its time is over. */
  preview: (token: string) => { data: PageData; isFramed: boolean } | null
}

export type CachedPage = { kind: PageKind; look: string; body: CompressedBody }

/** What was rendered from one version of the data. */
type Edition = {
  version: string
  look: string
  /** In the brand's colours. */
  template: PageTemplate
  renderer: Promise<PageRenderer>
  pages: Map<string, CachedPage>
  /** Requested several times at once, a page is rendered once. */
  pending: Map<string, Promise<CachedPage>>
}

/** Where the service worker fetches the document that it caches for every app route. */
const shellPath = '/app-shell'
const shell: PagePlace = { kind: 'shell', key: 'shell' }

/** Paths with a variable part can be many: the oldest page makes room. A package such as lru-cache saves none of these lines. */
const maxPages = 500

function openEdition(site: Site, source: PageSource, version: string): Edition {
  const data = source.read()
  const { look, brand } = data.content
  return {
    version,
    look,
    template: { ...site.template, document: inBrandColours(site.template.document, brand.colours) },
    renderer: site.loadEntry().then(({ createPageRenderer }) => createPageRenderer(data)),
    ...{ pages: new Map(), pending: new Map() },
  }
}

/** Looks up pages, rendering each once for each version of the data. */
export function createPageCache(site: Site, source: PageSource): (path: string) => CachedPage | Promise<CachedPage> {
  let edition: Edition | undefined

  return (path) => {
    const version = source.version()
    if (edition?.version !== version) edition = openEdition(site, source, version)
    return edition.pages.get(path) ?? findPage(edition, path)
  }

  async function findPage(current: Edition, path: string): Promise<CachedPage> {
    const renderer = await current.renderer.catch((error) => {
      edition = undefined
      throw error
    })
    const place = path === shellPath ? shell : renderer.find(path)
    const known = current.pages.get(place.key) ?? current.pending.get(place.key)
    if (known) return known
    const rendering = renderPage(current, renderer, place, path).finally(() => current.pending.delete(place.key))
    current.pending.set(place.key, rendering)
    const page = await rendering
    addPage(current.pages, place.key, page)
    return page
  }

  async function renderPage(
    { look, template }: Edition,
    renderer: PageRenderer,
    place: PagePlace,
    path: string,
  ): Promise<CachedPage> {
    const page = await renderer.render(place, path)
    const { publicUrl } = source
    const canonicalUrl = place.kind === 'page' ? `${publicUrl}${path}` : undefined
    const document = renderDocument(template, page, { publicUrl, canonicalUrl, look })
    return { kind: place.kind, look, body: compressBody(document) }
  }
}

function addPage(pages: Map<string, CachedPage>, key: string, page: CachedPage) {
  const [oldest] = pages.keys()
  if (pages.size >= maxPages && oldest !== undefined) pages.delete(oldest)
  pages.set(key, page)
}

/** A page from data that nobody else sees: rendered for this request alone, and left out by search engines. */
export async function renderPreview(
  site: Site,
  { data, publicUrl }: { data: PageData; publicUrl: string },
  path: string,
): Promise<{ document: string; kind: PageKind }> {
  const { look, brand } = data.content
  const template = { ...site.template, document: inBrandColours(site.template.document, brand.colours) }
  const renderer = (await site.loadEntry()).createPageRenderer(data)
  const place = renderer.find(path)
  const page = await renderer.render(place, path)
  return { document: renderDocument(template, page, { publicUrl, canonicalUrl: undefined, look }), kind: place.kind }
}
