// @module-tag full
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openReadOnly } from '#api/db/open.ts'
import { contacts } from '#api/db/schema/forms.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { videoFileOf } from '#api/testing/media.ts'
import { chunkType, maxChunkBytes, offsetHeader } from '#shared/contract/upload-piece.ts'
import { ownerCookie } from './bench/fixture.ts'
import { productEnv, type RunningServer, startProgram, startServer } from './bench/programs.ts'

let folder: string
let env: Record<string, string>
let server: RunningServer
let proxy: Bun.Subprocess | undefined
let port: number
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-proxies-'))
  port = Number(freePorts(1)[0])
  env = { ...(await productEnv(join(folder, 'data'))), TRUSTED_PROXIES: '127.0.0.1' }
  server = await start()
})
afterEach(async () => {
  proxy?.kill()
  await proxy?.exited
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const start = () => startServer(['dist/api/main.js'], { env })
const shipped = (name: string) =>
  readFileSync(`deploy/${name}`, 'utf8').replace('127.0.0.1:3000', `127.0.0.1:${env.PORT}`)

/** Our settings for Caddy, without a certificate. */
function startCaddy(): void {
  const file = join(folder, 'Caddyfile')
  const site = shipped('Caddyfile').replace('alliance.example', `http://:${port}`)
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  runCaddy(file)
}

/** The container's settings, for two servers. */
function startContainersCaddy(ports: readonly number[]): void {
  const file = join(folder, 'Caddyfile')
  const site = readFileSync('deploy/container.Caddyfile', 'utf8')
    .replace('{$SITE_HOST}', `http://:${port}`)
    .replace('172.30.7.3:3000', `127.0.0.1:${ports[0]}`)
    .replace('172.30.7.4:3000', `127.0.0.1:${ports[1]}`)
  writeFileSync(file, site.replace('{', '{\n\tadmin off\n\tauto_https off'))
  runCaddy(file)
}

function runCaddy(file: string): void {
  proxy = Bun.spawn(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
}

/** Our settings for nginx, of which the server that redirects to https and the certificate are left out. */
function startNginx(): void {
  const file = join(folder, 'nginx.conf')
  const settings = shipped('nginx.conf')
    .replace(/server \{\s+listen 80;[\s\S]*?\n\}\n/, '')
    .replace(/ {2}(ssl_\w+|listen \[::\]:443) .*;\n/g, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('/opt/alliance/current/deploy', join(process.cwd(), 'deploy'))
  const around = `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\n`
  writeFileSync(file, `${around}http {\naccess_log off;\n${settings}}\n`)
  proxy = Bun.spawn(['nginx', '-c', file, '-e', join(folder, 'error.log')], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Each from an address of its own, so that no limit is met. */
function ask(method: string, index: number): Promise<number | string> {
  const body = method === 'POST' ? JSON.stringify({ name: 'A', email: `a${index}@example.com`, message: 'Hello' }) : ''
  const from = `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`
  const path = method === 'POST' ? '/api/contact' : '/api/membership-tiers'
  const headers = {
    host: 'localhost',
    ...(body && { 'content-type': 'application/json', 'idempotency-key': Bun.randomUUIDv7() }),
  }
  const { promise, resolve } = Promise.withResolvers<number | string>()
  const sent = request(
    { host: '127.0.0.1', port, path, method, agent: false, localAddress: from, headers },
    (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    },
  )
  sent.on('error', ({ message }) => resolve(message))
  sent.end(body)
  return promise
}

/** Eight people who ask and send all along, while the server is stopped and started, as an update does. */
async function visitDuring(updates: number, update: () => Promise<void>) {
  await expect.poll(() => ask('GET', 0), { timeout: 30_000 }).toBe(200)
  const got = { GET: new Set<number | string>(), POST: new Map<number, number | string>() }
  let [sent, longestMs] = [0, 0]
  let isOver = false
  const visitor = async () => {
    while (!isOver) {
      sent += 1
      const index = sent
      const from = performance.now()
      if (index % 2 === 0) got.GET.add(await ask('GET', index))
      else got.POST.set(index, await ask('POST', index))
      longestMs = Math.max(longestMs, performance.now() - from)
    }
  }
  const visitors = Promise.all(Array.from({ length: 8 }, visitor))
  for (let done = 0; done < updates; done += 1) {
    const before = sent
    await expect.poll(() => sent, { timeout: 60_000 }).toBeGreaterThan(before + 100)
    await update()
  }
  isOver = true
  await visitors
  const stored = openReadOnly(join(String(env.DATA_DIR), 'alliance.sqlite'))
    .select({ email: contacts.email })
    .from(contacts)
    .all()
  const ofVisitors = stored.map(({ email }) => email).filter((email) => /^a\d+@example\.com$/.test(email))
  const answered = [...got.POST].filter(([, status]) => status === 200).map(([index]) => `a${index}@example.com`)
  return {
    reads: [...got.GET],
    writes: [...new Set(got.POST.values())],
    stored: ofVisitors.toSorted(),
    answered: answered.toSorted(),
    longestMs,
  }
}

async function restart(): Promise<void> {
  await server.stop()
  server = await start()
}

test('an update behind Caddy: each read waits for it, and what’s sent is stored once or refused', async () => {
  startCaddy()
  const { reads, writes, stored, answered } = await visitDuring(4, restart)
  expect(reads).toEqual([200])
  // Debian's Caddy can't send a body again if it found no server (caddy#7546).
  expect(writes.filter((status) => status !== 200 && status !== 502)).toEqual([])
  expect(stored).toEqual(answered)
})

/** A server that takes over, and listens at the other address. Resolves once it waits for the one before. */
async function startNext(atPort: number) {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const { promise: waits, resolve: hasBegun } = Promise.withResolvers<void>()
  const child = startProgram(['dist/api/main.js'], { env: { ...env, PORT: String(atPort), TAKES_OVER: '1' } })
  void (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of child.stdout) {
      text += decoder.decode(bytes, { stream: true })
      if (text.includes('waiting for')) hasBegun()
      if (/^ready /m.test(text)) resolve()
    }
  })()
  await waits
  return { child, ready }
}

/** A visitor on a bad line, whose form takes minutes to arrive. */
function sendSlowly(): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    'POST /api/contact HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{',
  )
  const drip = setInterval(() => socket.write(' '), 200)
  socket.once('close', () => clearInterval(drip))
  return socket
}

/** A film that visitors may watch, too large for what lies between a server and a phone. Returns its address. */
async function addFilm(): Promise<string> {
  const film = videoFileOf(40_000_000, 1)
  const send = async (path: string, method: string, body: object | Uint8Array<ArrayBuffer>, sent: object) => {
    const headers = { cookie: ownerCookie(String(env.DATA_DIR)), ...sent }
    const init = { method, headers, body: body instanceof Uint8Array ? body : JSON.stringify(body) }
    const response = await fetch(`${server.url}/api/admin/media/uploads${path}`, init)
    expect(response.status).toBe(200)
    return response.json()
  }
  const json = { 'content-type': 'application/json' }
  const wish = { name: 'film.mp4', bytes: film.length, fingerprint: 'f'.repeat(64), isPublic: true, replaces: null }
  const { id } = await send('', 'POST', wish, json)
  for (let at = 0; at < film.length; at += maxChunkBytes)
    await send(`/${id}`, 'PATCH', film.slice(at, at + maxChunkBytes), {
      'content-type': chunkType,
      [offsetHeader]: String(at),
    })
  return (await send(`/${id}/finish`, 'POST', {}, json)).address
}

/** A phone that takes minutes for it. */
function watchSlowly(address: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.pause())
  socket.on('error', () => {})
  socket.write(`GET ${address} HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`)
  return socket
}

test('20 updates in a container: every read and everything that’s sent is answered, within 2 seconds, and stored once', {
  timeout: 600_000,
}, async () => {
  await server.stop()
  const ports = freePorts(2).map(Number)
  env = { ...env, PORT: String(ports[0]), PUBLIC_URL: `http://localhost:${port}`, TAKES_OVER: '1' }
  server = await start()
  startContainersCaddy(ports)
  const film = await addFilm()
  let running: { stop(): Promise<unknown> } = server
  const moveTo = async (atPort = 0) => {
    const { child, ready } = await startNext(atPort)
    const slow = [sendSlowly(), watchSlowly(film)]
    const stopped = running.stop()
    await ready
    for (const one of slow) one.destroy()
    await stopped
    running = {
      stop() {
        child.kill('SIGTERM')
        return child.exited
      },
    }
  }
  // To a server beside it, then to one at the address that stays.
  const update = async () => {
    await moveTo(ports[1])
    await moveTo(ports[0])
  }
  const { reads, writes, stored, answered, longestMs } = await visitDuring(20, update)
  await running.stop()
  process.stdout.write(`${answered.length} sent, the longest answer after ${Math.round(longestMs)} ms\n`)
  expect([reads, writes]).toEqual([[200], [200]])
  expect(stored).toEqual(answered)
  // Beside other work a start takes longer.
  const isQuiet = (loadavg()[0] ?? 0) <= availableParallelism()
  expect(longestMs).toBeLessThan(isQuiet ? 2_000 : 10_000)
})

test('an update behind nginx: what it can’t hold gets the page that loads again, and what’s sent is stored once or refused', async () => {
  startNginx()
  const { reads, writes, stored, answered } = await visitDuring(4, restart)
  expect([...reads, ...writes].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(stored).toEqual(answered)
})

/** Several at once and more than once, because whether a proxy sees the end of the connection or the answer first is a race. */
test.each([
  ['Caddy', startCaddy],
  ['nginx', startNginx],
])(
  'a body that’s too large, or of someone who may not send it, gets its own answer behind %s',
  async (_, startProxy) => {
    startProxy()
    await expect.poll(() => ask('GET', 0), { timeout: 30_000 }).toBe(200)
    for (const megabytes of Array.from({ length: 6 }, () => [0.9, 2, 20]).flat()) {
      const body = JSON.stringify({ message: 'x'.repeat(megabytes * 1024 ** 2) })
      const paths = ['/api/contact', '/api/contact', '/api/contact', '/api/admin/media', '/api/admin/media']
      const got = await Promise.all(paths.map((path) => post(path, body)))
      const refused = megabytes < 20 ? 401 : 413
      expect([megabytes, ...got]).toEqual([megabytes, 413, 413, 413, refused, refused])
    }
  },
)

async function post(path: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', host: 'localhost' }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })).status
}
