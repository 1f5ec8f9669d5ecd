import type { EntryServer, PageData, PageKind, PagePlace, PageRenderer, PageTemplate } from '#shared/contract/page.ts'
import { inBrandColours } from '#shared/rules/brand-colours.ts'
import { type CompressedBody, compressBody, negotiateEncoding } from './compressed-response.ts'
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
  /** The content policy of a public page, made of the one of every page. */
  publicPolicy: (policy: string) => string
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

/** A response that was sent once, and may be sent again as long as `version` is that of the pages. */
type Ready = { version: string; responses: Map<string, Response> }

type Options = {
  /** The hosts that are ours: under any other, addresses without end could be remembered. */
  hosts: ReadonlySet<string>
  /** Changes with whatever pages are made from. */
  version: () => string
}

export type ReadyPages = {
  /** The response to a request for a page that is ready; undefined for all else, which takes the ordinary way. */
  respond(request: Request): Response | undefined
  /** Remembers what a request for a page got on the ordinary way. */
  remember(request: Request, response: Response): void
}

/** There are some fifty pages, and each post. */
const maxAddresses = 1_000

/**
 * Pages that are rendered already are sent before the framework sees the request, with the same headers but the request's id: the
 * framework takes longer than all the rest. Bun's own static routes know no encodings.
 */
export function createReadyPages({ hosts, version }: Options): ReadyPages {
  const readyByAddress = new Map<string, Ready>()
  return {
    respond(request) {
      const ready = readyByAddress.get(request.url)
      if (ready === undefined || request.method !== 'GET' || ready.version !== version()) return undefined
      if (request.headers.get('if-none-match') !== null) return undefined
      return ready.responses.get(negotiateEncoding(request).encoding)?.clone()
    },
    remember(request, response) {
      const { host, search } = new URL(request.url)
      if (request.method !== 'GET' || response.status !== 200 || search !== '' || !hosts.has(host)) return
      const current = version()
      const known = readyByAddress.get(request.url)
      if (known === undefined && readyByAddress.size >= maxAddresses) readyByAddress.clear()
      const ready = known?.version === current ? known : { version: current, responses: new Map() }
      const copy = response.clone()
      copy.headers.delete('x-request-id')
      ready.responses.set(negotiateEncoding(request).encoding, copy)
      readyByAddress.set(request.url, ready)
    },
  }
}
