import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
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
      ...{ name, bytes: bytes.length },
      content: (async function* () {
        yield bytes
      })(),
    }
}

/** A whole backup of this site, whose parts somebody has changed. */
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
  const refused = { code: 1, err: expect.stringContaining('alliance-changed.tar is not a backup of this program.') }
  expect(await folder.local(`backup verify ${file}`)).toMatchObject(refused)
  expect(list()).toEqual(before)
  const restored = await folder.local(`backup restore ${file} --yes`, { env: { ...folder.env, DATA_DIR: other } })
  expect(restored).toMatchObject(refused)
  expect(list().filter((name) => name.endsWith('outside') || name.endsWith('.sqlite'))).toEqual(
    before.filter((name) => name.endsWith('outside') || name.endsWith('.sqlite')),
  )
})
