import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '#api/settings.ts'
import { readContent } from '#api/site/content.ts'
import { createQueryClient } from '#pwa/lib/query-client.ts'
import { createAppRouter } from '#pwa/router.tsx'
import { siteContent } from '#pwa/testing/public-data.ts'
import type { Health } from '#shared/contract/health.ts'
import type { PageTemplate } from '#shared/contract/page.ts'
import { createReadyPages, type ReadyPages } from './page-cache.ts'
import { createPageHandler, type PageHandler, readBuiltSite } from './pages.ts'

const template: PageTemplate = {
  document: '<!doctype html><head><!--head--></head><body><!--body--></body>',
  ahead: 'ahead()',
  shellRoutes: {},
  stopped: '',
  hashes: { script: [], style: [] },
  entry: '/assets/entry-1.js',
  entryChunks: ['/assets/core-1.js'],
  routeChunks: { '/': ['/assets/home-1.js'] },
  routeStyles: { '/': ['/assets/field-1.css'] },
  build: 'b1',
}

/** Stands in for the build: `/` and `/post/…` are pages, `/members` is an app route. */
const entry = `export const createPageRenderer = (data) => ({
  routes: [],
  find: (path) =>
    path === '/' || path.startsWith('/post/') ? { kind: 'page', key: path }
    : path === '/members' ? { kind: 'shell', key: 'shell' }
    : { kind: 'missing', key: 'missing' },
  render: async ({ kind }, path) => {
    globalThis.rendered.push(kind + ' ' + path)
    return { kind, head: { title: 'A "title" & more', description: '', image: '/social/default.png', type: 'website', jsonLd: ['{"name":"</script>"}'] }, html: '<p>' + data.tiers.length + ' tiers £</p>', state: { content: { said: '</script>', measuring: {} }, responses: [] }, routeIds: [path] }
  },
})`

declare global {
  var rendered: string[]
}

let folder = ''
let version = '1'
let handlePage: PageHandler

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'))
  mkdirSync(join(folder, 'server'))
  mkdirSync(join(folder, 'client/assets'), { recursive: true })
  writeFileSync(join(folder, 'server/template.json'), JSON.stringify(template))
  writeFileSync(join(folder, 'server/entry-server.js'), entry)
  writeFileSync(join(folder, 'client/assets/core-1.js'), 'export {}')
  writeFileSync(join(folder, 'client/assets/core-1.js.br'), 'compressed')
  writeFileSync(join(folder, 'client/sw.js'), 'self')
  for (const picture of ['pictures/quote-1.svg', 'social/default.png']) {
    mkdirSync(join(folder, 'client', picture, '..'))
    writeFileSync(join(folder, 'client', picture), 'drawn')
  }
  globalThis.rendered = []
  handlePage = createPages()
})

function createPages(ready?: ReadyPages): PageHandler {
  const site = readBuiltSite(folder)
  if (!site) throw new Error('The site was not found')
  const { site: content, pages: texts } = readContent(readSettings({}))
  const source = {
    keptAssets: '/nowhere',
    publicUrl: 'https://site.test',
    version: () => version,
    movedTo: () => null,
    oldPath: () => null,
    movedFrom: () => [],
    read: () => ({ content, texts, tiers: [], posts: [], postBySlug: () => null, health }),
    publicPolicy: (policy: string) => policy,
    preview: () => null,
  }
  return createPageHandler(site, source, ready)
}

afterAll(() => rmSync(folder, { recursive: true }))

const health: Health = {
  status: 'ok',
  timestamp: '2026-06-12T07:40:00.000Z',
  services: { database: 'connected', payments: 'configured', email: 'configured', jobs: 'alive' },
}

/** The query parameters the routes declare. A new one counts as secret until it's listed as harmless. */
function namesRead(): string[] {
  const names = new Set<string>()
  const address = new Proxy<Record<string, unknown>>(
    {},
    { get: (_, name) => (typeof name === 'string' && names.add(name) ? 'a' : undefined) },
  )
  const router = createAppRouter({ queryClient: createQueryClient(), content: siteContent })
  for (const { options } of Object.values(router.routesById))
    if (typeof options.validateSearch === 'function') options.validateSearch(address)
  return [...names].sort()
}

