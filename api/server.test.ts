import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { peopleSeeds, sandboxPassword } from '#data/seed/people.ts'
import { databaseFile } from './db/data-dir.ts'
import { builtProgram } from './testing/built-program.ts'
import { damagePage } from './testing/damaged-database.ts'
import { freePorts } from './testing/free-ports.ts'
import { beginFile, showImport } from './testing/imports.ts'
import type { Call } from './testing/world.ts'

type Running = {
  url: string
  port: number
  pid: number
  dataDir: string
  kill(signal: NodeJS.Signals): void
  err(): Promise<string>
  exited: Promise<number>
}
type Ended = { code: number; out: string; said: string[] }

const program = builtProgram('api/main')
const running: Running[] = []
let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-server-'))
})
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.kill('SIGKILL')
    await server.exited
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function ports() {
  const [PORT = '', SANDBOX_PORT = ''] = freePorts(2)
  return { PORT, SANDBOX_PORT, SANDBOX_PEOPLE: 'few' }
}

function spawn({ mostBlocks, ...env }: Record<string, string>) {
  // A file size limit simulates a full disk. We ignore the signal that would kill the process.
  const limit = mostBlocks === undefined ? [] : ['sh', '-c', `trap '' XFSZ; ulimit -f ${mostBlocks}; exec "$0" "$@"`]
  return Bun.spawn([...limit, process.execPath, '--no-env-file', program], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function start(
  dataDir: string,
  more: Record<string, string> = {},
  onWait = () => {},
): Promise<Running & { out: string }> {
  const env = { DATA_DIR: dataDir, HOST: '127.0.0.1', ...ports(), ...more }
  const child = spawn(env)
  let out = ''
  const decoder = new TextDecoder()
  for await (const bytes of child.stdout) {
    out += decoder.decode(bytes)
    if (out.startsWith('waiting for')) onWait()
    if (/^ready .*\n/m.test(out)) break
  }
  if (!out.includes('ready')) throw new Error(await new Response(child.stderr).text())
  const port = Number(env.PORT)
  const server = {
    url: `http://localhost:${port}`,
    port,
    pid: child.pid,
    dataDir,
    exited: child.exited,
    err: () => new Response(child.stderr).text(),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  }
  running.push(server)
  return { ...server, out }
}

async function refused(env: Record<string, string>): Promise<Ended> {
  const child = spawn({ HOST: '127.0.0.1', ...ports(), ...env })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, said: err.trim().split('\n') }
}

const demonstration = { NODE_ENV: 'production', ALLOW_SANDBOX: '1', SESSION_SECRET: 'x'.repeat(32) }

const logIn = (url: string, email = 'lite@alliance.test', password = sandboxPassword) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

async function readUntil(socket: Socket, wanted: string): Promise<string> {
  let text = ''
  while (!text.includes(wanted)) text += String(await Promise.race([once(socket, 'data'), once(socket, 'close')]))
  return text
}

async function untilClosed(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (!isOpen) return
  }
}

/** Other users of the machine can't read the folder or its files. */
function expectClosed(dataDir: string): void {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const closed = (path: string) => (statSync(path).isDirectory() ? '700' : '600')
  const names = readdirSync(dataDir)
  expect(names).toEqual(expect.arrayContaining(['alliance.sqlite', 'alliance.sqlite-wal', 'sandbox.sqlite']))
  expect(modeOf(dataDir)).toBe('700')
  for (const name of names) expect([name, modeOf(join(dataDir, name))]).toEqual([name, closed(join(dataDir, name))])
}

test('a start prints the accounts and that it is ready; a second one on its folder or its ports prints why not', {
  tags: ['full'],
}, async () => {
  const dataDir = join(root, 'first')
  const server = await start(dataDir)
  expect(server.out.trim().split('\n').at(-1)).toBe(`ready http://localhost:${server.port}`)
  for (const { email } of peopleSeeds) expect(server.out).toContain(email)
  expect(server.out).toContain(sandboxPassword)
  // A folder the server made is private from the start. One that existed before is tested below.
  expectClosed(dataDir)
  // So is everything it makes later, even without an explicit mode. Only Linux shows the umask.
  const status = `/proc/${server.pid}/status`
  if (existsSync(status)) expect(readFileSync(status, 'utf8')).toMatch(/^Umask:\t0077$/m)
  const starts = await Promise.all([
    refused({ DATA_DIR: dataDir }),
    refused({ DATA_DIR: join(root, 'second'), PORT: String(server.port) }),
    refused({ DATA_DIR: join(root, 'third'), SANDBOX_PORT: String(server.port) }),
  ])
  expect(starts.map(({ code, out, said }) => [code, out, said])).toEqual([
    [1, '', [`Alliance didn’t start. Another server is running on ${dataDir} (process ${server.pid}).`]],
    [1, '', [`Alliance didn’t start. Port ${server.port} is taken. Stop what uses it, or set PORT.`]],
    [1, '', [expect.stringMatching(/didn’t start\. Port \d+, for the payment sandbox, is taken.*SANDBOX_PORT/)]],
  ])
  expect((await fetch(`${server.url}/api/membership-tiers`)).status).toBe(200)
})

