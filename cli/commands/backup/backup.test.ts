import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { generationIn } from '#api/db/generation.ts'
import { insertRow } from '#api/db/insert.ts'
import { openDatabase } from '#api/db/open.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { media } from '#api/db/schema/media.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let backups: string
beforeEach(() => {
  folder = openDataFolder()
  backups = join(folder.dataDir, 'backups')
})
afterEach(() => folder.close())

const isFull = Boolean(process.env.FULL)

function fill(text = 'a film') {
  const bytes = Buffer.from(text.repeat(300_000))
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const path = join(folder.dataDir, 'media', sha256.slice(0, 2), sha256)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, bytes)
  insertRow(folder.world.ctx, media, {
    id: folder.world.ctx.newId(),
    sha256,
    bytes: bytes.length,
    format: 'mp4',
    name: 'film.mp4',
    createdAt: startOfTime.toISOString(),
  })
  folder.world.addMember({ email: 'sam@alliance.test' })
  return { sha256, path }
}

const onlyBackup = () => join(backups, readdirSync(backups).find((name) => name.startsWith('alliance-')) ?? '')
const lastAction = () => folder.world.ctx.db.select().from(auditEntries).all().at(-1)

test('one file holds everything; verified in another place, restored on another machine', async () => {
  const { sha256, path } = fill()
  const made = await folder.local('backup create')
  expect(made).toMatchObject({ code: 0, out: `${onlyBackup()}\n` })
  expect(readdirSync(backups)).toEqual(['alliance-2026-06-12T07-40-00.tar'])
  expect(statSync(onlyBackup()).mode & 0o777).toBe(0o600)
  expect(lastAction()).toMatchObject({ action: 'backup.made' })
  const check = await folder.local(`backup verify ${onlyBackup()} --json`)
  expect(JSON.parse(check.out)).toMatchObject({ isWhole: true, media: 1, problems: [] })
  expect(readdirSync(backups)).toHaveLength(1)

  const other = join(folder.dataDir, 'other')
  const restored = await folder.local(`backup restore ${onlyBackup()}`, { env: { ...folder.env, DATA_DIR: other } })
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Restored') })
  expect(readFileSync(join(other, 'media', sha256.slice(0, 2), sha256))).toEqual(readFileSync(path))
  const members = await folder.local('members list --csv', { env: { ...folder.env, DATA_DIR: other } })
  expect(members.out).toContain('sam@alliance.test')
  expect(readdirSync(other).filter((name) => name.startsWith('.'))).toEqual([])
})

/** With the program in docs/backup.md alone. */
function openByGuide(sealed: string, key: string): string {
  const [, program = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync('docs/backup.md', 'utf8')) ?? []
  const [reader, plain] = [join(folder.dataDir, 'open.mjs'), join(folder.dataDir, 'opened.tar')]
  writeFileSync(reader, program)
  Bun.spawnSync(['node', reader, sealed], { stdin: Bun.file(key), stdout: Bun.file(plain) })
  return plain
}

test('with a passphrase nobody reads it without, and one that was changed or cut off is refused', {
  tags: ['full'],
}, async () => {
  fill()
  const key = join(folder.dataDir, 'key')
  writeFileSync(key, ' tape and level \n')
  expect((await folder.local(`backup create --passphrase-file ${key}`)).code).toBe(0)
  const file = onlyBackup()
  expect(file).toMatch(/\.sealed$/)
  expect(readFileSync(file).includes('sam@alliance.test')).toBe(false)
  expect(await folder.local(`backup verify ${file}`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/encrypted.* If it has a passphrase of its own, use --passphrase-file\.$/m),
  })
  const asked = { isTTY: { stdin: true, stdout: false }, input: [' tape and level \n'] }
  expect(await folder.local(`backup verify ${file}`, asked)).toMatchObject({ code: 0 })
  writeFileSync(join(folder.dataDir, 'wrong'), 'spirit level')
  const wrong = await folder.local(`backup verify ${file} --passphrase-file ${join(folder.dataDir, 'wrong')}`)
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('That’s the wrong passphrase') })
  expect((await folder.local(`backup verify ${file} --passphrase-file ${key}`)).code).toBe(0)
  const plain = openByGuide(file, key)
  expect(await folder.local(`backup verify ${plain}`)).toMatchObject({ code: 0 })
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, -40))
  expect((await folder.local(`backup verify ${file} --passphrase-file ${key}`)).code).toBe(1)
  const changed = Buffer.from(bytes)
  changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(file, changed)
  expect(await folder.local(`backup restore ${file} --yes --passphrase-file ${key}`)).toMatchObject({ code: 1 })
  expect((await folder.local('members list --csv')).out).toContain('sam@alliance.test')
})

