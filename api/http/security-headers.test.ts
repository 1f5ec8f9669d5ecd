import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import type { PageTemplate } from '#shared/contract/page.ts'
import { isUuidV7 } from '#shared/rules/id.ts'
import { readBuiltSite } from './pages.ts'

const hash = `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`
const template: PageTemplate = {
  document: '<!doctype html><head><!--head--></head><body><!--body--></body>',
  ahead: 'ahead()',
  shellRoutes: {},
  stopped: '',
  hashes: { script: [hash], style: [hash] },
  entry: '/assets/entry.js',
  entryChunks: [],
  routeChunks: {},
  routeStyles: {},
  build: 'b1',
}
/** Stands in for the build: `/` is a page, and `/broken` fails to render. */
const entry = `export const createPageRenderer = () => ({
  routes: [],
  find: (path) => path === '/' || path === '/broken' ? { kind: 'page', key: path } : /^\\/(admin|login|reset-password|members|profile)/.test(path) ? { kind: 'shell', key: 'shell' } : { kind: 'missing', key: 'missing' },
  render: async ({ kind }, path) => {
    if (path === '/broken') throw new Error('secret-marker')
    return { kind, head: { title: 'T', description: '', image: '', type: 'website', jsonLd: [] }, html: '', state: { content: { measuring: {} } }, routeIds: [] }
  },
})`

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'))
  mkdirSync(join(folder, 'server'))
  mkdirSync(join(folder, 'client/assets'), { recursive: true })
  writeFileSync(join(folder, 'server/template.json'), JSON.stringify(template))
  writeFileSync(join(folder, 'server/entry-server.js'), entry)
  for (const file of ['assets/entry.js', 'sw.js']) writeFileSync(join(folder, 'client', file), 'export {}')
})
afterAll(() => rmSync(folder, { recursive: true }))

type Ask = (path: string, init?: RequestInit) => Promise<Response>
function open(env: Record<string, string> = {}): { world: World; ask: Ask; asOwner: Ask } {
  const world = startWorld({ env })
  const app = createApp(world.ctx, { site: readBuiltSite(folder) })
  const { cookie } = world.signIn(world.addOwner())
  const ask: Ask = (path, init) => app.handle(new Request(`http://localhost${path}`, init))
  return { world, ask, asOwner: (path, init = {}) => ask(path, { headers: { cookie }, ...init }) }
}

const post = (body: BodyInit, type = 'application/json') => ({
  method: 'POST',
  body,
  headers: { 'content-type': type },
})

async function everyKind({ world, ask, asOwner }: ReturnType<typeof open>) {
  const etag = (await ask('/api/membership-tiers')).headers.get('etag') ?? ''
  const known = { headers: { 'if-none-match': etag } }
  const kinds: [name: string, status: number, response: Response][] = [
    ['JSON', 200, await asOwner('/api/auth/user')],
    ['kept JSON', 200, await ask('/api/membership-tiers')],
    ['kept JSON, known', 304, await ask('/api/membership-tiers', known)],
    ['redirect', 303, await ask('/api/logout')],
    ['malformed', 400, await ask('/api/auth/login', post('{'))],
    ['nobody', 401, await ask('/api/auth/user')],
    ['another site', 403, await ask('/api/auth/logout', { method: 'POST', headers: { origin: 'https://a.example' } })],
    ['missing call', 404, await ask('/api/nothing')],
    ['odd spelling', 404, await ask('//api')],
    ['too large', 413, await ask('/api/auth/login', post(' '.repeat(300_000)))],
    ['no JSON', 415, await ask('/api/auth/login', post('a=b', 'text/plain'))],
    ['invalid', 422, await ask('/api/auth/login', post('{}'))],
    ['API page', 200, await ask('/api/docs')],
    ['API document', 200, await ask('/api/docs/json')],
    ['missing mail', 404, await ask('/sandbox/mail/1')],
    ['mailbox as JSON', 200, await ask('/sandbox/mail', { headers: { accept: 'application/json' } })],
    ['proxied JSON', 404, await ask('/sandbox/stripe/v1/customers')],
    ['feed', 200, await ask('/rss.xml')],
    ['manifest', 200, await ask('/manifest.webmanifest')],
    ['icon', 200, await ask('/icons/favicon-32.png')],
    ['missing icon', 404, await ask('/icons/gone.png')],
    ['missing media', 404, await ask('/media/gone.mp3')],
    ['missing photograph', 404, await ask('/photographs/gone-320.webp')],
    ['a # in an address', 400, await ask('/api/auth/user#x')],
    ['two hosts', 400, await ask('/api/auth/user', { headers: { host: 'a, b' } })],
    ['page', 200, await ask('/')],
    ['page, known', 304, await ask('/', { headers: { 'if-none-match': '*' } })],
    ['HEAD', 200, await ask('/', { method: 'HEAD' })],
    ['missing page', 404, await ask('/nowhere')],
    ['broken page', 500, await ask('/broken')],
    ['another spelling of a page', 308, await ask('/nowhere/')],
    ['file', 200, await ask('/assets/entry.js')],
    ['missing file', 404, await ask('/assets/gone.js')],
    ['worker', 200, await ask('/sw.js')],
  ]
  world.ctx.sqlite.exec('alter table membership_tiers rename to gone')
  kinds.push(['failure', 500, await asOwner('/api/admin/mrr')])
  return kinds
}

