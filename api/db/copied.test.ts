import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { openContext } from '#api/context.ts'
import { readSettings } from '#api/settings.ts'
import { startCopier } from '#api/testing/litestream.ts'
import { testWithLitestream } from '#api/testing/litestream-test.ts'
import { putMigratedDatabase } from '#api/testing/migrated.ts'
import { startStore, type TestStore } from '#api/testing/s3-store.ts'
import { copyDatabase, inspectHere } from './copy.ts'
import { dumpTables } from './dump.ts'
import { closeDatabase } from './storage.ts'
import { writeSetting } from './stored-settings.ts'

let dataDir = ''
let store: TestStore
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-copied-'))
  putMigratedDatabase(dataDir)
  store = await startStore()
})
afterEach(async () => {
  await store.close()
  rmSync(dataDir, { recursive: true })
})

const file = () => join(dataDir, 'alliance.sqlite')
const open = () => openContext(readSettings({ ...store.env, DATA_DIR: dataDir }))

testWithLitestream(
  'Litestream writes it back beside the server, and its tables are in no count and no export',
  {},
  async () => {
    const ctx = open()
    const copier = await startCopier(file(), { env: store.env, checkpointPages: 50 })
    writeSetting(ctx, 'filler', 'x'.repeat(1_000_000))
    await expect.poll(copier.heard).toMatch(/msg=checkpoint .*result=0,(\d+),\1\n/)
    writeSetting(ctx, 'after', 1)
    const copy = join(dataDir, 'copy.sqlite')
    await copyDatabase(file(), copy)
    const { problems, tables } = inspectHere(copy)
    expect([problems, Object.keys(tables).filter((name) => name.startsWith('_litestream'))]).toEqual([[], []])
    expect([...dumpTables(copy)].map(({ name }) => name).filter((name) => name.startsWith('_litestream'))).toEqual([])
    closeDatabase(ctx)
    await copier.stop()
  },
)
