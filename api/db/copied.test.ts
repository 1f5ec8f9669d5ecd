import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { openContext } from '#api/context.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
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
const logBytes = () => statSync(`${file()}-wal`).size
const open = () => openContext(readSettings({ ...store.env, DATA_DIR: dataDir }))

const startCopying = (checkpointPages = 100_000) => startCopier(file(), { env: store.env, checkpointPages })

testWithLitestream(
  'a database Litestream copies is written back by Litestream alone: not as it grows, by a job, or at the end',
  {
    tags: ['full'],
  },
  async () => {
    const ctx = open()
    const copier = await startCopying()
    const before = readFileSync(file())
    for (let count = 0; count < 12; count++) writeSetting(ctx, `filler ${count}`, 'x'.repeat(1_000_000))
    // More than SQLite's own limit of 1,000 pages, and the job's of 8 MB.
    expect(logBytes()).toBeGreaterThan(12_000_000)
    expect(await runJob(ctx, 'checkpoint')).toMatchObject({ report: { isShortened: false } })
    closeDatabase(ctx)
    expect(readFileSync(file()).equals(before)).toBe(true)
    const log = logBytes()
    const again = open()
    writeSetting(again, 'more', 1)
    expect(logBytes()).toBeGreaterThan(log)
    expect(again.sqlite.pragma('journal_mode', { simple: true })).toBe('wal')
    again.sqlite.close()
    await copier.stop()
  },
)

testWithLitestream(
  'Litestream writes it back beside the server, and its tables are in no count and no export',
  {},
  async () => {
    const ctx = open()
    const copier = await startCopying(50)
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