/** The browser keeps the body and headers it has. */
const isUnchanged = ([, status]: readonly [string, number, Response]) => status === 304

const closed = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
/** Responses that browsers show as a page or run as a worker. The rest is data and files. */
const pages = [...['page', 'HEAD', 'missing page', 'another spelling of a page', 'worker']]
const isPage = ([name]: readonly [string, number, Response]) => pages.includes(name)

/** Emails and podcast directories show these. */
const ofBrand = ['manifest', 'icon']

test('every kind of response with a body carries the security headers and its own request id', async () => {
  const ids = new Set<string>()
  const kinds = (await everyKind(open())).filter((kind) => !isUnchanged(kind))
  for (const [name, status, response] of kinds) {
    expect([name, response.status]).toEqual([name, status])
    expect([name, Object.fromEntries(response.headers)]).toEqual([
      name,
      expect.objectContaining({
        'content-security-policy': expect.any(String),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cross-origin-resource-policy': ofBrand.includes(name) ? 'cross-origin' : 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'x-request-id': expect.any(String),
      }),
    ])
    ids.add(response.headers.get('x-request-id') ?? '')
  }
  expect(ids.size).toBe(kinds.length)
  expect([...ids].every(isUuidV7)).toBe(true)
})

test('a 304 repeats no header of the response that it confirms, and a page with another policy is another one', {
  tags: ['full'],
}, async () => {
  const site = open()
  const unchanged = (await everyKind(site)).filter(isUnchanged)
  expect(unchanged.map(([name, , { headers }]) => [name, [...headers.keys()].sort()])).toEqual([
    ['kept JSON, known', ['cache-control', 'etag']],
    ['page, known', ['cache-control', 'etag', 'vary']],
  ])
  const tagOf = async ({ ask }: typeof site) => (await ask('/')).headers.get('etag')
  const first = await tagOf(open())
  expect(await tagOf(open())).toBe(first)
  expect(await tagOf(open({ EMBED_HOSTS: 'player.example' }))).not.toBe(first)
})

test('an error names the request id that the header carries', { tags: ['full'] }, async () => {
  for (const [name, status, response] of await everyKind(open())) {
    if (status < 400 || !response.headers.get('content-type')?.includes('json')) continue
    const { error } = await response.json()
    expect([name, error.requestId]).toEqual([name, response.headers.get('x-request-id')])
  }
})

test('a page that cannot be rendered does not reveal why', async () => {
  expect(await (await open().ask('/broken')).text()).not.toContain('marker')
})

const rulesOf = (response: Response) =>
  new Map(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((rule): [string, string[]] => {
      const [name = '', ...sources] = rule.split(' ')
      return [name, sources]
    }),
  )

test('the content policy is strict: nothing inline but by hash, nothing evaluated, nothing from anywhere', async () => {
  const kinds = (await everyKind(open())).filter((kind) => !isUnchanged(kind))
  for (const [name, , response] of kinds.filter(isPage)) {
    const rules = rulesOf(response)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect([name, policy]).toEqual([name, expect.not.stringMatching(/unsafe-|\*|http:|undefined/)])
    expect([name, rules.get('default-src'), rules.get('script-src')]).toEqual([name, [`'self'`], [`'self'`, hash]])
    expect(rules.get('style-src')).toEqual([`'self'`, hash])
    for (const closed of ['object-src', 'base-uri', 'frame-ancestors']) expect(rules.get(closed)).toEqual([`'none'`])
    expect(rules.get('form-action')).toEqual([`'self'`])
    expect(rules.get('connect-src')).toEqual([`'self'`])
  }
})

