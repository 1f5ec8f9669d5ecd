import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyAgeSeconds } from '#api/copies/age.ts'
import { firstFault } from '#api/copies/litestream.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { readSettings } from '#api/settings.ts'
import { startStore, type TestStore } from '#api/testing/s3-store.ts'
import { startWorld } from '#api/testing/world.ts'
import { runCommand } from './testing/run-command.ts'

let store: TestStore
let folder = ''
beforeEach(async () => {
  store = await startStore()
  folder = mkdtempSync(join(tmpdir(), 'alliance-litestream-'))
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** A program that says this version, and whose dry run finds a copy from 2026 on. `missing`: but none of these times. */
function litestreamOf(version: string, missing = '202[0-5]'): Record<string, string> {
  const program = join(folder, `litestream-${version}`)
  const text = `#!/bin/sh\ncase "$*" in version) echo v${version} ;; *-dry-run*${missing}*) exit 1 ;; esac\n`
  writeFileSync(program, text, { mode: 0o755 })
  return { ...store.env, DATA_DIR: join(folder, 'data'), LITESTREAM_MACHINE: 'site-1', LITESTREAM_PROGRAM: program }
}

function objects() {
  const { copies } = readSettings(litestreamOf('0.3.13'))
  if (copies.store === null) throw new Error('There is no store.')
  return openObjectStore(copies.store)
}

async function addCopies(...names: string[]): Promise<void> {
  writeFileSync(join(folder, 'piece'), 'a piece')
  for (const name of names) await objects().put(`copies/site-1/${name}`, join(folder, 'piece'))
}

const timeOf = async (name: string) =>
  (await objects().list('copies/site-1/')).find((one) => one.name.endsWith(`/${name}`))?.storedAt ?? ''

const v3 = 'generations/0123456789abcdef/snapshots/00000000.snapshot.lz4'
/** As 0.5 names them in a store; on a disk there's a folder `ltx` above. */
const ltxOf = (level: number, at: number) => {
  const [folder, change] = [String(level).padStart(4, '0'), String(at).padStart(16, '0')]
  return `${folder}/${change}-${change}.ltx`
}
const ltx = ltxOf(0, 1)
/** The store tells times by the second. */
async function nextSecond(): Promise<void> {
  const before = Math.floor(Date.now() / 1000)
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(before)
}
const run = (line: string, version: string) =>
  runCommand(line.split(' '), { env: litestreamOf(version), now: () => new Date() })
const configOf = async (version: string) => Bun.YAML.parse((await run('copies config', version)).out)

test('the settings file is in the language of the Litestream that’s here, and keeps what a week needs', async () => {
  const replica = {
    type: 's3',
    bucket: 'nights',
    path: 'alliance/copies/site-1',
    endpoint: expect.stringMatching(/^http:/),
    region: 'us-east-1',
    'sync-interval': '500ms',
  }
  const db = { path: join(folder, 'data/alliance.sqlite'), 'monitor-interval': '250ms' }
  const common = {
    'access-key-id': '$S3_ACCESS_KEY_ID',
    'secret-access-key': '$S3_SECRET_ACCESS_KEY',
    logging: { stderr: true },
  }
  const old = { ...replica, 'snapshot-interval': '24h', retention: '192h' }
  expect(await configOf('0.3.13')).toEqual({ ...common, dbs: [{ ...db, replicas: [old] }] })
  const snapshot = { interval: '24h', retention: '192h' }
  expect(await configOf('0.5.17')).toEqual({ ...common, snapshot, dbs: [{ ...db, replica }] })
})

test('Litestream gets the keys as the site reads them, whatever is in them', async () => {
  const secret = `a"b\\c $HOME 'd' #e: é`
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, `${secret}\n`)
  const env = { ...litestreamOf('0.5.17'), S3_SECRET_ACCESS_KEY: '', S3_SECRET_ACCESS_KEY_FILE: secretFile }
  const { out } = await runCommand(['copies', 'config', '--with-keys'], { env })
  expect(Bun.YAML.parse(out)).toMatchObject({ 'access-key-id': 'S3RVER', 'secret-access-key': secret })
  // Nothing in them stands for a variable.
  expect(readFileSync('deploy/litestream/litestream.service', 'utf8')).toMatch(/^ExecStart=.* -no-expand-env$/m)
})

test('a store that doesn’t answer holds up neither Litestream nor the site, which starts after it', async () => {
  using silent = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => Promise.withResolvers<Response>().promise })
  const LITESTREAM_URL = `s3://nights/alliance?endpoint=http://127.0.0.1:${silent.port}`
  expect((await runCommand(['copies', 'config'], { env: { ...litestreamOf('0.5.17'), LITESTREAM_URL } })).code).toBe(0)
})

