import { mkdtempSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { databaseFile } from './data-dir.ts'

let folder = ''
let file = ''
let world: World
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-storage-'))
  file = databaseFile(folder)
  world = startWorld({ file })
})
afterEach(() => {
  world.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})

const health = async () => (await (await world.call('/api/health')).json()).services.database
const send = (message: string) =>
  world.call('/api/contact', { body: { name: 'Sam', email: 'sam@example.com', message } })
const setPages = (count: number) => world.ctx.sqlite.pragma(`max_page_count = ${count}`, { simple: true })
const linesAboutDisk = () => world.logged.filter((line) => line.includes('database cannot be written'))

test('with the disk full, writes are refused with a time to try again, reads go on, and health says error until there is room', async () => {
  const call = world.signIn(world.addMember())
  expect(await health()).toBe('connected')
  setPages(1)
  const refused = await send('x'.repeat(5_000))
  expect(await readError(refused)).toMatchObject({ status: 503, code: 'busy' })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect((await call('/api/auth/user')).status).toBe(200)
  expect(await health()).toBe('unwritable')
  expect(await (await world.call('/api/health')).json()).toMatchObject({ status: 'error' })
  expect(linesAboutDisk()).toHaveLength(1)
  setPages(100_000)
  world.forward(10_000)
  expect(await health()).toBe('connected')
  expect((await send('There is room')).status).toBe(200)
})

test('health itself finds a disk that takes no more', async () => {
  setPages(1)
  expect(await health()).toBe('unwritable')
  expect(linesAboutDisk()).toHaveLength(1)
})

test.each([false, true])(
  'a log that grew while somebody read for long is emptied (of a linked database: %s)',
  async (isLinked) => {
    const place = isLinked ? join(folder, 'site.db') : file
    if (isLinked) {
      world.ctx.sqlite.close()
      renameSync(file, place)
      symlinkSync(place, file)
      world = startWorld({ file })
    }
    const reader = new Database(file)
    reader.exec('begin')
    reader.prepare('select count(*) from settings').get()
    const grow = world.ctx.sqlite.prepare(`insert or replace into settings (key, value, updatedAt) values ('a', ?, '')`)
    for (let times = 0; times < 10; times += 1) grow.run(JSON.stringify('x'.repeat(1_000_000)))
    const size = () => statSync(`${place}-wal`).size
    const long = size()
    expect(long).toBeGreaterThan(8_000_000)
    expect(await runJob(world.ctx, 'checkpoint')).toMatchObject({ report: { isShortened: false } })
    reader.exec('commit')
    expect(await runJob(world.ctx, 'checkpoint')).toMatchObject({ report: { isShortened: true } })
    expect(size()).toBeLessThan(100_000)
    expect(world.ctx.sqlite.pragma('journal_size_limit', { simple: true })).toBe(16_777_216)
    reader.close()
  },
)