test('data and files may load nothing and stand in no frame, whatever a browser takes them for', {
  tags: ['full'],
}, async () => {
  const kinds = (await everyKind(open())).filter((kind) => !isUnchanged(kind) && !isPage(kind))
  const policies = kinds.map(([name, , { headers }]) => [name, headers.get('content-security-policy')])
  expect(policies.length).toBe(28)
  const styled = policies.filter(([name]) => name === 'API page')
  expect(styled).toEqual([
    ['API page', expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; /)],
  ])
  const others = policies.filter(([name]) => name !== 'API page')
  expect(others).toEqual(others.map(([name]) => [name, closed]))
})

test('a call whose address or host is none is answered like any other call', async () => {
  const { ask } = open()
  const refused = [await ask('/api/auth/user#x'), await ask('/api/auth/user', { headers: { host: 'a, b' } })]
  expect(refused.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual(
    Array(2).fill([400, 'private, no-store']),
  )
})

test('the provider’s card form is allowed with a real key, and never in the sandbox', async () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_real',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_real',
    STRIPE_WEBHOOK_SECRET: 'whsec_real',
  }
  const real = rulesOf(await open(keys).ask('/'))
  expect(real.get('script-src')).toEqual([`'self'`, hash, 'https://js.stripe.com'])
  expect(real.get('connect-src')).toEqual([`'self'`, 'https://api.stripe.com'])
  expect(real.get('frame-src')).toEqual(expect.arrayContaining(['https://js.stripe.com', 'https://hooks.stripe.com']))
  expect((await open().ask('/')).headers.get('content-security-policy')).not.toContain('stripe.com')
})

test('ANLT-01 scripts that measure are allowed from where they are configured, and from nowhere else', async () => {
  const env = {
    ANALYTICS_URL: "https://count.example/a.js;x 'unsafe-inline'",
    PIXEL_URL: 'https://adverts.example/p.js',
  }
  expect(rulesOf(await open().ask('/')).get('img-src')).toEqual([`'self'`, 'data:', 'blob:'])
  const rules = rulesOf(await open(env).ask('/'))
  const tools = ['https://count.example', 'https://adverts.example']
  expect(rules.get('script-src')).toEqual([`'self'`, hash, ...tools])
  expect(rules.get('connect-src')).toEqual([`'self'`, ...tools])
  expect(rules.get('img-src')).toEqual([`'self'`, 'data:', 'blob:', ...tools])
})

test('ANLT-01 no script that measures is allowed where people log in, nor behind it', async () => {
  const { ask } = open({ ANALYTICS_URL: 'https://count.example/a.js', PIXEL_URL: 'https://adverts.example/p.js' })
  const members = ['/members', '/members/calls', '/profile', '/app-shell']
  for (const path of ['/admin', '/admin/money', '/login', '/reset-password', ...members, '/nowhere']) {
    const policy = (await ask(path)).headers.get('content-security-policy')
    expect([path, policy]).toEqual([path, expect.stringContaining(`script-src 'self' ${hash};`)])
    expect([path, policy]).toEqual([path, expect.not.stringMatching(/count\.example|adverts\.example/)])
  }
})

test('the microphone is for documents below /members and /admin, where voice notes are recorded, and for no other, whichever is asked for first', async () => {
  const recording = ['/members', '/members/ask', '/members?tab=billing', '/admin', '/admin/inbox']
  const others = ['/', '/login', '/membership-tiers', '/app-shell', '/membersx', '/nowhere', '/api/auth/user']
  for (const paths of [
    [...recording, ...others],
    [...others, ...recording],
  ]) {
    const { ask } = open()
    for (const path of paths) {
      const policy = (await ask(path)).headers.get('permissions-policy')
      const wanted = recording.includes(path) ? 'microphone=(self),' : 'microphone=(),'
      expect([path, policy]).toEqual([path, expect.stringContaining(wanted)])
    }
  }
})

test('frames: the three hosts, what is configured, and nothing that a setting could smuggle in', async () => {
  const env = {
    EMBED_HOSTS: 'player.example, https://other.example',
    BOOKING_URL: "https://calendar.example/coach;script-src 'unsafe-inline'?day=1",
  }
  const rules = rulesOf(await open(env).ask('/'))
  expect(rules.get('frame-src')).toEqual([
    `'self'`,
    'https://fast.wistia.net',
    'https://www.youtube-nocookie.com',
    'https://streamyard.com',
    'https://player.example',
    'https://other.example',
    'https://calendar.example',
  ])
  expect(rules.get('script-src')).toEqual([`'self'`, hash])
})