test('a restore beside the site says how to look into it, and what the site goes on with', {
  tags: ['full'],
}, async () => {
  const place = join(folder.dataDir, 'site')
  mkdirSync(place)
  const at = (dataDir: string) => ({ cwd: place, env: { ...folder.env, DATA_DIR: dataDir } })
  await folder.local('backup create')
  const usual = join(place, 'data/local')
  expect((await folder.local(`backup restore ${onlyBackup()}`, at(usual))).err).toBe(
    'Start the server, then run: alliance doctor\n',
  )
  const container = { ...at(join(place, 'volume')).env, PUBLIC_URL: 'https://alliance.example' }
  expect((await folder.local(`backup restore ${onlyBackup()}`, { cwd: place, env: container })).err).toContain(
    'Start the',
  )
  writeFileSync(join(place, '.env'), `PORT=3001\nDATA_DIR='live'\n`)
  expect((await folder.local(`backup restore ${onlyBackup()}`, at(join(place, 'live')))).err).toContain('Start the')
  const beside = await folder.local(`backup restore ${onlyBackup()}`, at(join(place, "last night's")))
  const [look, use] = beside.err.split('\n')
  expect(look).toBe(`To check it: DATA_DIR='${place}/last night'\\''s' alliance doctor`)
  expect(use).toContain(`Without DATA_DIR, the server and commands use ${place}/live, which is unchanged.`)
  expect(use).toMatch(/into \.env and restart the server\.$/)
})

test('a restore into another folder needs no variable, asks nothing and leaves the site as it is', async () => {
  folder.world.addMember({ email: 'sam@alliance.test' })
  await folder.local('backup create')
  folder.world.addMember({ email: 'late@alliance.test' })
  const restored = await folder.local(`backup restore ${onlyBackup()} --into looked-into`, { cwd: folder.dataDir })
  const into = join(folder.dataDir, 'looked-into')
  expect(restored).toMatchObject({ code: 0, err: expect.stringContaining(`DATA_DIR=${into} alliance doctor`) })
  expect(statSync(into).mode & 0o777).toBe(0o700)
  const there = await folder.local('members list --csv email', { env: { ...folder.env, DATA_DIR: into } })
  expect(there.out).toBe('email\r\nsam@alliance.test\r\n')
  expect((await folder.local('members list --csv email')).out).toContain('late@alliance.test')
  // The folder may hold another by now, which goes aside like the site's own.
  const again = await folder.local(`backup restore ${onlyBackup()} --into ${into}`)
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining(`over the database in ${into}? Use --yes`) })
})

