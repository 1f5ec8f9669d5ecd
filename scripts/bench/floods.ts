import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSmtp } from '#api/mail/testing/smtp-server.ts'
import { sandboxPassword } from '#data/seed/people.ts'
import { type Flood, startBeside } from './beside.ts'
import { printMost, quantile, timed } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { benchFile, productEnv, type RunningServer, startProduct, startServer } from './programs.ts'

const proxied = { TRUSTED_PROXIES: '127.0.0.1' }
const [wrongTries, rounds] = [200, 5]

/** How long a login takes during a flood of wrong passwords. The floor is one hash. */
export async function measureLogin({ copyDataDir }: Fixture): Promise<void> {
  await using server = await startProduct(copyDataDir(), proxied)
  const cookie = await logIn(server, { from: '10.9.0.1' })
  const slowest = async (sender: Sender, floodFrom: (round: number, index: number) => string) => {
    let most = 0
    for (let round = 0; round < rounds; round += 1) {
      const tries = Array.from({ length: wrongTries }, (_, index) =>
        post(server, '/api/auth/login', {
          from: floodFrom(round, index),
          json: { email: `nobody-${round}-${index}@example.com`, password: 'wrong-wrong-42' },
        }),
      )
      most = Math.max(most, await timed(() => logIn(server, sender)))
      await Promise.all(tries)
    }
    return most
  }
  const fromOne = await slowest({ from: '10.9.0.2' }, (round) => `10.1.0.${round}`)
  printMost(`Login during ${wrongTries} wrong tries from one address, the slowest`, fromOne, { most: 1000 })
  const fromMany = await slowest({ from: '10.9.0.3', cookie }, (round, index) => `10.${round + 10}.1.${index}`)
  printMost('The same from as many addresses, on a known device', fromMany, { most: 700 })
}

type Sender = { from: string; cookie?: string }
type Post = Sender & { json: unknown }

async function post({ url }: RunningServer, path: string, { from, cookie = '', json }: Post): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from, cookie }
  const response = await fetch(url + path, { method: 'POST', keepalive: false, headers, body: JSON.stringify(json) })
  await response.arrayBuffer()
  return response
}

/** Returns the cookie by which the device is known. */
async function logIn(server: RunningServer, sender: Sender): Promise<string> {
  const json = { email: 'standard@alliance.test', password: sandboxPassword }
  const response = await post(server, '/api/auth/login', { ...sender, json })
  if (response.status !== 200) throw new Error(`A login got ${response.status} beside the flood.`)
  return response.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
}

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
export async function measureFloods(fixture: Fixture): Promise<void> {
  const quiet = await measureBeside(fixture, null)
  for (const [name, kind] of Object.entries(kinds)) {
    const found = await measureBeside(fixture, kind)
    const note = `answers: ${JSON.stringify(found.statuses)}; login without it ${Math.round(quiet.loginMs)} ms`
    printMost(`${name}: a known device’s login`, found.loginMs, { most: quiet.loginMs + 300, note })
    printMost('… a timer of one second, at the latest', found.timerMs, { most: 100 })
    printMost('… a page, p99', found.pageMs, { most: 25 })
    printMost('… an email is out', found.mailMs, { most: 900 })
    printMost('… SIGTERM is heard', found.endMs, { most: 100 })
    if (!kind.path.endsWith('login')) continue
    const between = seconds / (found.statuses['401'] ?? 0)
    const format = (value: number) => `${value.toFixed(2)} s`
    printMost('… from one password check to the next', between, { most: 0.2, format })
  }
}

async function measureBeside({ copyDataDir }: Fixture, kind: Kind | null) {
  const smtp = await startSmtp()
  const watched = join(mkdtempSync(join(tmpdir(), 'alliance-floods-')), 'loop.json')
  const mail = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, LOOP_WATCH: watched }
  const env = { ...(await productEnv(copyDataDir())), ...proxied, ...mail }
  const server = await startServer(['--preload', `./${benchFile('loop-watch.ts')}`, 'dist/api/main.js'], { env })
  try {
    const cookie = await logIn(server, { from: '10.9.0.1' })
    const port = Number(new URL(server.url).port)
    const flood = kind && new Response(startBeside('flood', { ...kind, seconds, port }).stdout).json()
    await Bun.sleep(500)
    const until = performance.now() + (seconds - 2) * 1000
    const page = () => fetch(server.url, { keepalive: false, headers: { 'x-forwarded-for': '10.9.0.2' } })
    const [logins, pages, mailMs] = await Promise.all([
      // One account goes before strangers up to eight times a minute.
      timesUntil(until, 2000, () => logIn(server, { from: '10.9.0.1', cookie })),
      timesUntil(until, 20, async () => (await page()).arrayBuffer()),
      timed(async () => {
        const before = smtp.taken.length
        await post(server, '/api/auth/forgot-password', { from: '10.9.0.3', json: { email: 'xl@alliance.test' } })
        for (const end = Date.now() + 20_000; smtp.taken.length === before && Date.now() < end; ) await Bun.sleep(10)
      }),
    ])
    const sentAt = Date.now()
    process.kill(server.pid, 'SIGTERM')
    const statuses: Record<string, number> = (await flood) ?? {}
    const { latestMs: timerMs, toldToEndAt } = await readWatched(watched)
    const [loginMs, pageMs] = [Math.max(...logins), quantile(pages, 0.99)]
    return { loginMs, pageMs, mailMs, timerMs, endMs: toldToEndAt - sentAt, statuses }
  } finally {
    await server.kill()
    await smtp.stop()
  }
}

async function timesUntil(until: number, pauseMs: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  while (performance.now() < until) {
    times.push(await timed(work))
    await Bun.sleep(pauseMs)
  }
  return times
}

/** Written by the server’s own watch. It may take a while to be told. */
async function readWatched(file: string): Promise<{ latestMs: number; toldToEndAt: number }> {
  for (const until = Date.now() + 30_000; Date.now() < until; await Bun.sleep(50)) {
    const read = JSON.parse(readFileSync(file, 'utf8'))
    if (read.toldToEndAt !== undefined) return read
  }
  throw new Error('The server never heard that it should end.')
}
