import type { CompressedBody } from '#api/serving/compressed-response.ts'
import { compressApart, negotiateEncoding } from '#api/serving/compressed-response.ts'
import type { EntryServer, PageData, PageKey, PageKind, PageRenderer, PageTemplate } from '#shared/contract/page.ts'
import { inBrandColours } from '#shared/values/brand-colours.ts'
import { renderDocument } from './page-document.ts'

/** The built site: its document and renderer. */
export type Site = { template: PageTemplate; clientFolder: string; loadEntry: () => Promise<EntryServer> }

/** The rules for the font's files, as the built document has them. Empty without a build. */
export const fontOf = (site: Site | undefined): string =>
  site?.template.document.match(/@font-face\{font-family:"?Archivo"?;[^}]*\}/g)?.join('') ?? ''

/** The source of the pages' data. A new `version` discards everything rendered before. */
export type PageSource = {
  publicUrl: string
  /** The data folder’s part for hashed files of releases before. */
  keptAssets: string
  version: () => string
  read: () => PageData
  /** Turns the CSP of every page into that of a public page. */
  publicPolicy: (policy: string) => string
  /** The new address of a page that moved from this path, or null. */
  movedTo: (path: string) => string | null
  /** Where a path of the site before this one leads. Only asked if there's no page. */
  oldPath: (path: string) => string | null
  movedFrom: (path: string) => readonly string[]
  /** What a signed link to an owner's draft shows. Null if it's invalid or expired. */
  preview: (token: string) => { data: PageData; isFramed: boolean } | null
}

export type CachedPage = { kind: PageKind; look: string; body: CompressedBody }

type Edition = {
  version: string
  look: string
  siteName: string
  shortName: string
  template: PageTemplate
  renderer: Promise<PageRenderer>
  pages: Map<string, CachedPage>
  /** Renders in progress, so that concurrent requests share one. */
  pending: Map<string, Promise<CachedPage>>
}

/** Where the service worker fetches the document it caches for all app routes. */
const shellPath = '/app-shell'
const shell: PageKey = { kind: 'shell', key: 'shell' }

/** Dynamic paths can be many, so we evict the oldest. A package such as lru-cache wouldn't save any of these lines. */
const maxPages = 500

function openEdition(site: Site, source: PageSource, version: string): Edition {
  const data = source.read()
  const { look, brand } = data.content
  return {
    version,
    look,
    siteName: brand.name,
    shortName: brand.shortName,
    template: { ...site.template, document: inBrandColours(site.template.document, brand.colours) },
    renderer: site.loadEntry().then(({ createPageRenderer }) => createPageRenderer(data)),
    pages: new Map(),
    pending: new Map(),
  }
}

/** Renders each page once per version of the data. */
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
    const found = path === shellPath ? shell : renderer.find(path)
    const known = current.pages.get(found.key) ?? current.pending.get(found.key)
    if (known) return known
    const rendering = renderPage(current, renderer, found, path).finally(() => current.pending.delete(found.key))
    current.pending.set(found.key, rendering)
    const page = await rendering
    addPage(current.pages, found.key, page)
    return page
  }

  async function renderPage(
    { look, siteName, shortName, template }: Edition,
    renderer: PageRenderer,
    found: PageKey,
    path: string,
  ): Promise<CachedPage> {
    const page = await renderer.render(found, path)
    const { publicUrl } = source
    const canonicalUrl = found.kind === 'page' ? `${publicUrl}${path}` : undefined
    const document = renderDocument(template, page, { publicUrl, canonicalUrl, look, siteName, shortName })
    return { kind: found.kind, look, body: await compressApart(document) }
  }
}

function addPage(pages: Map<string, CachedPage>, key: string, page: CachedPage) {
  const [oldest] = pages.keys()
  if (pages.size >= maxPages && oldest !== undefined) pages.delete(oldest)
  pages.set(key, page)
}

/** Renders a page with unpublished data, for this request only and hidden from search engines. */
export async function renderPreview(
  site: Site,
  { data, publicUrl }: { data: PageData; publicUrl: string },
  path: string,
): Promise<{ document: string; kind: PageKind }> {
  const { look, brand } = data.content
  const template = { ...site.template, document: inBrandColours(site.template.document, brand.colours) }
  const renderer = (await site.loadEntry()).createPageRenderer(data)
  const found = renderer.find(path)
  const page = await renderer.render(found, path)
  const { name: siteName, shortName } = brand
  return { document: renderDocument(template, page, { publicUrl, look, siteName, shortName }), kind: found.kind }
}

type Ready = { version: string; responses: Map<string, Response> }

type Options = {
  /** Our own hosts. Any other could make us remember any number of addresses. */
  hosts: ReadonlySet<string>
  version: () => string
}

export type ReadyPages = {
  /** The response if the page is ready. Otherwise undefined, and the request goes to Elysia. */
  respond(request: Request): Response | undefined
  remember(request: Request, response: Response): void
}

/** There are some fifty pages, plus one for each post. */
const maxAddresses = 1_000

/**
 * Sends rendered pages before Elysia sees the request, with the same headers except the request id, because Elysia takes longer
 * than everything else. Bun's static routes can't negotiate encodings.
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