test('with its lock file gone, a running server keeps others out; a killed one doesn’t, even if another process has its number now', {
  tags: ['full'],
}, async () => {
  const server = await start(join(root, 'unlocked'))
  const { dataDir } = server
  const removeLock = () => {
    for (const name of ['server.lock', 'server.lock-journal']) rmSync(join(dataDir, name), { force: true })
  }
  removeLock()
  expect((await refused({ DATA_DIR: dataDir })).said).toEqual([
    `Alliance didn’t start. Another server is running on ${dataDir} (process ${server.pid}).`,
  ])
  server.kill('SIGKILL')
  await server.exited
  removeLock()
  // As if another process had taken over the PID: this one.
  const sqlite = new Database(databaseFile(dataDir))
  sqlite
    .prepare(`update settings set value = replace(value, ?, ?) where key = 'server'`)
    .run(` ${server.pid} `, ` ${process.pid} `)
  sqlite.close()
  // Only Linux tells when a process began.
  const [next] = await Promise.allSettled([start(dataDir)])
  expect(next?.status).toBe(process.platform === 'linux' ? 'fulfilled' : 'rejected')
})

test('a first start that runs out of room while it fills the payment sandbox says so in one line', {
  tags: ['full'],
}, async () => {
  const dataDir = join(root, 'full')
  // In blocks of 512 bytes: enough for the site's tables, but not for the sandbox's sample purchases.
  const { code, said } = await refused({ DATA_DIR: dataDir, mostBlocks: '4000' })
  // A slow machine has filled the site's own file by then, and may have logged that.
  expect([code, said.filter((line) => !line.startsWith('{'))]).toEqual([
    1,
    [expect.stringMatching(/^Alliance didn’t start\. .*\.sqlite can’t be written \(SQLITE_\w+: .*Check its disk/)],
  ])
  expect((await logIn((await start(dataDir)).url)).status).toBe(200)
})

test('two that start at once on the same ports: one serves, and the other prints which port is taken', {
  tags: ['full'],
}, async () => {
  const shared = ports()
  const begun = ['one', 'other'].map((name) => start(join(root, name), shared))
  const [served, lost] = (await Promise.allSettled(begun)).sort((a) => (a.status === 'fulfilled' ? -1 : 1))
  expect(served).toMatchObject({ status: 'fulfilled', value: { url: `http://localhost:${shared.PORT}` } })
  const line =
    /^Error: Alliance didn’t start\. Port \d+(, for the payment sandbox,)? is taken\. Stop what uses it, or set \w+\.\n$/
  expect(String(lost?.status === 'rejected' && lost.reason)).toMatch(line)
})

test('SIGTERM: requests in flight are answered, new ones refused, the log is checkpointed, and it exits 0', {
  tags: ['full'],
}, async () => {
  const server = await start(join(root, 'first'))
  // An idle keep-alive connection doesn't hold up the stop.
  await (await fetch(`${server.url}/api/membership-tiers`)).text()
  const socket = connect(server.port, '127.0.0.1')
  const body = JSON.stringify({ email: 'lite@alliance.test', password: sandboxPassword })
  const head = ['POST /api/auth/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  socket.write([...head, `Content-Length: ${body.length}`, 'Expect: 100-continue', '', ''].join('\r\n'))
  await readUntil(socket, '100 Continue')
  socket.write(body.slice(0, 20))
  server.kill('SIGTERM')
  await untilClosed(server.port)
  socket.write(body.slice(20))
  const response = await readUntil(socket, '"user"')
  expect(response).toContain('HTTP/1.1 200 OK')
  const since = performance.now()
  expect(await server.exited).toBe(0)
  expect(performance.now() - since).toBeLessThan(5_000)
  const log = `${databaseFile(server.dataDir)}-wal`
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
  socket.destroy()
})

test('a server that takes over answers all that it kept, however much, and not who has gone', {
  tags: ['full'],
}, async () => {
  const dataDir = join(root, 'taken-over')
  const first = await start(dataDir)
  const [env, hasBegun] = [{ TAKES_OVER: '1', ...ports() }, Promise.withResolvers<void>()]
  const next = start(dataDir, env, hasBegun.resolve)
  await hasBegun.promise
  const url = `http://127.0.0.1:${env.PORT}`
  const send = (name: string, signal: AbortSignal | null = null) =>
    fetch(`${url}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, email: 'sam@example.com', message: 'Is there tea?' }),
      signal,
    }).then(({ status }) => status)
  const leaving = new AbortController()
  const sent = [send('Gone', leaving.signal).catch(() => 'gone'), send('Kept')]
  // Answered meanwhile, so what came before has arrived.
  for (let asked = 0; asked < 20; asked += 1) await fetch(`${url}/ready`, { headers: { 'x-asked-by': 'test' } })
  leaving.abort()
  const read = async () => (await fetch(`${url}/api/membership-tiers`)).status
  const reads = Array.from({ length: 250 }, read)
  first.kill('SIGTERM')
  expect([await Promise.all(sent), new Set(await Promise.all(reads))]).toEqual([['gone', 200], new Set([200])])
  await next
  const sqlite = new Database(databaseFile(dataDir), { readonly: true })
  expect(sqlite.prepare(`select name from contacts where email = 'sam@example.com'`).pluck().all()).toEqual(['Kept'])
  sqlite.close()
})

test('killed without warning, it starts again with everything that was confirmed', { tags: ['full'] }, async () => {
  const first = await start(join(root, 'first'))
  const cookie = (await logIn(first.url)).headers.get('set-cookie')?.split(';')[0] ?? ''
  first.kill('SIGKILL')
  await first.exited
  const again = await start(first.dataDir)
  const response = await fetch(`${again.url}/api/auth/user`, { headers: { cookie } })
  expect([response.status, (await response.json()).email]).toEqual([200, 'lite@alliance.test'])
})

test('killed three times while it reads an owner’s file, it leaves the file, and says so', {
  tags: ['full'],
}, async () => {
  let server = await start(join(root, 'killed'))
  const cookie = (await logIn(server.url, 'owner@alliance.test')).headers.get('set-cookie')?.split(';')[0] ?? ''
  const call: Call = (path, { method, body, headers } = {}) =>
    fetch(server.url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { cookie, 'content-type': 'application/json', origin: server.url, ...headers },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) }),
    })
  const content = `email\n${Array.from({ length: 300_000 }, (_, at) => `p${at}@example.com`).join('\n')}`
  const { id } = await beginFile(call, { kind: 'members', name: 'm.csv', content })
  const sqlite = new Database(databaseFile(server.dataDir), { readonly: true })
  onTestFinished(() => void sqlite.close())
  const state = () => sqlite.prepare('select state, begun from imports where id = ?').raw().get(id)
  for (const begun of [1, 2, 3]) {
    await expect.poll(state, { timeout: 30_000 }).toEqual(['planning', begun])
    server.kill('SIGKILL')
    await server.exited
    expect(state()).toEqual(['planning', begun])
    server = await start(server.dataDir)
  }
  await expect.poll(state, { timeout: 30_000 }).toEqual(['planned', 0])
  expect(await showImport(call, id)).toMatchObject({
    problem:
      'The server stopped three times while we read this file, so we’ve left it. Split it into smaller files and try those.',
  })
})

test('a damaged page is found at the start: it serves what it can, says so, refuses writes, and stops in order', {
  tags: ['full'],
}, async () => {
  const dataDir = join(root, 'damaged')
  const sound = await start(dataDir)
  sound.kill('SIGTERM')
  await sound.exited
  damagePage(databaseFile(dataDir), 'sessions')
  const server = await start(dataDir)
  const health = await (await fetch(`${server.url}/api/health`)).json()
  expect(health).toMatchObject({ status: 'error', services: { database: 'damaged' } })
  expect((await fetch(`${server.url}/api/membership-tiers`)).status).toBe(200)
  expect((await logIn(server.url)).status).toBe(503)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await server.err()).toContain('The database is damaged')
})

test('a body that is too large is refused by our own error, however it is sent', { tags: ['full'] }, async () => {
  const { url } = await start(join(root, 'first'))
  const megabytes = new Uint8Array(3_000_000).fill(32)
  const stream = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(megabytes)
        controller.close()
      },
    })
  for (const body of [megabytes, stream()]) {
    const response = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect([response.status, (await response.json()).error.code]).toEqual([413, 'too_large'])
    expect(response.headers.get('content-security-policy')).toContain(`default-src 'none'`)
  }
})

test('production refuses the sandbox and its accounts, with one line', { tags: ['full'] }, async () => {
  const seeded = await start(join(root, 'first'))
  seeded.kill('SIGKILL')
  await seeded.exited
  const production = { NODE_ENV: 'production', DATA_DIR: seeded.dataDir }
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    SESSION_SECRET: 'x'.repeat(32),
  }
  const starts = await Promise.all([
    refused(production),
    refused({ ...production, ...keys, SESSION_SECRET: '' }),
    refused({ ...production, ...keys }),
  ])
  starts.push(await refused({ ...production, ...demonstration }))
  expect(starts.map(({ code, said }) => [code, said])).toEqual([
    [1, [expect.stringContaining('The payment sandbox doesn’t run in production')]],
    [1, [expect.stringContaining('Set SESSION_SECRET in production')]],
    [1, [expect.stringContaining('has the sandbox’s accounts, whose passwords are public')]],
    [1, [expect.stringContaining('has the sandbox’s accounts, whose passwords are public')]],
  ])
})

test('a demonstration in production: a random password that is printed once, no seeded owners, mail for owners alone', {
  tags: ['full'],
}, async () => {
  const env = { ...demonstration, OWNER_EMAILS: 'me@example.com' }
  const first = await start(join(root, 'demonstration'), env)
  const password = /all with the password\n(\S{43}):/.exec(first.out)?.[1] ?? ''
  expect(first.out).not.toContain('owner@alliance.test')
  expect((await logIn(first.url)).status).toBe(401)
  expect((await logIn(first.url, 'owner@alliance.test', password)).status).toBe(401)
  const member = await logIn(first.url, 'lite@alliance.test', password)
  expect(member.status).toBe(200)
  const cookie = member.headers.getSetCookie().join('; ')
  const mail = async (headers = {}) => (await fetch(`${first.url}/sandbox/mail`, { headers })).status
  expect([await mail(), await mail({ cookie })]).toEqual([401, 403])
  first.kill('SIGTERM')
  await first.exited
  const again = await start(first.dataDir, env)
  expect(again.out).not.toContain(password)
  expect((await logIn(again.url, 'lite@alliance.test', password)).status).toBe(200)
})

test('the data folder and its files are closed to the machine’s other users, those from before as well', {
  tags: ['full'],
}, async () => {
  const dataDir = join(root, 'first')
  writeFileSync(join(dataDir, 'from-before.txt'), '')
  for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644)
  chmodSync(dataDir, 0o755)
  const server = await start(dataDir)
  await logIn(server.url)
  expectClosed(dataDir)
})

test('what lies deeper in it from before is closed as well, soon after the start; what a link leads to is not', {
  tags: ['full'],
}, async () => {
  const [dataDir, outside] = [join(root, 'first'), join(root, 'outside.txt')]
  const folder = join(dataDir, 'media/ab')
  const [file, size] = [join(folder, 'abcd'), join(dataDir, 'media/sizes/abcd-400.webp')]
  for (const path of [file, size]) mkdirSync(dirname(path), { recursive: true })
  for (const path of [file, size, outside]) writeFileSync(path, '')
  for (const path of [file, size, outside]) chmodSync(path, 0o644)
  for (const path of [folder, dirname(size)]) chmodSync(path, 0o755)
  symlinkSync(outside, join(folder, 'link'))
  const server = await start(dataDir)
  const modes = (...paths: string[]) => paths.map((path) => (statSync(path).mode & 0o777).toString(8))
  await expect.poll(() => modes(folder, file, dirname(size), size)).toEqual(['700', '600', '700', '600'])
  server.kill('SIGTERM')
  await server.exited
  expect(modes(outside)).toEqual(['644'])
})

test('what cannot be served is refused with one line: a folder that is a file', { tags: ['full'] }, async () => {
  const file = join(root, 'a-file')
  writeFileSync(file, 'not a folder')
  for (const dataDir of [file, join(file, 'below')]) {
    const { code, out, said } = await refused({ DATA_DIR: dataDir })
    expect([code, out, said]).toEqual([1, '', [`Alliance didn’t start. DATA_DIR (${dataDir}) isn’t a folder.`]])
  }
})