test('a change of version says what becomes of the copies; 0.3 is refused what it can’t read', async () => {
  await addCopies(v3)
  expect((await run('copies config', '0.3.13')).err).toBe('')
  expect((await run('copies config', '0.5.17')).err).toContain('delete copies/site-1/generations')
  expect((await run('takeover --dry-run --old-site-is-gone', '0.5.6')).err).toContain('Install 0.5.7 or later')
  expect(await run('takeover --dry-run --old-site-is-gone', '0.5.17')).toMatchObject({ code: 0 })
  await nextSecond()
  await addCopies(ltx)
  const refused = { code: 1, err: expect.stringContaining('These copies are by Litestream 0.5, and 0.3.13 here can’t') }
  for (const line of ['takeover --dry-run --old-site-is-gone', 'restore --at latest --dry-run', 'restore try'])
    expect(await run(line, '0.3.13')).toMatchObject(refused)
  expect((await run('copies config', '0.3.13')).err).toContain('Install 0.5.17')
})

test('copies by 0.5 alone are no change of version', async () => {
  await addCopies(ltx, ltxOf(9, 1))
  expect(await run('copies config', '0.5.17')).toMatchObject({ code: 0, err: '' })
})

test('the age of a copy follows what’s written, whatever was the newest before', async () => {
  const world = startWorld({ env: litestreamOf('0.5.17') })
  const v3Change = v3.replace('snapshots/00000000.snapshot', 'wal/00000000_00000000.wal')
  /** What’s added, in a second of its own, and whose time then counts. */
  const steps: [added: string[], counts: string][] = [
    [[v3], v3],
    [[v3Change], v3Change],
    [[ltxOf(0, 1), ltxOf(9, 1)], ltxOf(0, 1)],
    [[ltxOf(0, 2)], ltxOf(0, 2)],
    // Put together of what was copied before.
    [[ltxOf(1, 2)], ltxOf(0, 2)],
    [[ltxOf(0, 3)], ltxOf(0, 3)],
  ]
  for (const [added, counts] of steps) {
    await nextSecond()
    await addCopies(...added)
    const now = new Date()
    const age = await copyAgeSeconds({ ...world.ctx, now: () => now })
    const copiedTo = new Date(now.getTime() - (age ?? Number.NaN) * 1000 + 999)
    expect([counts, copiedTo.toISOString().slice(0, 19)]).toEqual([counts, (await timeOf(counts)).slice(0, 19)])
  }
})

test('whether 0.5’s copies reach back is for it to say, and before 0.5.12 it can’t', async () => {
  await addCopies(ltx)
  const at = new Date().toISOString()
  const reach = async (version: string, time = at) => (await run(`restore --at ${time} --dry-run`, version)).out
  expect(await reach('0.5.17')).toMatch(/Goes back that far\s+yes/)
  expect(await reach('0.5.11')).toMatch(/Goes back that far\s+can’t tell/)
  expect(await run('restore --at 2025-01-01T00:00Z --dry-run', '0.5.17')).toMatchObject({ code: 3 })
  for (const noDay of ['2025-06-31T10:00Z', '0000-01-01T00:00'])
    expect(await run(`restore --at ${noDay} --dry-run`, '0.5.17')).toMatchObject({ code: 2 })
})

test('once 0.5 copies, what 0.3 left reaches no further than to its end', async () => {
  await addCopies(v3)
  const end = await timeOf('00000000.snapshot.lz4')
  await nextSecond()
  const since = new Date().toISOString()
  await nextSecond()
  await addCopies(ltx)
  const dryRun = (at: string, missing?: string) =>
    runCommand(['restore', '--at', at, '--dry-run'], { env: litestreamOf('0.5.17', missing), now: () => new Date() })
  expect((await dryRun(new Date(end).toISOString(), '20')).out).toMatch(/Goes back that far\s+yes/)
  expect((await dryRun(since)).out).toMatch(/Goes back that far\s+yes/)
  expect(await dryRun(since, '20')).toMatchObject({ code: 3, err: expect.stringContaining('don’t reach back to') })
})

test('of what Litestream says, the first fault is shown, and not the end of a trace', () => {
  const line =
    'time=2026-11-29T23:43:03Z level=ERROR msg="failed to run" error="cannot fetch generations: \\"a\\"\\ncaused by: b"'
  expect(firstFault({ out: 'level=INFO msg="restoring snapshot"\n', err: line })).toBe('cannot fetch generations: "a".')
  const trace =
    'panic: runtime error: invalid memory address\n\ngoroutine 34 [running]:\nmain.main()\n\t/src/main.go:9 +0x1d\n'
  expect(firstFault({ out: '', err: trace })).toBe('panic: runtime error: invalid memory address.')
  expect(firstFault({ out: '', err: 'Error: no matching backup files available\n' })).toBe(
    'no matching backup files available.',
  )
  expect(firstFault({ out: '', err: '' })).toBe('it doesn’t say why.')
})
