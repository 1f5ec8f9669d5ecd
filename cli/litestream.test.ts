import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstFault } from '#api/copies/litestream.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { readSettings } from '#api/settings.ts'
import { startStore, type TestStore } from '#api/testing/s3-store.ts'
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

/** A program that says this version, and whose dry run finds a copy from 2026 on. */
function litestreamOf(version: string): Record<string, string> {
  const program = join(folder, `litestream-${version}`)
  writeFileSync(program, `#!/bin/sh\ncase "$*" in version) echo v${version} ;; *-dry-run*202[0-5]*) exit 1 ;; esac\n`, {
    mode: 0o755,
  })
  return { ...store.env, DATA_DIR: join(folder, 'data'), LITESTREAM_MACHINE: 'site-1', LITESTREAM_PROGRAM: program }
}

async function addCopies(...names: string[]): Promise<void> {
  const { copies } = readSettings(litestreamOf('0.3.13'))
  if (copies.store === null) throw new Error('There is no store.')
  writeFileSync(join(folder, 'piece'), 'a piece')
  for (const name of names) await openObjectStore(copies.store).put(`copies/site-1/${name}`, join(folder, 'piece'))
}

const v3 = 'generations/0123456789abcdef/snapshots/00000000.snapshot.lz4'
const ltx = 'ltx/0000/0000000000000001-0000000000000001.ltx'
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

test('a change of version says what becomes of the copies; 0.3 is refused what it can’t read', async () => {
  await addCopies(v3)
  expect((await run('copies config', '0.3.13')).err).toBe('')
  expect((await run('copies config', '0.5.17')).err).toContain('still restores what 0.3 copied')
  expect((await run('takeover --dry-run --old-site-is-gone', '0.5.6')).err).toContain('Install 0.5.7 or later')
  expect(await run('takeover --dry-run --old-site-is-gone', '0.5.17')).toMatchObject({ code: 0 })
  await expect.poll(() => Date.now() % 1000).toBeLessThan(100)
  await addCopies(ltx)
  const refused = { code: 1, err: expect.stringContaining('These copies are by Litestream 0.5, and 0.3.13 here can’t') }
  for (const line of ['takeover --dry-run --old-site-is-gone', 'restore --at latest --dry-run', 'restore try'])
    expect(await run(line, '0.3.13')).toMatchObject(refused)
  expect((await run('copies config', '0.3.13')).err).toContain('Install 0.5.17')
})

test('whether 0.5’s copies reach back is for it to say, and before 0.5.12 it can’t', async () => {
  await addCopies(ltx)
  const at = new Date().toISOString()
  const reach = async (version: string, time = at) => (await run(`restore --at ${time} --dry-run`, version)).out
  expect(await reach('0.5.17')).toMatch(/Reaches back so far\s+yes/)
  expect(await reach('0.5.11')).toMatch(/Reaches back so far\s+not known/)
  expect(await run('restore --at 2025-01-01T00:00Z --dry-run', '0.5.17')).toMatchObject({ code: 3 })
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
