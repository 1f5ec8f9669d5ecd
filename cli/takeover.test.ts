// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtProgram } from '#api/testing/built-program.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { startCopier, startStore, type TestStore } from '#api/testing/s3-store.ts'
import { sandboxPassword } from '#data/seed/people.ts'
import { createPhone } from '#pwa/sync/testing/phone.ts'
import { SessionUser } from '#shared/contract/auth.ts'
import { MemberVideoList } from '#shared/contract/video.ts'

type Machine = { name: string; dataDir: string; url: string; env: Record<string, string> }

let store: TestStore
let folder = ''
let first: Machine
let second: Machine
let running: Bun.Subprocess[]
beforeEach(async () => {
  store = await startStore()
  folder = mkdtempSync(join(tmpdir(), 'alliance-machines-'))
  ;[first, second] = [machine('site-1'), machine('site-2')]
  // The address stays: it leads to the first machine until someone changes that.
  second.env.PUBLIC_URL = first.url
  running = []
})
afterEach(async () => {
  for (const program of running) {
    program.kill('SIGKILL')
    await program.exited
  }
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function machine(name: string): Machine {
  const [port = '', sandboxPort = ''] = freePorts(2)
  const [dataDir, url] = [join(folder, name), `http://127.0.0.1:${port}`]
  const env = {
    DATA_DIR: dataDir,
    PORT: port,
    SANDBOX_PORT: sandboxPort,
    SANDBOX_PEOPLE: 'few',
    PUBLIC_URL: url,
    LITESTREAM_MACHINE: name,
  }
  return { name, dataDir, url, env: { PATH: process.env.PATH ?? '', FFMPEG: 'off', ...store.env, ...env } }
}

const databaseOf = ({ dataDir }: Machine) => join(dataDir, 'alliance.sqlite')

async function start({ env }: Machine): Promise<Bun.Subprocess> {
  const program = Bun.spawn([process.execPath, '--no-env-file', builtProgram('api/main')], { env, stdout: 'pipe' })
  running.push(program)
  let said = ''
  for await (const words of program.stdout.pipeThrough(new TextDecoderStream())) {
    said += words
    if (/^ready /m.test(said)) return program
  }
  throw new Error(`The server ended: ${said}`)
}

async function takeOver(options: readonly string[] = []) {
  const argv = ['--no-env-file', builtProgram('cli/main'), 'takeover', '--yes', ...options]
  const program = Bun.spawn([process.execPath, ...argv], { env: second.env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(program.stdout).text(), new Response(program.stderr).text()])
  return { code: await program.exited, out, err }
}

async function logIn({ url }: Machine): Promise<string> {
  const body = JSON.stringify({ email: 'standard@alliance.test', password: sandboxPassword })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function ask<Schema extends v.GenericSchema>(path: string, schema: Schema, cookie: string) {
  const response = await fetch(first.url + path, { headers: { cookie } })
  return v.parse(schema, await response.json())
}

function ticksIn(file: string): { applied: number; rows: Record<string, boolean> } {
  const sqlite = new Database(file, { readonly: true })
  const applied = Number(sqlite.prepare('select count(*) from applied_changes').pluck().get())
  const rows = sqlite
    .prepare<[], { videoId: string; completed: number }>(
      `select videoId, completed from video_progress join users on users.id = userId where email = 'standard@alliance.test'`,
    )
    .all()
  sqlite.close()
  return { applied, rows: Object.fromEntries(rows.map(({ videoId, completed }) => [videoId, completed === 1])) }
}

test('PROG-01 PROG-02 killed among 1,000 ticks, a machine loses at most the last second, and the phone has every tick once on the next', async () => {
  await start(first)
  const copier = await startCopier(databaseOf(first), { ...first.env, CHECKPOINT_PAGES: '300' })
  const cookie = await logIn(first)
  const { id } = await ask('/api/auth/user', SessionUser, cookie)
  const videos = await ask('/api/member-videos', MemberVideoList, cookie)
  let reached = first
  const site = {
    ctx: { now: () => new Date() },
    handle: (request: Request) => fetch(reached.url + new URL(request.url).pathname, request),
    forward: () => {},
  }
  const phone = createPhone(site)
  phone.cookie = cookie
  const tab = await phone.openTab(id)
  const before = ticksIn(databaseOf(first)).applied
  const made = new Map<string, boolean>()
  const confirmed: number[] = []
  const killAt = 300 + Math.floor(Math.random() * 600)
  let killed = 0
  for (let count = 0; count < 1000; count++) {
    const video = videos[(count * 7) % videos.length]?.id ?? ''
    made.set(video, count % 3 !== 0)
    const ticking = tab.tick(video, count % 3 !== 0).then(() => tab.engine.settled())
    if (count === killAt) {
      killed = Date.now()
      running[0]?.kill('SIGKILL')
      await Promise.all([copier.stop('SIGKILL'), running[0]?.exited])
    }
    await ticking
    if (killed === 0) confirmed.push(Date.now())
  }
  expect(await tab.engine.syncNow()).toBe('later')
  expect(copier.heard()).toContain('checkpoint')

  expect(await takeOver()).toMatchObject({ code: 0 })
  // Longer than that second only where this machine is too busy to copy in time.
  const longest = Number([...copier.heard().matchAll(/longest (\d+)/g)].at(-1)?.[1] ?? 0)
  const safe = confirmed.filter((at) => at < killed - Math.max(1_000, longest)).length
  expect(ticksIn(databaseOf(second)).applied - before).toBeGreaterThanOrEqual(safe)
  await start(second)
  reached = second
  expect(await tab.engine.syncNow()).toBe('done')
  const expected = Object.fromEntries(made)
  expect(ticksIn(databaseOf(second)).rows).toMatchObject(expected)
  expect(await tab.shown()).toMatchObject(expected)
  expect(await tab.state()).toMatchObject({ pending: 0, refused: [] })
  tab.close()
}, 300_000)

test('a machine that was only stopped answers 503 as soon as it goes on, and runs no job', async () => {
  const program = await start(first)
  const copier = await startCopier(databaseOf(first), first.env)
  const get = async () => {
    const response = await fetch(`${first.url}/`)
    return `${response.status} ${response.status === 200 ? '' : await response.text()}`
  }
  expect(await get()).toBe('200 ')
  expect(await takeOver()).toMatchObject({ code: 1, err: expect.stringContaining('still answers') })
  program.kill('SIGSTOP')
  const stoppedAt = new Date().toISOString()
  await copier.stop()
  expect(await takeOver()).toMatchObject({ code: 0 })
  await start(second)
  // One that it was in the middle of is written down as it goes on.
  const lastRun = () => {
    const sqlite = new Database(databaseOf(first), { readonly: true })
    const at = String(sqlite.prepare('select max(lastRunAt) from job_leases').pluck().get())
    sqlite.close()
    return at
  }
  program.kill('SIGCONT')
  expect(await get()).toBe('503 This copy has been replaced.')
  expect(await get()).toBe('503 This copy has been replaced.')
  expect(lastRun() < stoppedAt).toBe(true)
  expect((await fetch(`${second.url}/ready`)).status).toBe(200)
}, 120_000)