/** A visitor's choice, or the outcome of a payment. */
const harmless = ['coach', 'errand', 'for', 'package', 'redirect', 'redirect_status', 'subject', 'tab']

const ask = async (path: string, headers: Record<string, string> = {}) =>
  await handlePage({ request: new Request(`http://localhost${path}`, { headers }), set: { headers: {} } })

describe('a public page', () => {
  test('is rendered once, however many requests come at once, until the version changes', async () => {
    globalThis.rendered = []
    version = 'once'
    await Promise.all([ask('/'), ask('/'), ask('/')])
    await ask('/')
    expect(globalThis.rendered).toEqual(['page /'])
    version = 'twice'
    await ask('/')
    expect(globalThis.rendered).toEqual(['page /', 'page /'])
  })

  test('is sent in the best encoding that is accepted', async () => {
    const text = await (await ask('/')).text()
    expect(text).toContain('<p>0 tiers £</p>')
    const brotli = await ask('/', { 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(text)
    const gzip = await ask('/', { 'accept-encoding': 'gzip, br;q=0' })
    expect(gzip.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(text)
    expect(gzip.headers.get('vary')).toBe('accept-encoding')
  })

  test('is 304 for a browser that has it', async () => {
    const etag = (await ask('/')).headers.get('etag') ?? ''
    const again = await ask('/', { 'if-none-match': `"other", ${etag}` })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect((await ask('/', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('names its address, its styles and the chunks it will load, and escapes its data', async () => {
    const html = await (await ask('/')).text()
    expect(html).toContain('<link rel="canonical" href="https://site.test/">')
    expect(html).toContain('<title>A &quot;title&quot; &amp; more</title>')
    expect(html).toContain(`<meta name="apple-mobile-web-app-title" content="${siteContent.brand.shortName}">`)
    expect(html).toContain('data-entry="/assets/core-1.js /assets/entry-1.js" data-chunks="/assets/home-1.js"')
    expect(html).toContain('<link rel="stylesheet" href="/assets/field-1.css">\n</head>')
    expect(html).toContain('"said":"\\u003c/script>"')
    expect(html).toContain('<script type="application/ld+json">{"name":"\\u003c/script>"}</script>')
    expect(html).toContain('<meta property="og:image" content="https://site.test/social/default.png">')
    for (const [name, said] of [
      ['image:width', '1200'],
      ['image:height', '630'],
      ['image:alt', 'A &quot;title&quot; &amp; more'],
      ['site_name', siteContent.brand.name],
    ])
      expect(html).toContain(`<meta property="og:${name}" content="${said}">`)
    expect(html).toContain('<meta property="og:url" content="https://site.test/">')
  })

  test('is rendered once, however its path is encoded', async () => {
    globalThis.rendered = []
    await ask('/post/one')
    await ask('/%70ost/one')
    expect(globalThis.rendered).toEqual(['page /post/one'])
  })
})

test('a page that was sent once is sent again without the framework, while it is the same; nothing else is', async () => {
  version = 'ready'
  const ready = createReadyPages({ hosts: new Set(['localhost']), version: () => version })
  const respond = createPages(ready)
  const request = (path: string, headers = {}, init = {}) =>
    new Request(`http://localhost${path}`, { headers: { 'accept-encoding': 'gzip, br', ...headers }, ...init })
  const paths = ['/', '/?token=1', '/?utm_source=a', '/members', '/nope', '/sw.js']
  const first = await respond({
    request: request('/'),
    set: { headers: { 'x-frame-options': 'DENY', 'x-request-id': '1' } },
  })
  for (const path of paths.slice(1)) await respond({ request: request(path), set: { headers: {} } })
  await respond({ request: new Request('http://elsewhere/'), set: { headers: {} } })
  for (let again = 0; again < 2; again += 1) {
    const sent = ready.respond(request('/'))
    first.headers.delete('x-request-id')
    expect([...(sent?.headers ?? [])]).toEqual([...first.headers])
    expect(brotliDecompressSync((await sent?.arrayBuffer()) ?? '').toString()).toContain('<p>0 tiers £</p>')
  }
  expect(paths.map((path) => ready.respond(request(path))?.status)).toEqual([
    200,
    ...paths.slice(1).map(() => undefined),
  ])
  const others = [
    request('/', { 'if-none-match': first.headers.get('etag') }),
    request('/', { 'accept-encoding': 'gzip' }),
    request('/', {}, { method: 'HEAD' }),
    new Request('http://elsewhere/'),
  ]
  expect(others.map(ready.respond)).toEqual(others.map(() => undefined))
  version = 'changed'
  expect(ready.respond(request('/'))).toBeUndefined()
})

describe('other paths', () => {
  test('ROUTE-31 any other path is a 404, rendered once for all of them', async () => {
    globalThis.rendered = []
    version = 'missing'
    const responses = [await ask('/nope'), await ask('/nope/again'), await ask('/%E0%A4%A')]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(globalThis.rendered).toEqual(['missing /nope'])
    expect(await responses[0]?.text()).toContain('<meta name="robots" content="noindex">')
  })

  test('app routes and the service worker get the shell', async () => {
    const shells = [await ask('/members'), await ask('/app-shell')]
    expect(shells.map(({ status, headers }) => [status, headers.get('x-page')])).toEqual([
      [200, 'shell'],
      [200, 'shell'],
    ])
    const [head = ''] = (await shells[0]?.text())?.split('</head>') ?? []
    // In the head, so that they come while the browser still paints.
    expect(head).toContain(
      '<script data-files="/assets/core-1.js /assets/entry-1.js" data-routes="{}">ahead()</script>',
    )
    expect(await (await ask('/')).text()).not.toContain('ahead()')
  })

  test('a page whose address opens something is kept nowhere, and no link of it says where it came from', async () => {
    const kept = async (path: string) => {
      const { headers } = await ask(path)
      return ['cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => headers.get(name))
    }
    const known = ['call', 'continue', 'expires', 'invitation', 'payment_intent_client_secret', 'signature']
    expect(namesRead()).toEqual(expect.arrayContaining(known))
    for (const name of [...namesRead(), 'token'].filter((one) => !harmless.includes(one)))
      for (const path of ['/', '/members'])
        expect([name, await kept(`${path}?${name}=a`)]).toEqual([name, ['no-store', 'no-referrer', 'noindex']])
    for (const name of [...harmless, 'utm_source']) expect(await kept(`/?${name}=a`)).toEqual(['no-cache', null, null])
    expect(await kept('/members')).toEqual(['no-cache', null, null])
  })

  test('built files: chunks are cached for ever, the worker is revalidated, nothing outside the folder is served', async () => {
    const chunk = await ask('/assets/core-1.js', { 'accept-encoding': 'br' })
    expect(chunk.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect([chunk.headers.get('content-encoding'), await chunk.text()]).toEqual(['br', 'compressed'])
    expect(await (await ask('/assets/core-1.js')).text()).toBe('export {}')
    const worker = await ask('/sw.js')
    expect([worker.headers.get('content-type'), worker.headers.get('cache-control')]).toEqual([
      'text/javascript; charset=utf-8',
      'no-cache',
    ])
    expect((await ask('/assets/gone.js')).headers.get('content-type')).toContain('text/plain')
    expect((await ask('/assets/..%2f..%2fserver%2ftemplate.json')).status).toBe(404)
    expect((await ask('/assets/core-1.js.br')).status).toBe(404)
  })

  test('pictures are cached for a day, then revalidated by their tag', async () => {
    const responses = [await ask('/pictures/quote-1.svg'), await ask('/social/default.png')]
    const day = 'public, max-age=86400, stale-while-revalidate=604800'
    expect(responses.map(({ headers }) => [headers.get('content-type'), headers.get('cache-control')])).toEqual([
      ['image/svg+xml', day],
      ['image/png', day],
    ])
    const again = await ask('/social/default.png', { 'if-none-match': responses[1]?.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await ask('/pictures/quote-7.svg')).status).toBe(404)
  })
})
