import type { APIRequestContext } from '@playwright/test'

/** Every page the server renders for visitors, with one of the sandbox's posts. */
export const publicPaths = [
  '/',
  '/about',
  '/podcast',
  '/coaching',
  '/coaching-application',
  '/book-coaching-call',
  '/membership-tiers',
  '/contact',
  '/blog',
  '/blog/pricing-a-job-properly',
  '/health',
  '/sales-lion',
  '/servicem8',
  '/quotient',
  '/website-builds',
  '/book-call',
  '/catch-up',
  '/privacy',
  '/terms',
  '/cookies',
  '/cancellation',
  '/accessibility',
]

/** Every other page that needs no login. */
export const waysIn = [
  ...['/login', '/forgot-password', '/reset-password?token=old', '/membership-application', '/membership-success'],
  ...['/quotient/checkout', '/quotient/success', '/reactivate', '/reactivate-delayed', '/sandbox', '/nowhere'],
]

export type CrawledPage = { status: number; html: string; links: string[]; ids: ReadonlySet<string> }

const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x27;', "'")

/** Without what stands inside scripts: markup there is not the page's yet. */
const withoutScripts = (html: string) => html.replace(/(<script\b[^>]*>).*?<\/script>/gs, '$1')

const attributes = (html: string, names: string) =>
  [...html.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, 'g'))].map(([, value = '']) => plain(value))

/** Requests every address of this site linked from a page, or from a page it leads to; only lists other sites. */
export async function crawl(request: APIRequestContext, from: readonly string[], site: string) {
  const found = new Map<string, CrawledPage>()
  const toPath = (link: string) => (link.startsWith(`${site}/`) ? link.slice(site.length) : link)
  const open = [...from]
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (found.has(path)) continue
    const response = await request.get(path)
    const isPage = response.headers()['content-type']?.startsWith('text/html') === true
    const html = isPage ? await response.text() : ''
    const page = {
      status: response.status(),
      html,
      links: attributes(withoutScripts(html), 'href|src').map(toPath),
      ids: new Set(attributes(html, 'id')),
    }
    found.set(path, page)
    open.push(...page.links.filter(isOwn).map(withoutFragment))
  }
  return found
}

export const isOwn = (link: string) => link.startsWith('/')
export const withoutFragment = (link: string) => link.replace(/#.*/, '')
