import type { PageTemplate, RenderedPage } from '#shared/contract/page.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/** JSON that cannot end the script element it stands in. */
const escapeJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The whole document of a rendered page; `canonical` is its one address, none for pages that search engines leave out. */
export function fillIn(template: PageTemplate, page: RenderedPage, canonical?: string): string {
  const { entry, entryChunks, routeChunks } = template
  const chunks = [...entryChunks, ...page.routeIds.flatMap((id) => routeChunks[id] ?? [])]
  const { title, description } = page.head
  const head = [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    canonical
      ? `<link rel="canonical" href="${escapeHtml(canonical)}">\n<meta property="og:title" content="${escapeHtml(title)}">`
      : '<meta name="robots" content="noindex">',
  ]
  // The shell is the same for every route: the browser picks its own chunks by the path.
  const routes = page.kind === 'shell' ? ` data-routes="${escapeHtml(JSON.stringify(routeChunks))}"` : ''
  const body = [
    `<div id="root" data-page="${page.kind}" data-entry="${entry}" data-chunks="${chunks.join(' ')}"${routes}>${page.html}</div>`,
    `<script type="application/json" id="state">${escapeJson(page.state)}</script>`,
  ]
  return template.document.replace('<!--head-->', () => head.join('\n')).replace('<!--body-->', () => body.join('\n'))
}
