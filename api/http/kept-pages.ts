import type { PageKind, PagePlace, PageRenderer } from '#shared/contract/page.ts'
import { fillIn } from './page-document.ts'
import type { PageSource, Site } from './pages.ts'
import { makeReady, type ReadyBytes } from './ready-bytes.ts'

export type KeptPage = { kind: PageKind; bytes: ReadyBytes }

/** What was rendered from one version of the data. */
type Edition = {
  version: string
  renderer: Promise<PageRenderer>
  pages: Map<string, KeptPage>
  /** Asked for by several at once, a page is rendered once. */
  underWay: Map<string, Promise<KeptPage>>
}

/** Where the service worker fetches what it keeps for every app route. */
const shellPath = '/app-shell'
const shell: PagePlace = { kind: 'shell', key: 'shell' }

/** Paths with a variable part can be many: the oldest page makes room. */
const mostKept = 500

/** Looks up pages, rendering each once per version of the data. */
export function keepPages(site: Site, source: PageSource): (path: string) => KeptPage | Promise<KeptPage> {
  let edition: Edition | undefined

  const openEdition = (version: string): Edition => {
    const renderer = site.loadEntry().then(({ createPageRenderer }) => createPageRenderer(source.read()))
    renderer.catch(() => {
      edition = undefined
    })
    return { version, renderer, pages: new Map(), underWay: new Map() }
  }

  return (path) => {
    const version = source.version()
    if (edition?.version !== version) edition = openEdition(version)
    return edition.pages.get(path) ?? findPage(edition, path)
  }

  async function findPage(current: Edition, path: string): Promise<KeptPage> {
    const renderer = await current.renderer
    const place = path === shellPath ? shell : renderer.find(path)
    const known = current.pages.get(place.key) ?? current.underWay.get(place.key)
    if (known) return known
    const rendering = renderPage(renderer, place, path).finally(() => current.underWay.delete(place.key))
    current.underWay.set(place.key, rendering)
    const page = await rendering
    keep(current.pages, place.key, page)
    return page
  }

  async function renderPage(renderer: PageRenderer, place: PagePlace, path: string): Promise<KeptPage> {
    const page = await renderer.render(place, path)
    const { publicUrl } = source
    const address = place.kind === 'page' ? `${publicUrl}${path}` : undefined
    return { kind: place.kind, bytes: makeReady(fillIn(site.template, page, { publicUrl, address })) }
  }
}

function keep(pages: Map<string, KeptPage>, key: string, page: KeptPage) {
  const [oldest] = pages.keys()
  if (pages.size >= mostKept && oldest !== undefined) pages.delete(oldest)
  pages.set(key, page)
}
