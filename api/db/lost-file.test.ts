import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContext } from '#api/context.ts'
import { readSettings } from '#api/settings.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { damageMarkOf } from './damage.ts'
import { databaseFile } from './data-dir.ts'
import { lookAgain } from './integrity.ts'
import { closeDatabase } from './storage.ts'
import { writeSetting } from './stored-settings.ts'

let root = ''
let dataDir = ''
let world: World
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-lost-'))
  dataDir = join(root, 'data')
  mkdirSync(dataDir)
  world = startWorld({ file: databaseFile(dataDir), env: { DATA_DIR: dataDir } })
})
afterEach(() => {
  world.ctx.sqlite.close()
  rmSync(root, { recursive: true, force: true })
})

/** Later each time, as public forms are limited. */
function write(number: number) {
  world.forward(2 * 3_600_000)
  const message = `Is there tea? ${number}`
  return world.call('/api/contact', { body: { name: 'Sam', email: 'sam@example.com', message } })
}

async function confirmSixty() {
  let confirmed = 0
  for (let number = 0; number < 60; number += 1) confirmed += Number((await write(number)).status === 200)
  return confirmed
}

const countIn = (file: string) => {
  const copy = new Database(file, { readonly: true })
  const rows = copy.prepare('select count(*) from contacts').pluck().get()
  copy.close()
  return rows
}

const keptIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('alliance-kept-'))
    .map((name) => join(folder, name))

function refusalOfStart(): string {
  try {
    openContext(readSettings({ DATA_DIR: dataDir })).sqlite.close()
    return ''
  } catch (error) {
    return String(error)
  }
}

const file = () => databaseFile(dataDir)
const parts = () => ['', '-wal', '-shm'].map((end) => `${file()}${end}`)
function replace() {
  renameSync(file(), `${dataDir}.moved`)
  writeFileSync(file(), 'another')
}

const losses: readonly (readonly [string, () => unknown])[] = [
  ['deleted', () => rmSync(file())],
  ['deleted with its log', () => parts().map((path) => rmSync(path))],
  ['moved away', () => renameSync(file(), `${dataDir}.moved`)],
  ['replaced by another', replace],
  ['gone with its folder', () => rmSync(dataDir, { recursive: true })],
  ['without its log', () => rmSync(`${file()}-wal`)],
  ['without its log’s index', () => rmSync(`${file()}-shm`)],
  ['without both', () => parts().map((path) => path !== file() && rmSync(path))],
]

test.each(losses)(
  'a database %s under a running server is in a copy, and the command it names loses none',
  async (how, lose) => {
    const confirmed = await confirmSixty()
    expect(confirmed).toBe(60)
    lose()
    lookAgain(world.ctx)
    const [kept = '', ...others] = keptIn(existsSync(dataDir) ? join(dataDir, 'backups') : root)
    expect(others).toEqual([])
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    expect(countIn(kept)).toBe(confirmed)
    expect((await write(99)).status).toBe(503)
    const said = world.logged.find((line) => line.includes(kept)) ?? ''
    closeDatabase(world.ctx)
    // The next start says it again, unless it finds another file in its place.
    const refusal = how === 'replaced by another' ? said : refusalOfStart()
    expect(refusal).toContain(kept)
    const command = /: (mkdir -p .*? && cp \S+ [^\s"]+)/.exec(refusal)?.[1] ?? 'false'
    expect(Bun.spawnSync(['sh', '-c', command]).exitCode).toBe(0)
    expect(countIn(file())).toBe(confirmed)
    const again = startWorld({ file: file(), env: { DATA_DIR: dataDir } })
    expect(again.ctx.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    again.ctx.sqlite.close()
  },
)

test('a start with another database in its place carries on with that, and owners read where the rest is', async () => {
  await world.ctx.sqlite.backup(`${dataDir}.old`)
  expect(await confirmSixty()).toBe(60)
  rmSync(file())
  renameSync(`${dataDir}.old`, file())
  lookAgain(world.ctx)
  closeDatabase(world.ctx)
  const again = startWorld({ file: file(), env: { DATA_DIR: dataDir } })
  const { findings } = await (await again.signIn(again.addOwner())('/api/admin/today')).json()
  const [kept = ''] = keptIn(join(dataDir, 'backups'))
  expect(countIn(kept)).toBe(60)
  const named = { check: 'kept copy', message: expect.stringContaining(kept) }
  expect(findings).toContainEqual(expect.objectContaining(named))
  again.ctx.sqlite.close()
})

const live = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://alliance.example',
  STRIPE_SECRET_KEY: 'sk_live_real',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_real',
  STRIPE_WEBHOOK_SECRET: 'whsec_real',
}

test('where a live site’s folder is gone, such as on a disk that isn’t mounted, no empty one begins', () => {
  const start = () => openContext(readSettings({ ...live, DATA_DIR: `${join(root, 'disk')}/` })).sqlite.close()
  start()
  renameSync(join(root, 'disk'), join(root, 'unmounted'))
  for (const time of ['first', 'second']) {
    const missing = `${time}: The database of this site is missing or empty. Its whole folder is gone. If that’s on another disk, mount it.`
    let said = ''
    try {
      start()
    } catch (error) {
      said = `${time}: ${error instanceof Error ? error.message : ''}`
    }
    expect(said).toContain(missing)
  }
  rmSync(join(root, 'disk'), { recursive: true })
  renameSync(join(root, 'unmounted'), join(root, 'disk'))
  start()
  // Another folder is another site's.
  openContext(readSettings({ ...live, DATA_DIR: join(root, 'new') })).sqlite.close()
})

test('a copy that’s deleted is written again at the stop', async () => {
  const confirmed = await confirmSixty()
  renameSync(file(), `${file()}.away`)
  lookAgain(world.ctx)
  const backups = join(dataDir, 'backups')
  for (const path of keptIn(backups)) rmSync(path)
  closeDatabase(world.ctx)
  const [kept = ''] = keptIn(backups)
  expect(countIn(kept)).toBe(confirmed)
  expect(existsSync(file())).toBe(false)
})

test('a file that’s moved back is carried on with, and the copy goes', async () => {
  const confirmed = await confirmSixty()
  renameSync(file(), `${file()}.away`)
  lookAgain(world.ctx)
  expect(keptIn(join(dataDir, 'backups'))).toHaveLength(1)
  renameSync(`${file()}.away`, file())
  world.forward(5_000)
  lookAgain(world.ctx)
  await expect.poll(async () => (await write(99)).status).toBe(200)
  expect(keptIn(join(dataDir, 'backups'))).toEqual([])
  expect(existsSync(damageMarkOf(file()))).toBe(false)
  expect(countIn(file())).toBe(confirmed + 1)
})

test('the copy is beside the scheduled backups, also where the whole data folder is gone', async () => {
  const folder = join(root, 'usb-disk')
  mkdirSync(folder)
  writeSetting(world.ctx, 'backup_schedule', { folder })
  const confirmed = await confirmSixty()
  rmSync(dataDir, { recursive: true })
  lookAgain(world.ctx)
  const [kept = ''] = keptIn(folder)
  expect(countIn(kept)).toBe(confirmed)
  expect(existsSync(dataDir)).toBe(false)
})
