import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SMTPServer } from 'smtp-server'
import { sandboxPassword } from '#data/seed/people.ts'
import { freePort } from '#pwa/e2e/free-port.ts'
import type { Fixture } from './fixture.ts'
import type { Flood } from './flooder.ts'
import { baseEnv, productEnv, type RunningServer, root, startServer } from './programs.ts'
import { durationRow, limitRow, type Result } from './result.ts'
import { quantile } from './rounds.ts'

const flooder = fileURLToPath(new URL('./flooder.ts', import.meta.url))
const loopWatch = fileURLToPath(new URL('./loop-watch.ts', import.meta.url))
const seconds = 10

type Kind = Omit<Flood, 'port' | 'seconds'>

const kinds: Record<string, Kind> = {
  '150 connections from one address on forgot-password': {
    path: '/api/auth/forgot-password',
    connections: 150,
    addresses: 1,
  },
  '100 connections from 100 addresses on login': { path: '/api/auth/login', connections: 100, addresses: 100 },
}

/** What people and the site itself meet while small requests pour in, each on a connection of its own. */
export async function measureFloods(fixture: Fixture): Promise<Result[]> {
  const quiet = await measureBeside(fixture, null)
  const results: Result[] = []
  for (const [name, kind] of Object.entries(kinds)) {
    const found = await measureBeside(fixture, kind)
    const note = `answers: ${JSON.stringify(found.statuses)}; login without it ${Math.round(quiet.loginMs)} ms`
    results.push(
      { ...durationRow(`${name}: a known device’s login`, found.loginMs, quiet.loginMs + 1000), note },
      durationRow('… a timer of one second, at the latest', found.timerMs, 1500),
      durationRow('… a page, p99', found.pageMs, 100),
      durationRow('… an email is out', found.mailMs, 5000),
      durationRow('… SIGTERM is heard', found.endMs, 2000),
    )
    if (kind.path.endsWith('login')) {
      const perSecond = (found.statuses['401'] ?? 0) / seconds
      results.push(
        limitRow('… from one password check to the next', 1 / perSecond, 1, (value) => `${value.toFixed(2)} s`),
      )
    }
  }
  return results
}

type Found = {
  loginMs: number
  timerMs: number
  pageMs: number
  mailMs: number
  endMs: number
  statuses: Record<string, number>
}

async function measureBeside({ copyDataDir }: Fixture, kind: Kind | null): Promise<Found> {
  const mails = await listenForMail()
  const watched = join(mkdtempSync(join(tmpdir(), 'alliance-floods-')), 'loop.json')
  const env = {
    ...(await productEnv(copyDataDir())),
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    LOOP_WATCH: watched,
  }
  const server = await startServer(['--preload', loopWatch, 'dist/api/main.js'], env)
  try {
    const device = await logIn(server)
    const sender = kind === null ? null : startFlood(server, kind)
    await Bun.sleep(500)
    const until = performance.now() + (seconds - 2) * 1000
    const [loginMs, pageMs, mailMs] = await Promise.all([
      slowestLogin(server, { cookie: device, until }),
      pageTimes(server, until).then((times) => quantile(times, 0.99)),
      mailTime(server, mails),
    ])
    const sentAt = Date.now()
    process.kill(server.pid, 'SIGTERM')
    const statuses = sender === null ? {} : await sender
    const { latestMs, toldToEndAt } = await readWatched(watched)
    return { loginMs, pageMs, mailMs, timerMs: latestMs, endMs: toldToEndAt - sentAt, statuses }
  } finally {
    await server.kill()
    mails.close()
  }
}

async function startFlood({ url }: RunningServer, kind: Kind): Promise<Record<string, number>> {
  const flood: Flood = { ...kind, seconds, port: Number(new URL(url).port) }
  const child = Bun.spawn([process.execPath, '--no-env-file', flooder, JSON.stringify(flood)], {
    cwd: root,
    env: baseEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(await new Response(child.stdout).text())
}

/** Written by the server’s own watch. It may take a while to be told. */
async function readWatched(file: string): Promise<{ latestMs: number; toldToEndAt: number }> {
  const until = Date.now() + 30_000
  while (Date.now() < until) {
    const read = JSON.parse(readFileSync(file, 'utf8'))
    if (read.toldToEndAt !== undefined) return read
    await Bun.sleep(50)
  }
  throw new Error('The server never heard that it should end.')
}

async function slowestLogin(server: RunningServer, { cookie, until }: { cookie: string; until: number }) {
  let slowest = 0
  while (performance.now() < until) {
    const from = performance.now()
    await logIn(server, cookie)
    slowest = Math.max(slowest, performance.now() - from)
    // One account goes before strangers up to eight times a minute.
    await Bun.sleep(2000)
  }
  return slowest
}

async function logIn({ url }: RunningServer, cookie = ''): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    keepalive: false,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.0.1', ...(cookie && { cookie }) },
    body: JSON.stringify({ email: 'standard@alliance.test', password: sandboxPassword }),
  })
  if (response.status !== 200) throw new Error(`A login on a known device got ${response.status}.`)
  return response.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
}

async function pageTimes({ url }: RunningServer, until: number): Promise<number[]> {
  const times: number[] = []
  while (performance.now() < until) {
    const from = performance.now()
    const response = await fetch(url, { keepalive: false, headers: { 'x-forwarded-for': '10.9.0.2' } })
    await response.arrayBuffer()
    times.push(performance.now() - from)
    await Bun.sleep(20)
  }
  return times
}

/** From the request of a reset link to the mail’s arrival at the mail server. */
async function mailTime({ url }: RunningServer, mails: { next(): Promise<number> }): Promise<number> {
  const from = performance.now()
  const arrived = mails.next()
  await fetch(`${url}/api/auth/forgot-password`, {
    method: 'POST',
    keepalive: false,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.0.3' },
    body: JSON.stringify({ email: 'xl@alliance.test' }),
  })
  return (await Promise.race([arrived, Bun.sleep(20_000).then(() => performance.now())])) - from
}

async function listenForMail() {
  const waiting: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => {
        done()
        for (const arrived of waiting.splice(0)) arrived()
      })
    },
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return {
    port,
    next: () => new Promise<number>((resolve) => waiting.push(() => resolve(performance.now()))),
    close: () => server.close(),
  }
}
