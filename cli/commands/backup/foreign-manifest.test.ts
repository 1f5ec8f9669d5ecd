// @module-tag full
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSealedFile, writeSealedFile } from '#api/archive/sealed-file.ts'
import { type ArchiveEntry, readTar, writeTar } from '#api/archive/tar.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'
import type { BackupManifest } from '#shared/contract/backup.ts'

let folder: DataFolder
let backups: string
beforeEach(() => {
  folder = openDataFolder()
  backups = join(folder.dataDir, 'backups')
})
afterEach(() => folder.close())

type Part = { name: string; bytes: Buffer }

async function partsOf(file: string): Promise<Part[]> {
  const parts: Part[] = []
  for await (const { name, content } of readTar(readSealedFile(file, null)))
    parts.push({ name, bytes: Buffer.concat(await Array.fromAsync(content)) })
  return parts
}

async function* entriesOf(parts: readonly Part[]): AsyncGenerator<ArchiveEntry> {
  for (const { name, bytes } of parts)
    yield {
      name,
      bytes: bytes.length,
      content: (async function* () {
        yield bytes
      })(),
    }
}

async function changedBackup(change: (parts: Part[]) => Part[]): Promise<string> {
  const [made = ''] = (await folder.local('backup create')).out.split('\n')
  const file = join(backups, 'alliance-changed.tar')
  const parts = change(await partsOf(made))
  await writeSealedFile(file, writeTar(entriesOf(parts)), { passphrase: null, partial: `${file}.new` })
  return file
}

const withManifest = (change: (manifest: BackupManifest) => object) => (parts: Part[]) =>
  parts.map(({ name, bytes }) => ({
    name,
    bytes: name === 'manifest.json' ? Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString('utf8'))))) : bytes,
  }))

const withMedia = (one: object) =>
  withManifest((manifest) => ({
    ...manifest,
    media: [{ sha256: 'a'.repeat(64), bytes: 6, isApart: true, ...one }],
  }))

test.each<[string, (parts: Part[]) => Part[]]>([
  ['a file of media two folders up', withMedia({ sha256: '../../outside' })],
  ['a file of media without a name', withMedia({ sha256: '' })],
  ['a name of another form', withMedia({ sha256: 'A'.repeat(64) })],
  ['less than nothing of a file', withMedia({ bytes: -1 })],
  ['half a byte', withMedia({ bytes: 1.5 })],
  [
    'a database of no hash',
    withManifest((manifest) => ({ ...manifest, database: { ...manifest.database, sha256: '../outside' } })),
  ],
  ['its manifest after its files', (parts) => parts.toReversed()],
  [
    'no manifest that is JSON',
    (parts) => parts.map((part) => (part.name === 'manifest.json' ? { ...part, bytes: Buffer.from('{') } : part)),
  ],
])('a backup that names %s is refused as none of this program, and nothing is written', async (_what, change) => {
  const file = await changedBackup(change)
  writeFileSync(join(folder.dataDir, 'outside'), 'a film')
  const other = join(folder.dataDir, 'other')
  mkdirSync(other)
  const list = () => readdirSync(folder.dataDir, { recursive: true, encoding: 'utf8' }).toSorted()
  const before = list()
  const refused = { code: 1, err: expect.stringContaining('alliance-changed.tar isn’t one of our backups.') }
  expect(await folder.local(`backup verify ${file}`)).toMatchObject(refused)
  expect(list()).toEqual(before)
  const restored = await folder.local(`backup restore ${file} --yes`, { env: { ...folder.env, DATA_DIR: other } })
  expect(restored).toMatchObject(refused)
  expect(list().filter((name) => name.endsWith('outside') || name.endsWith('.sqlite'))).toEqual(
    before.filter((name) => name.endsWith('outside') || name.endsWith('.sqlite')),
  )
})

test('a manifest of more than 32 MB is not read to its end, and hides no other backup', async () => {
  const file = await changedBackup(withManifest((manifest) => ({ ...manifest, padding: ' '.repeat(33 * 1024 ** 2) })))
  const refused = { code: 1, err: expect.stringContaining('alliance-changed.tar isn’t one of our backups.') }
  expect(await folder.local(`backup verify ${file}`)).toMatchObject(refused)
  const listed = JSON.parse((await folder.local('backup list --json')).out)
  expect(listed).toHaveLength(2)
})

