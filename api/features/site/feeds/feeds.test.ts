import '#pwa/testing/window.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { addPost } from '#api/features/site/blog/service.ts'
import type { Site } from '#api/http/page-cache.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'

const publicUrl = 'https://alliance.example'
const publicPaths = ['/', '/about', '/blog', '/membership-tiers', '/coaching']

/** Stands in for the built site: some public paths, one with a parameter, and some for members and owners. */
function siteWith(paths: readonly string[]): Site {
  const isPublic = (path: string) => !['/members', '/admin', '/dashboard'].includes(path)
  const routes = paths.map((path) => ({ path, isPublic: isPublic(path) }))
  return {
    template: {
      document: '',
      ahead: 'ahead()',
      shellRoutes: {},
      stopped: '',
      hashes: { script: [], style: [] },
      entry: '',
      entryChunks: [],
      build: '1',
      routeChunks: {},
      routeStyles: {},
    },
    clientFolder: import.meta.dirname,
    loadEntry: async () => ({
      createPageRenderer: () => ({
        find: () => ({ kind: 'page', key: '' }),
        render: () => Promise.reject(new Error('No page is asked for here.')),
        routes,
      }),
    }),
  }
}

let world: World
let call: Call
beforeEach(() => {
  world = startWorld({ env: { PUBLIC_URL: publicUrl } })
  const site = siteWith([...publicPaths, '/blog/$slug', '/members', '/admin', '/dashboard'])
  const app = createApp(world.ctx, { site })
  call = (path, { headers = {} } = {}) => app.handle(new Request(`http://localhost${path}`, { headers }))
  addPost(world.ctx, {
    slug: 'vans',
    title: `Vans & "lads" <b>'x'</b>\u0007`,
    excerpt: ']]> & more',
    content: '<p>x</p>',
    isPublished: true,
    publishedAt: '2026-06-01T08:00:00.000Z',
  })
  addPost(world.ctx, { slug: 'draft', title: 'Draft', content: '<p>x</p>', isPublished: false })
})

const parse = (text: string) => new DOMParser().parseFromString(text, 'application/xml')
async function read(path: string, ask: Call = call) {
  const response = await ask(path)
  return { response, document: parse(await response.text()) }
}
const texts = (root: ParentNode, name: string) => [...root.querySelectorAll(name)].map((one) => one.textContent)

describe('/sitemap.xml', () => {
  test('ROUTE-13 ROUTE-14 lists every public page and published post by its full address, and nothing else', async () => {
    const { response, document } = await read('/sitemap.xml')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(document.documentElement.namespaceURI).toBe('http://www.sitemaps.org/schemas/sitemap/0.9')
    expect(texts(document, 'loc')).toEqual([...publicPaths, '/blog/vans'].map((path) => publicUrl + path))
    expect(texts(document, 'lastmod')).toEqual(['2026-06-12T07:40:00.000Z'])
  })

  test('ROUTE-14 a new post is in it at once, and until then the response is cached', async () => {
    const first = await call('/sitemap.xml')
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await call('/sitemap.xml', { headers })).status).toBe(304)
    addPost(world.ctx, { slug: 'tools', title: 'Tools', content: '<p>x</p>', isPublished: true })
    const again = await call('/sitemap.xml', { headers })
    expect([again.status, texts(parse(await again.text()), 'loc').at(-2)]).toEqual([200, `${publicUrl}/blog/tools`])
  })

  test('where nothing has been built, it has the front page and the posts', async () => {
    const { document } = await read('/sitemap.xml', world.call)
    expect(texts(document, 'loc')).toEqual([`${publicUrl}/`, `${publicUrl}/blog/vans`])
  })
})

describe('/rss.xml', () => {
  test('ROUTE-14 is RSS 2.0 with the published posts, escaped, at full addresses', async () => {
    const { response, document } = await read('/rss.xml')
    expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect([document.documentElement.tagName, document.documentElement.getAttribute('version')]).toEqual(['rss', '2.0'])
    const channel = document.querySelector('channel')
    const own = [...(channel?.children ?? [])].map(({ tagName }) => tagName)
    expect(own).toEqual(['title', 'link', 'description', 'language', 'atom:link', 'item'])
    expect(channel?.querySelector('link')?.textContent).toBe(`${publicUrl}/blog`)
    const [item] = document.querySelectorAll('item')
    expect([...(item?.children ?? [])].map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
      ['title', `Vans & "lads" <b>'x'</b>`],
      ['link', `${publicUrl}/blog/vans`],
      ['guid', `${publicUrl}/blog/vans`],
      ['pubDate', 'Mon, 01 Jun 2026 08:00:00 GMT'],
      ['dc:creator', 'The coaches'],
      ['description', ']]&gt; &amp; more'],
    ])
  })

  test('ROUTE-13 is a valid feed without posts', async () => {
    const { document } = await read('/rss.xml', startWorld().call)
    expect([document.querySelectorAll('channel > title').length, document.querySelectorAll('item').length]).toEqual([
      1, 0,
    ])
  })
})

describe('/.well-known', () => {
  test('security.txt says where to report a fault and until when that holds (RFC 9116)', async () => {
    const response = await call('/.well-known/security.txt')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect((await response.text()).split('\n')).toEqual([
      `Contact: ${publicUrl}/contact`,
      'Expires: 2026-09-10T07:40:00.000Z',
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      '',
    ])
  })

  test('change-password leads to where a password is changed', async () => {
    const response = await call('/.well-known/change-password')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/members/sign-in'])
  })
})

describe('/robots.txt', () => {
  const closed = (rules: string[], path: string) =>
    rules.some((rule) => (rule.endsWith('$') ? path === rule.slice(0, -1) : path.startsWith(rule)))

  test('keeps crawlers out of what is not public, and out of nothing that is', async () => {
    const response = await call('/robots.txt')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const text = await response.text()
    expect(text).toMatch(/^User-agent: \*\n(Disallow: \/\S*\n)+\nSitemap: https:\/\/alliance\.example\/sitemap\.xml\n$/)
    const rules = [...text.matchAll(/^Disallow: (.*)$/gm)].map(([, rule]) => rule ?? '')
    const open = [...publicPaths, '/blog/vans', '/membership-application', '/sitemap.xml', '/pictures/blog-paid.svg']
    expect(open.filter((path) => closed(rules, path))).toEqual([])
    const shut = ['/api/blog', '/members', '/members/videos', '/admin', '/dashboard', '/view-member/1', '/sandbox/mail']
    expect(shut.filter((path) => !closed(rules, path))).toEqual([])
  })
})

test('feeds carry the security headers, and no cookie', async () => {
  for (const path of ['/sitemap.xml', '/rss.xml', '/robots.txt']) {
    const { headers } = await call(path)
    expect([path, headers.get('x-content-type-options'), headers.get('set-cookie')]).toEqual([path, 'nosniff', null])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
})
