import type { PageHead, PageTemplate, RenderedPage } from '#shared/contract/page.ts'
import { absoluteUrl } from '#shared/rules/absolute-url.ts'
import { addressOfLook } from '#shared/rules/picture-address.ts'

/** Escapes JSON so that it can't close its script element. */
const escapeScript = (json: string) => json.replaceAll('<', '\\u003c')

/** `canonicalUrl` is missing for pages hidden from search engines. `look` is empty for the default brand. */
type PageSite = {
  publicUrl: string
  canonicalUrl?: string | undefined
  look: string
  siteName: string
  shortName: string
}

export function renderDocument(
  template: PageTemplate,
  page: RenderedPage,
  { publicUrl, canonicalUrl, look, siteName, shortName }: PageSite,
): string {
  const { entry, entryChunks, routeChunks, routeStyles, shellRoutes } = template
  const entryFiles = [...entryChunks, entry].join(' ')
  const chunks = page.routeIds.flatMap((id) => routeChunks[id] ?? [])
  const head = [
    `<title>${Bun.escapeHTML(page.head.title)}</title>`,
    `<meta name="description" content="${Bun.escapeHTML(page.head.description)}">`,
    // Under the icon on an iPhone, where a page's title would be cut short.
    `<meta name="apple-mobile-web-app-title" content="${Bun.escapeHTML(shortName)}">`,
    ...(canonicalUrl === undefined
      ? ['<meta name="robots" content="noindex">']
      : sharingTags(
          { ...page.head, image: addressOfLook(page.head.image, look) },
          { publicUrl, canonicalUrl, siteName },
        )),
    // The shell is the same for every route, so the browser picks its files by the path.
    ...(page.kind === 'shell'
      ? [
          `<script data-files="${entryFiles}" data-routes="${Bun.escapeHTML(JSON.stringify(shellRoutes))}">${template.ahead}</script>`,
        ]
      : []),
  ]
  // After the document's own style, which sets the order of the layers.
  const styles = page.routeIds
    .flatMap((id) => routeStyles[id] ?? [])
    .map((file) => `<link rel="stylesheet" href="${file}">\n`)
  const { analytics, pixel } = page.state.content.measuring
  // The app asks whether outside tools may load. Else it needn't come until someone presses something.
  const asks = analytics || pixel ? ' data-needs-app=""' : ''
  const body = [
    `<div id="root" data-page="${page.kind}"${asks} data-entry="${entryFiles}" data-chunks="${chunks.join(' ')}">${page.html}</div>`,
    ...(page.kind === 'shell' ? [`<script>${template.stopped}</script>`] : []),
    `<script type="application/json" id="state">${escapeScript(JSON.stringify(page.state))}</script>`,
  ]
  return template.document
    .replace('<!--head-->', () => head.join('\n'))
    .replace(/(?<= href=")\/icons\/[\w.-]+/g, (icon) => addressOfLook(icon, look))
    .replace('</head>', () => `${styles.join('')}</head>`)
    .replace('<!--body-->', () => body.join('\n'))
}

/** The pictures with a page's name in them, which we draw. Nobody has measured the others. */
const drawnPicture = /^\/social\//
const drawnSize = { 'og:image:width': '1200', 'og:image:height': '630' }

type SharedFrom = { publicUrl: string; canonicalUrl: string; siteName: string }

function sharingTags(head: PageHead, { publicUrl, canonicalUrl, siteName }: SharedFrom) {
  const { title, description, image, imageAlt, type, jsonLd } = head
  const properties = {
    'og:title': title,
    'og:description': description,
    'og:url': canonicalUrl,
    'og:type': type,
    'og:image': absoluteUrl(image, publicUrl),
    ...(drawnPicture.test(image) ? drawnSize : {}),
    'og:image:alt': imageAlt ?? title,
    'og:site_name': siteName,
    'og:locale': 'en_GB',
  }
  return [
    `<link rel="canonical" href="${Bun.escapeHTML(canonicalUrl)}">`,
    ...Object.entries(properties).map(([name, text]) => `<meta property="${name}" content="${Bun.escapeHTML(text)}">`),
    '<meta name="twitter:card" content="summary_large_image">',
    `<link rel="alternate" type="application/rss+xml" title="Blog" href="${Bun.escapeHTML(publicUrl)}/rss.xml">`,
    ...jsonLd.map((json) => `<script type="application/ld+json">${escapeScript(json)}</script>`),
  ]
}
