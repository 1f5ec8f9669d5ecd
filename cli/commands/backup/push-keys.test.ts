import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { openReadOnly } from '#api/db/open.ts'
import { pushKeysOf } from '#api/features/notices/keys-service.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

test('a backup carries the push keys, so that phones still get notices after a restore', async () => {
  const keys = pushKeysOf(folder.world.ctx)
  expect((await folder.local('backup create')).code).toBe(0)
  const backups = join(folder.dataDir, 'backups')
  const backup = join(backups, readdirSync(backups).find((name) => name.startsWith('alliance-')) ?? '')
  const other = join(folder.dataDir, 'other')
  const restored = await folder.local(`backup restore ${backup}`, { env: { ...folder.env, DATA_DIR: other } })
  expect(restored.code).toBe(0)
  const db = openReadOnly(databaseFile(other))
  try {
    expect(db.$client.prepare('select publicKey, privateKey from push_keys').all()).toEqual([keys])
  } finally {
    db.$client.close()
  }
})

test('no table of an export holds the push keys', async () => {
  const { publicKey, privateKey } = pushKeysOf(folder.world.ctx)
  const file = join(folder.dataDir, 'everything.zip')
  const tables = join(folder.dataDir, 'tables')
  expect((await folder.local(`export all ${file}`)).code).toBe(0)
  expect((await folder.local(`export all ${tables}`)).code).toBe(0)
  const texts = [
    ...Object.values(unzipSync(readFileSync(file))).map((bytes) => strFromU8(bytes, true)),
    ...readdirSync(tables, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.sqlite'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')),
  ]
  expect(texts.length).toBeGreaterThan(10)
  expect(texts.filter((text) => text.includes(privateKey) || text.includes(publicKey))).toEqual([])
})
