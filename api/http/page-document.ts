import type { PageHead, PageTemplate, RenderedPage } from '#shared/contract/page.ts'
import { absoluteAddress } from '#shared/rules/absolute-address.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/** JSON that cannot end the script element it stands in. */
const escapeScript = (json: string) => json.replaceAll('<', '\\u003c')

/** `address` is the page's one address; none for pages that search engines leave out. */
type Whereabouts = { publicUrl: string; address?: string | undefined }

/** The whole document of a rendered page. */
export function fillIn(template: PageTemplate, page: RenderedPage, whereabouts: Whereabouts): string {
  const { entry, entryChunks, routeChunks, routeStyles } = template
  const chunks = [...entryChunks, ...page.routeIds.flatMap((id) => routeChunks[id] ?? [])]
  const head = [
    `<title>${escapeHtml(page.head.title)}</title>`,
    `<meta name="description" content="${escapeHtml(page.head.description)}">`,
    ...(whereabouts.address === undefined
      ? ['<meta name="robots" content="noindex">']
      : forOtherSites(page.head, whereabouts.publicUrl, whereabouts.address)),
  ]
  // After the document's own style, which sets the order of the layers.
  const styles = page.routeIds
    .flatMap((id) => routeStyles[id] ?? [])
    .map((file) => `<link rel="stylesheet" href="${file}">\n`)
  // The shell is the same for every route: the browser picks its own chunks by the path.
  const routes = page.kind === 'shell' ? ` data-routes="${escapeHtml(JSON.stringify(routeChunks))}"` : ''
  const body = [
    `<div id="root" data-page="${page.kind}" data-entry="${[...entryChunks, entry].join(' ')}" data-chunks="${chunks.join(' ')}"${routes}>${page.html}</div>`,
    `<script type="application/json" id="state">${escapeScript(JSON.stringify(page.state))}</script>`,
  ]
  return template.document
    .replace('<!--head-->', () => head.join('\n'))
    .replace('</head>', () => `${styles.join('')}</head>`)
    .replace('<!--body-->', () => body.join('\n'))
}

/** For search engines, and for networks where somebody shares the page. */
function forOtherSites({ title, description, image, type, jsonLd }: PageHead, publicUrl: string, address: string) {
  const properties = {
    'og:title': title,
    'og:description': description,
    'og:url': address,
    'og:type': type,
    'og:image': absoluteAddress(image, publicUrl),
    'og:locale': 'en_GB',
  }
  return [
    `<link rel="canonical" href="${escapeHtml(address)}">`,
    ...Object.entries(properties).map(([name, text]) => `<meta property="${name}" content="${escapeHtml(text)}">`),
    '<meta name="twitter:card" content="summary_large_image">',
    `<link rel="alternate" type="application/rss+xml" title="Blog" href="${escapeHtml(publicUrl)}/rss.xml">`,
    ...jsonLd.map((fact) => `<script type="application/ld+json">${escapeScript(fact)}</script>`),
  ]
}