test('a restore asks, and keeps the database that was there', { tags: ['full'] }, async () => {
  fill()
  await folder.local('backup create')
  folder.world.addUser({ email: 'late@alliance.test' })
  expect(await folder.local(`backup restore ${onlyBackup()}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--yes'),
  })
  expect((await folder.local('backup restore nothing.tar --yes')).code).toBe(3)
  const generation = () => generationIn(join(folder.dataDir, 'alliance.sqlite'))?.number
  const json = JSON.parse((await folder.local(`backup restore ${onlyBackup()} --yes --json`)).out)
  expect((await folder.local('members list --csv')).out).not.toContain('late@')
  // A newer copy than any before, also if the backup knows fewer restores.
  expect(generation()).toBe(2)
  await folder.local(`backup restore ${onlyBackup()} --yes`)
  expect(generation()).toBe(3)
  const before = openDatabase(join(json.before, 'alliance.sqlite')).sqlite
  expect(before.prepare('select count(*) from users').pluck().get()).toBe(2)
  before.close()
  expect(await folder.local('backup list --api http://localhost:1')).toMatchObject({ code: 2 })
})

test('a restore is planned first, done as planned or refused, and finished even if you press Ctrl-C', {
  tags: ['full'],
}, async () => {
  fill()
  await folder.local('backup create')
  folder.world.addUser({ email: 'late@alliance.test' })
  const plan = join(folder.dataDir, 'plan.json')
  writeFileSync(plan, (await folder.local(`backup restore ${onlyBackup()} --dry-run --json`)).out)
  expect((await folder.local(`backup restore ${onlyBackup()} --dry-run`)).out).toMatch(/Current data +is moved aside/)
  expect((await folder.local('members list --csv')).out).toContain('late@')
  const elsewhere = { ...folder.env, DATA_DIR: join(folder.dataDir, 'other') }
  expect((await folder.local(`apply ${plan} --yes`, { env: elsewhere })).err).toContain('Something has changed')

  const pressed = new AbortController()
  const now = () => {
    pressed.abort()
    return startOfTime
  }
  const done = await folder.local(`apply ${plan} --yes`, { now, signal: pressed.signal })
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('Restored') })
  expect(done.err).toMatch(/^Finishing what’s already started …\n/)
  expect((await folder.local('members list --csv')).out).not.toContain('late@')
  expect(readdirSync(folder.dataDir).filter((name) => name.startsWith('.'))).toEqual([])
})

test('media apart is copied once, and goes with the last backup that needs it', { tags: ['full'] }, async () => {
  const { sha256 } = fill()
  const at = (minutes: number) => ({ now: () => new Date(startOfTime.getTime() + minutes * 60_000) })
  await folder.local('backup create --media-apart')
  const stored = join(backups, 'media', sha256)
  const written = statSync(stored).mtimeMs
  folder.world.ctx.sqlite.exec('delete from media')
  await folder.local('backup create --media-apart', at(1))
  expect(statSync(stored).mtimeMs).toBe(written)
  expect((await folder.local(`backup verify ${onlyBackup()}`)).code).toBe(0)
  expect(await folder.local('backup prune --keep 1d', at(2))).toMatchObject({ code: 2 })
  expect((await folder.local('backup prune --keep 1d --dry-run', at(2))).out).toContain('07-40-00')
  const planned = JSON.parse((await folder.local('backup prune --keep 1d --dry-run --json', at(2))).out)
  expect(planned).toMatchObject({
    command: 'backup prune',
    facts: { kept: 1, deleted: [expect.stringContaining('07-40-00')] },
  })
  expect(readdirSync(backups)).toHaveLength(3)
  expect((await folder.local('backup prune --keep 1d --yes', at(2))).code).toBe(0)
  expect(existsSync(stored)).toBe(false)
  expect((await folder.local('backup list --csv')).out.split('\r\n')).toHaveLength(3)
})

test.each([
  ['go back', '2026-10-24T20:00:00.000Z', '01:30'],
  ['go forward', '2026-03-28T20:00:00.000Z', '01:30'],
])(
  'the server makes one a night, also when the clocks %s, and begins again what was cut off',
  { tags: ['full'] },
  async (_way, from, at) => {
    fill()
    const { world } = folder
    await folder.local(`backup create --to ${backups}`)
    await folder.local(`backup schedule ${at} --keep 2d --to ${backups}`)
    expect((await folder.local('backup schedule --json')).out).toContain('"at": "01:30"')
    // The next night deletes what the rule no longer keeps, so you can look at it first.
    const plan = await folder.local('backup schedule --keep 1d --dry-run --json')
    expect(JSON.parse(plan.out).facts).toMatchObject({ before: { keep: { days: 2 } }, after: { keep: { days: 1 } } })
    expect((await folder.local('backup schedule --json')).out).toContain('"days": 2')
    world.forward(Date.parse(from) - world.ctx.now().getTime())
    const made: unknown[] = []
    for (let run = 0; run < 40 * 2; run += 1) {
      const outcome = await runJob(world.ctx, 'backup')
      if (!outcome.skipped && outcome.report.made === 1) made.push(world.ctx.now().toISOString())
      // A run that died before recording the backup leaves its parts, and its file.
      if (run === 20) writeFileSync(join(backups, '.partial-x'), 'half')
      world.forward(30 * 60_000)
    }
    expect(made).toHaveLength(3)
    expect(readdirSync(backups).filter((name) => name.endsWith('-nightly.tar'))).toHaveLength(2)
    expect(readdirSync(backups)).toContain('alliance-2026-06-12T07-40-00.tar')
    world.ctx.sqlite.exec(`delete from settings where key = 'backup_last'`)
    await runJob(world.ctx, 'backup')
    // The unrecorded backup counts as one more of its day, and the rule keeps the newer one.
    expect(readdirSync(backups).filter((name) => name.endsWith('-nightly-2.tar'))).toHaveLength(1)
    expect(readdirSync(backups).filter((name) => name.includes('-nightly'))).toHaveLength(2)
    expect(readdirSync(backups)).not.toContain('.partial-x')
    await folder.local('backup schedule off')
    expect(await runJob(world.ctx, 'backup')).toMatchObject({ report: { scheduled: false } })
  },
)

test('a second one of the same second stands beside the first', { tags: ['full'] }, async () => {
  const [first, second] = [await folder.local('backup create'), await folder.local('backup create')]
  expect([first.out, second.out]).toEqual([
    `${join(backups, 'alliance-2026-06-12T07-40-00.tar')}\n`,
    `${join(backups, 'alliance-2026-06-12T07-40-00-2.tar')}\n`,
  ])
  for (const { out } of [first, second]) expect((await folder.local(`backup verify ${out.trim()}`)).code).toBe(0)
})

test('five that start at once make one', { tags: ['full'] }, async () => {
  fill()
  const runs = await Promise.all(Array.from({ length: 5 }, () => folder.local('backup create')))
  expect(runs.filter(({ code }) => code === 0)).toHaveLength(1)
  expect(runs.find(({ code }) => code !== 0)?.err).toContain('A backup is already running.')
  expect(readdirSync(backups)).toHaveLength(1)
})

/** A process of its own, like a server: it commits each tick separately, at twice the required rate. */
const writer = `const { Database } = require('bun:sqlite')
const db = new Database(process.argv[1])
db.run('pragma synchronous = off; pragma busy_timeout = 10000')
const insert = db.query("insert into daily_counts (kind, day, key, count) values ('test', '2026-01-01', ?1, ?1)")
let at = 0
setInterval(() => { for (let count = 0; count < 20; count += 1) insert.run(++at) }, 10)`

test('beside a thousand writes a second it ends, with everything that was committed before it began', {
  tags: ['full'],
}, async () => {
  const { sqlite } = folder.world.ctx
  // Enough data that the copy takes a while.
  const ballast = sqlite.prepare(
    `insert into settings values ('ballast', '"' || hex(zeroblob(?)) || '"', '2026-01-01')`,
  )
  ballast.run(isFull ? 200_000_000 : 10_000_000)
  const written = () => Number(sqlite.prepare('select count(*) from daily_counts').pluck().get())
  const child = Bun.spawn([process.execPath, '-e', writer, sqlite.name], { stdio: ['ignore', 'ignore', 'inherit'] })
  await vi.waitFor(() => expect(written()).toBeGreaterThan(isFull ? 2000 : 20))
  const [before, began] = [written(), performance.now()]
  const made = await folder.local('backup create --json')
  const [after, seconds] = [written(), (performance.now() - began) / 1000]
  child.kill()
  await child.exited
  expect(after).toBeGreaterThan(before)
  if (isFull) expect((after - before) / seconds).toBeGreaterThan(1000)
  const { database } = JSON.parse(made.out).manifest
  expect(database.tables.daily_counts).toBeGreaterThanOrEqual(before)
  expect(database.tables.daily_counts).toBeLessThan(after)
  // The restored database has all of the first ticks, and the later ones up to some point, without a gap.
  const other = join(folder.dataDir, 'other')
  await folder.local(`backup restore ${onlyBackup()}`, { env: { ...folder.env, DATA_DIR: other } })
  const restored = openDatabase(join(other, 'alliance.sqlite')).sqlite
  expect(restored.prepare('select min(count), max(count), count(*) from daily_counts').raw().get()).toEqual([
    ...[1, database.tables.daily_counts, database.tables.daily_counts],
  ])
  restored.close()
  rmSync(backups, { recursive: true })
})