test.each([
  ['a time that is none', { createdAt: 'yesterday' }],
  ['a time that clears the terminal', { createdAt: '\u001b[2J2026-06-12T07:40:00.000Z' }],
  ['an endless version', { version: '9'.repeat(10_000) }],
  ['rows of the prototype', JSON.parse('{"database":{"bytes":1,"sha256":"x","tables":{"__proto__":{"a":1}}}}')],
  ['rows that are none', { database: { bytes: 1, sha256: 'a'.repeat(64), tables: { users: 'all' } } }],
  ['a list for an object', { database: [] }],
])('a manifest with %s is refused as none of this program', async (_what, more) => {
  const file = await changedBackup(withManifest((manifest) => ({ ...manifest, ...more })))
  const refused = { code: 1, err: expect.stringContaining('alliance-changed.tar isn’t one of our backups.') }
  expect(await folder.local(`backup verify ${file}`)).toMatchObject(refused)
  expect((await folder.local('backup list')).code).toBe(0)
})

async function unchanged(work: () => Promise<void>): Promise<void> {
  const users = () => folder.world.ctx.sqlite.prepare('select count(*) from users').pluck().get()
  // The lock file stays for the next run.
  const list = () =>
    readdirSync(folder.dataDir, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .filter((name) => name !== 'server.lock')
  const before = [users(), list()]
  await work()
  expect([users(), list()]).toEqual(before)
}

test.each<[string, (parts: Part[]) => Part[], string]>([
  [
    'a path that leads out of it',
    (parts) => [...parts, { name: '../../outside', bytes: Buffer.from('x') }],
    '../../outside doesn’t belong in a backup.',
  ],
  [
    'a path from the root',
    (parts) => [...parts, { name: '/tmp/outside', bytes: Buffer.from('x') }],
    '/tmp/outside doesn’t belong in a backup.',
  ],
  [
    'a second database',
    (parts) => [...parts, ...parts.filter(({ name }) => name === 'alliance.sqlite')],
    'alliance.sqlite is in it twice.',
  ],
  [
    'another database',
    (parts) =>
      parts.map((part) =>
        part.name === 'alliance.sqlite' ? { ...part, bytes: Buffer.from(part.bytes).fill(0, 4096, 8192) } : part,
      ),
    'The database is damaged, missing or not the one we copied.',
  ],
  [
    'a longer database than it says',
    (parts) =>
      parts.map((part) =>
        part.name === 'alliance.sqlite' ? { ...part, bytes: Buffer.concat([part.bytes, Buffer.alloc(9)]) } : part,
      ),
    'The database is damaged, missing or not the one we copied.',
  ],
])('a backup that holds %s is refused, and the site is as it was', async (_what, change, problem) => {
  const file = await changedBackup(change)
  await unchanged(async () => {
    const { code, out } = await folder.local(`backup verify ${file} --json`)
    expect([code, JSON.parse(out).problems]).toEqual([1, [problem]])
    const restored = await folder.local(`backup restore ${file} --yes`)
    expect(restored).toMatchObject({ code: 1, err: expect.stringContaining(problem) })
  })
})

test.each([
  ['a device without an end', (path: string) => symlinkSync('/dev/zero', path)],
  ['a pipe that no one writes to', (path: string) => void Bun.spawnSync(['mkfifo', path])],
  ['a link to a longer file', (path: string) => symlinkSync(join(folder.dataDir, 'longer'), path)],
  ['a folder', (path: string) => mkdirSync(path)],
])('where a file of media should be, %s is not read to its end', async (what, put) => {
  const sha256 = 'a'.repeat(64)
  const file = await changedBackup(withMedia({ sha256 }))
  writeFileSync(join(folder.dataDir, 'longer'), 'x'.repeat(3 * 1024 ** 2))
  mkdirSync(join(backups, 'media'), { recursive: true })
  put(join(backups, 'media', sha256))
  await unchanged(async () => {
    const { code, out } = await folder.local(`backup verify ${file} --json`)
    const problems = JSON.parse(out).problems.join(' ')
    expect([code, problems]).toEqual([1, expect.stringContaining('Media file aaaaaaaaaaaa is damaged or missing.')])
    expect(problems.includes('It’s longer than the backup says.')).toBe(what === 'a link to a longer file')
  })
})