test('frames: what is only a link is not allowed', async () => {
  const framed = 'BOOKING_URL COACH_CALL_URLS CATCH_UP_URLS PODCAST_PLAYER_URL TRANSFORMATION_VIDEO_URL SALES_CALL_URL'
  const more = 'SALES_PRICING_URL SALES_PAYMENT_URL SALES_DEMO_VIDEO_URL SALES_CASE_VIDEO_URL SALES_TRAINING_VIDEO_URLS'
  const linked = 'COMMUNITY_URL PODCAST_MUSIC_URL PODCAST_DIRECTORY_URL FACEBOOK_URL INSTAGRAM_URL WEBSITE_BUILDS_URL'
  const frames = `${framed} ${more}`.split(' ')
  const host = (name: string) => `https://${name.toLowerCase().replaceAll('_', '-')}.example`
  const env = Object.fromEntries(
    [...frames, ...linked.split(' '), 'SALES_REMINDER_URL'].map((name) => {
      const address = `${host(name)}/a`
      return [name, /^(COACH_CALL|CATCH_UP)_URLS$/.test(name) ? `${address},${address}` : address]
    }),
  )
  expect(
    rulesOf(await open(env).ask('/'))
      .get('frame-src')
      ?.slice(4),
  ).toEqual(frames.map(host))
})

test('HSTS is sent only where the site has https', async () => {
  const name = 'strict-transport-security'
  const { ask } = open({ PUBLIC_URL: 'https://alliance.example' })
  expect((await ask('/')).headers.get(name)).toBe('max-age=31536000; includeSubDomains')
  expect((await open().ask('/')).headers.get(name)).toBeNull()
})

test('responses about a person are not stored, cached ones are revalidated', async () => {
  const { ask, asOwner } = open()
  expect((await asOwner('/api/auth/user')).headers.get('cache-control')).toBe('private, no-store')
  expect((await ask('/api/auth/user')).headers.get('cache-control')).toBe('private, no-store')
  expect((await ask('/api/membership-tiers')).headers.get('cache-control')).toBe('private, no-cache')
  expect((await asOwner('/api/member-videos')).headers.get('cache-control')).toBe('private, no-store')
})

test('whatever else the API answers, in any form that it has, is stored by nobody', { tags: ['full'] }, async () => {
  const world = startWorld()
  const asOwner = world.signIn(world.addOwner())
  world.addVideos()
  fillDatabase(world, 1)
  const written = { subject: 'News', text: 'Words', purpose: 'news', segment: {} }
  const { id } = await (await asOwner('/api/admin/mailings', { body: written })).json()
  const params: Record<string, string> = {
    ':month': '2026-06',
    ':quarter': '2026-Q2',
    ':kind': 'sales',
    ':page': 'about',
    ':tier': 'lite',
    ':id': id,
  }
  const forAll = /^\/api\/(site-content|membership-tiers|blog(\/:slug)?|docs(\/json)?)\/?$/
  const types = new Set<string>()
  for (const { method, path } of world.wholeApp().routes) {
    if (method !== 'GET' || !path.startsWith('/api/') || path === '/api/logout' || forAll.test(path)) continue
    const known = path.replace(/mail-words\/:kind/, 'mail-words/welcome').replace(/:\w+/g, (name) => params[name] ?? id)
    for (const address of [known, `${known}?format=csv`, `${known}?format=pdf`]) {
      const { status, headers } = await asOwner(address)
      expect([address, headers.get('cache-control')]).toEqual([address, 'private, no-store'])
      if (status === 200) types.add(headers.get('content-type')?.split(';')[0] ?? '')
    }
  }
  expect([...types]).toEqual(expect.arrayContaining(['text/csv', 'application/pdf', 'text/html', 'application/json']))
})

test('the API is documented route by route, in production only when asked for', { tags: ['full'] }, async () => {
  const { world, ask } = open()
  const { paths } = await (await ask('/api/docs/json')).json()
  const page = await (await ask('/api/docs')).text()
  for (const { method, path } of world.wholeApp().routes) {
    if (!path.startsWith('/api/') || path.startsWith('/api/docs')) continue
    const written = path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')
    expect([written, Object.keys(paths[written] ?? {})]).toEqual([
      written,
      expect.arrayContaining([method.toLowerCase()]),
    ])
    expect(page).toContain(`<code>${written}</code>`)
  }
  const production = { NODE_ENV: 'production', ALLOW_SANDBOX: '1', SESSION_SECRET: 'x'.repeat(32) }
  for (const [more, status] of [
    [{}, 404],
    [{ API_DOCS: '1' }, 200],
  ] as const) {
    for (const path of ['/api/docs', '/api/docs/json']) {
      expect((await open({ ...production, ...more }).ask(path)).status).toBe(status)
    }
  }
})
