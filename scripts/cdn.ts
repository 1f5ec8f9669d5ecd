import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '#api/project.ts'
import { freePort } from '#pwa/e2e/free-port.ts'
import { productEnv, startServer } from './bench/programs.ts'

/**
 * `npm run cdn`: the built site behind Varnish (apt-get install varnish), with the rules of deploy/varnish.vcl. Every address is
 * tried through it as visitor, member and owner, and so is a change, a wrong Host and a secret in an address.
 */
const port = await freePort()
const publicUrl = `http://localhost:${port}`
const folder = mkdtempSync(join(tmpdir(), 'alliance-cdn-'))
// Varnish reads its rules as a user of its own.
chmodSync(folder, 0o755)
const failures: string[] = []

const site = await startServer(['dist/api/main.js'], {
  env: {
    ...(await productEnv(join(folder, 'data'))),
    PUBLIC_URL: publicUrl,
    FFMPEG: 'off',
    CDN_PURGE_URL: `${publicUrl}/purge`,
  },
})
const rules = join(folder, 'default.vcl')
const shipped = readFileSync(join(projectFolder, 'deploy/varnish.vcl'), 'utf8')
writeFileSync(rules, shipped.replace('.port = "3000"', `.port = "${new URL(site.url).port}"`))
const listen = ['-a', `127.0.0.1:${port}`, '-f', rules, '-s', 'malloc,64m']
const cache = Bun.spawn(['varnishd', '-F', '-n', join(folder, 'varnish'), ...listen], {
  stdio: ['ignore', 'ignore', 'ignore'],
})

try {
  await untilReady(`${publicUrl}/`)
  await run()
} finally {
  cache.kill()
  await Promise.all([site.stop(), cache.exited])
  rmSync(folder, { recursive: true, force: true })
}
for (const failure of failures) console.log(`FAILED  ${failure}`)
console.log(
  failures.length === 0 ? 'ok      the CDN keeps what’s public and nothing else' : `${failures.length} failed`,
)
process.exitCode = failures.length === 0 ? 0 : 1

async function untilReady(address: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const response = await fetch(address).catch(() => null)
    if (response?.ok) return
    await Bun.sleep(100)
  }
  throw new Error(`${address} isn’t ready.`)
}

function check(what: string, isRight: boolean): void {
  if (!isRight) failures.push(what)
}

async function login(email: string): Promise<string> {
  const response = await fetch(`${publicUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: publicUrl },
    body: JSON.stringify({ email, password: 'sandbox-password' }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${publicUrl}${path}`, { headers, redirect: 'manual' })
}

async function run(): Promise<void> {
  const people = {
    visitor: '',
    member: await login('standard@alliance.test'),
    owner: await login('owner@alliance.test'),
  }
  check('both people are logged in', people.member !== '' && people.owner !== '')
  const spec = readsOf(await (await get('/api/docs/json')).json())
  const map = await (await get('/sitemap.xml')).text()
  const pages = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
  const rooms = ['/members', '/members/profile', '/admin', '/admin/members', '/dashboard', '/login', '/nowhere']
  let kept = 0
  for (const path of [...pages, ...rooms, ...spec]) {
    const hits = await hitsOf(path, people)
    kept += hits
    // It says how the site is now.
    if (pages.includes(path) && path !== '/health') check(`${path} is kept`, hits >= 2)
  }
  console.log(
    `${pages.length} public pages, ${rooms.length} others and ${spec.length} calls as three people: ${kept} answers came from the cache`,
  )
  await tryChange(people.owner)
  await trySecrets()
}

/** Asks as each person, and returns how many of the answers came from the cache. */
async function hitsOf(path: string, people: Record<'visitor' | 'member' | 'owner', string>): Promise<number> {
  const seen: string[] = []
  let hits = 0
  // The owner first: what they leave behind is what a visitor could find.
  for (const role of ['owner', 'member', 'visitor'] as const) {
    const response = await get(path, people[role] === '' ? {} : { cookie: people[role] })
    seen.push(await response.text())
    if (response.headers.get('x-cache') !== 'hit') continue
    hits += 1
    const caching = response.headers.get('cache-control') ?? ''
    check(`${path} as ${role}: kept, and has a cookie`, response.headers.get('set-cookie') === null)
    check(`${path} as ${role}: kept, but isn’t public`, !/private|no-store/.test(caching))
    check(`${path} as ${role}: kept, and differs`, new Set(seen).size === 1)
    check(`${path} below /api was kept`, !path.startsWith('/api/'))
  }
  return hits
}

/** The calls that read, without parameters. */
function readsOf(spec: { paths: Record<string, Record<string, unknown>> }): string[] {
  return Object.entries(spec.paths).flatMap(([path, methods]) =>
    'get' in methods && !path.includes('{') && path !== '/api/logout' && path.startsWith('/api/') ? [path] : [],
  )
}

/** A page that an owner changes is new for everyone within two seconds. */
async function tryChange(cookie: string): Promise<void> {
  const heading = `Changed at ${Date.now()}`
  check('/about is kept before', (await hitOf('/about')) === 'hit')
  const response = await fetch(`${publicUrl}/api/admin/content/about/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: publicUrl, cookie },
    body: JSON.stringify({ version: 0, entries: { heading } }),
  })
  check(`the change is saved (${response.status})`, response.ok)
  const from = performance.now()
  let isNew = false
  while (!isNew && performance.now() - from < 5000) {
    isNew = (await (await get('/about')).text()).includes(heading)
    if (!isNew) await Bun.sleep(50)
  }
  const ms = Math.round(performance.now() - from)
  console.log(`a changed page was there after ${ms} ms`)
  check(`a changed page is there within 2 s (${ms} ms)`, isNew && ms < 2000)
}

async function hitOf(path: string): Promise<string | null> {
  await (await get(path)).text()
  const second = await get(path)
  await second.text()
  return second.headers.get('x-cache')
}

async function trySecrets(): Promise<void> {
  for (const path of ['/reset-password?token=secret', '/?preview=secret', '/membership-application?invitation=x.y'])
    check(`${path} isn’t kept`, (await hitOf(path)) !== 'hit')
  check('campaign tags don’t split the cache', (await hitOf('/?utm_source=van')) === 'hit')
  const strange = await get('/coaching', { host: 'evil.example' })
  await strange.text()
  check(
    'a wrong Host isn’t kept',
    (await hitOf('/coaching')) === 'hit' && (await hitOfHost('/podcast', 'evil.example')) !== 'hit',
  )
  const outside = await fetch(`${publicUrl}/purge`, {
    method: 'POST',
    headers: { 'surrogate-key': 'pages', 'x-forwarded-for': '203.0.113.9' },
  })
  check('a stranger can’t purge', outside.status === 403)
}

async function hitOfHost(path: string, host: string): Promise<string | null> {
  await (await get(path, { host })).text()
  const second = await get(path, { host })
  await second.text()
  return second.headers.get('x-cache')
}
