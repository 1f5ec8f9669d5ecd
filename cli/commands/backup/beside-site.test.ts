// @module-tag full
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let backups: string
beforeEach(() => {
  folder = openDataFolder()
  backups = join(folder.dataDir, 'backups')
})
afterEach(() => folder.close())

/** Counts the event loop's turns until a promise settles, doing some work in each. */
async function turnsUntil(over: Promise<unknown>, turn: () => Promise<boolean>): Promise<number> {
  let [isOver, turns] = [false, 0]
  const end = () => {
    isOver = true
  }
  over.then(end, end)
  while (!isOver) {
    await setImmediate()
    if ((await turn()) && !isOver) turns += 1
  }
  return turns
}

test('the site answers while the server checks the copy of a large database', async () => {
  const { ctx, call } = folder.world
  await folder.local('backup schedule 03:15')
  ctx.sqlite.exec('create table ballast (text text); create index ballast_texts on ballast (text)')
  ctx.sqlite.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
    insert into ballast select hex(randomblob(40)) from n`)
  // Orphaned rows make the foreign key check, the last one, fail.
  ctx.sqlite.exec('create table orphans (of_ballast integer references users (id)); pragma foreign_keys = off')
  ctx.sqlite.exec('insert into orphans values (1); pragma foreign_keys = on')
  const bytes = Number(
    ctx.sqlite.prepare('select page_count * page_size from pragma_page_count, pragma_page_size').pluck().get(),
  )
  const isCopied = () =>
    readdirSync(folder.dataDir).includes('backups') &&
    readdirSync(backups).some((name) => name.includes('-database-') && statSync(join(backups, name)).size === bytes)
  const making = runJob(ctx, 'backup')
  const answered = await turnsUntil(making, async () => isCopied() && (await call('/api/health')).ok)
  await expect(making).rejects.toThrow('The database is damaged: 1 rows refer')
  expect(answered).toBeGreaterThan(5)
})

test('and while a key is made of the passphrase, before the first byte is written', async () => {
  const { ctx, call } = folder.world
  const key = join(folder.dataDir, 'key')
  writeFileSync(key, 'tape and level\n')
  await folder.local(`backup schedule 03:15 --passphrase-file ${key}`)
  const isEmpty = (name: string) => statSync(join(backups, name)).size === 0
  const isBegun = () =>
    readdirSync(folder.dataDir).includes('backups') &&
    readdirSync(backups).some((name) => name.startsWith('.partial-') && !name.includes('-database-') && isEmpty(name))
  const making = runJob(ctx, 'backup')
  expect(await turnsUntil(making, async () => isBegun() && (await call('/api/health')).ok)).toBeGreaterThan(0)
  expect(await making).toMatchObject({ report: { made: 1 } })
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/\.sealed$/), 'media'])
})
