import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { checkAtStart } from '#api/db/integrity.ts'
import { runJob } from '#api/jobs/run.ts'
import { damagePage } from '#api/testing/damaged-database.ts'
import { startWorld } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
  folder.world.addMember({ email: 'sam@alliance.test' })
})
afterEach(() => folder.close())

/** The one line of the server's log and of the terminal. */
const damageLine = /^The database is damaged: [^\n]*alliance backup restore FILE[^\n]*\n$/
const rename = 'tiers set lite --name Q'

/** As the server meets it at night. */
async function damage(name: string): Promise<void> {
  damagePage(databaseFile(folder.dataDir), name)
  expect(await runJob(folder.world.ctx, 'integrity')).toMatchObject({ report: { isDamaged: true } })
}

test('what the server knows to be damaged is not written by the terminal, until a backup is restored', async () => {
  expect(await folder.local(rename)).toMatchObject({ code: 0 })
  await folder.local('backup create')
  await damage('users')
  expect(await folder.local(rename)).toEqual({ code: 1, out: '', err: expect.stringMatching(damageLine) })
  expect((await folder.local('tiers list')).code).toBe(0)
  folder.world.ctx.sqlite.close()
  expect(await folder.local('migrate')).toEqual({ code: 1, out: '', err: expect.stringMatching(damageLine) })
  expect((await folder.local(rename)).code).toBe(1)

  const [backup = ''] = readdirSync(join(folder.dataDir, 'backups'))
  expect((await folder.local(`backup restore ${join(folder.dataDir, 'backups', backup)} --yes`)).code).toBe(0)
  expect((await folder.local(rename)).code).toBe(0)
})

test('a start that finds a sound database in its place lets the terminal write again', async () => {
  const file = databaseFile(folder.dataDir)
  const sound = join(folder.dataDir, 'sound')
  folder.world.ctx.sqlite.exec(`vacuum into '${sound}'`)
  await damage('users')
  expect((await folder.local(rename)).code).toBe(1)
  folder.world.ctx.sqlite.close()
  copyFileSync(sound, file)
  const { ctx } = startWorld({ file, env: folder.env })
  checkAtStart(ctx)
  ctx.sqlite.close()
  expect((await folder.local(rename)).code).toBe(0)
})

test.each([
  ['members list', 'users'],
  ['members show sam@alliance.test', 'users'],
  ['backup create', 'users'],
  ['export all whole', 'users'],
])('%s says that the database is damaged, and what restores it', async (argv, name) => {
  folder.world.ctx.sqlite.close()
  damagePage(databaseFile(folder.dataDir), name)
  const { code, err } = await folder.local(argv, { cwd: folder.dataDir })
  expect({ code, err: `${err.split('\n').at(-2)}\n` }).toEqual({ code: 1, err: expect.stringMatching(damageLine) })
})
