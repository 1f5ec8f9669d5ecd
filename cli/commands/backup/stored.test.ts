import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { media } from '#api/db/schema/media.ts'
import { mediaFile } from '#api/features/media/store-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

/** A real S3 server on this machine. It takes any key for any other, so refused keys aren't tried here. */
let server: S3rver
let place = ''
let url = ''
let port = 0
let folder: DataFolder
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'alliance-s3-'))
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: place,
    configureBuckets: [{ name: 'nights', configs: [] }],
  })
  port = (await server.run()).port
  url = `s3://nights/alliance?endpoint=http://127.0.0.1:${port}`
  folder = openDataFolder({ ...storeEnv() })
})
afterEach(async () => {
  folder.close()
  await server.close()
  rmSync(place, { recursive: true })
})

const storeEnv = () => ({
  BACKUP_URL: url,
  BACKUP_KEY: 'twelve spanners and a spirit level',
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
})

function addVideoFile() {
  const { ctx } = folder.world
  const bytes = Buffer.from('a film'.repeat(50_000))
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const row = { id: ctx.newId(), sha256, bytes: bytes.length, format: 'mp4' as const, name: 'film.mp4' }
  insertRow(ctx, media, { ...row, createdAt: startOfTime.toISOString() })
  const file = mediaFile(ctx, row)
  Bun.spawnSync(['mkdir', '-p', join(file, '..')])
  writeFileSync(file, bytes)
  return { sha256, bytes }
}

const nowOfWorld = () => ({ now: folder.world.ctx.now })
const night = async () => {
  folder.world.forward(24 * 60 * 60_000)
  return runJob(folder.world.ctx, 'backup')
}
const stored = async () => {
  const { backupStore } = folder.world.ctx.settings
  if (backupStore === null) throw new Error('no store')
  return (await openObjectStore(backupStore.address).list()).map(({ name }) => name)
}

test('each night goes to the store, encrypted; what the rule drops goes there too; a new machine is restored from it', {
  tags: ['full'],
}, async () => {
  folder.world.addMember({ email: 'sam@alliance.test' })
  const videoFile = addVideoFile()
  const scheduled = await folder.local('backup schedule 03:15 --keep 1d,0w,0m', nowOfWorld())
  expect([scheduled.code, scheduled.out]).toEqual([0, expect.stringMatching(/^Encrypted +with BACKUP_KEY$/m)])
  expect(await night()).toMatchObject({ report: { made: 1, stored: 1 } })
  const [first = '', ...rest] = await stored()
  expect(first).toBe('alliance-2026-06-13-nightly-0840.sealed')
  expect(rest).toEqual([`media/${videoFile.sha256}`])
  const onDisk = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('nightly'))
  for (const name of onDisk.filter((one) => one.endsWith('_S3RVER_OBJECT') || one.endsWith('sealed')))
    expect(readFileSync(join(place, name)).includes('sam@alliance.test')).toBe(false)
  expect(await night()).toMatchObject({ report: { made: 1, deleted: 1, stored: 1 } })
  const second = 'alliance-2026-06-14-nightly-0840.sealed'
  expect(await stored()).toEqual([second, `media/${videoFile.sha256}`])
  expect((await folder.local('backup list --stored', nowOfWorld())).out).toContain(second)

  const elsewhere = mkdtempSync(join(tmpdir(), 'alliance-elsewhere-'))
  const env = { ...folder.env, ...storeEnv(), DATA_DIR: elsewhere }
  const fetched = await folder.local('backup fetch', { env })
  expect(fetched).toMatchObject({ code: 0 })
  const fetchedVideoFile = join(elsewhere, 'backups/media', videoFile.sha256)
  for (const path of [fetched.out.trim(), fetchedVideoFile])
    expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600])
  expect(await folder.local(`backup restore ${fetched.out.trim()}`, { env })).toMatchObject({ code: 0 })
  const listed = await folder.local(`backup list --to ${elsewhere}/backups --csv file,createdAt`, {
    env,
    ...nowOfWorld(),
  })
  expect(listed.out).toContain(`${fetched.out.trim()},${folder.world.ctx.now().toISOString()}`)
  expect((await folder.local('members list --csv', { env })).out).toContain('sam@alliance.test')
  expect((await folder.local('doctor --verbose', { env, ...nowOfWorld() })).out).toContain(`is ${second}.`)
  const restored = join(elsewhere, 'media', videoFile.sha256.slice(0, 2), videoFile.sha256)
  expect(readFileSync(restored)).toEqual(videoFile.bytes)
  rmSync(restored)
  expect(await folder.local('backup fetch --films', { env })).toMatchObject({ code: 0, err: 'Fetched 1 film.\n' })
  expect(readFileSync(restored)).toEqual(videoFile.bytes)
  expect(await folder.local('backup fetch --films', { env })).toMatchObject({ err: 'Fetched 0 films.\n' })
  rmSync(elsewhere, { recursive: true })
})

test('a store that is away loses nothing: the night stays here, is said to have failed, and goes there once it is back', {
  tags: ['full'],
}, async () => {
  expect((await folder.local('backup schedule 03:15', nowOfWorld())).code).toBe(0)
  await server.close()
  await expect(night()).rejects.toThrow('nothing answers at its address')
  expect(readdirSync(join(folder.dataDir, 'backups')).filter((name) => name.includes('nightly'))).toHaveLength(1)
  expect((await (await folder.world.call('/api/health')).json()).services.backups).toBe('missing')
  expect(await folder.local('jobs run backup', nowOfWorld())).toMatchObject({
    code: 1,
    err: expect.stringContaining('failed: nothing answers at its address.'),
  })
  server = new S3rver({ port, address: '127.0.0.1', silent: true, directory: place })
  await server.run()
  expect(await runJob(folder.world.ctx, 'backup')).toMatchObject({ report: { stored: 1 } })
  expect((await (await folder.world.call('/api/health')).json()).services.backups).toBe('alive')
  expect(await stored()).toEqual(['alliance-2026-06-13-nightly-0840.sealed'])
})

test('a store named after tonight’s backup was made gets it by the next run, encrypted, and once', async () => {
  const videoFile = addVideoFile()
  const run = async (env: Record<string, string>) => {
    const { out } = await folder.local('jobs run backup --json', { ...nowOfWorld(), env: { ...folder.env, ...env } })
    return JSON.parse(out).report
  }
  const none = { BACKUP_URL: '', BACKUP_KEY: '' }
  expect((await folder.local('backup schedule 03:15', nowOfWorld())).code).toBe(0)
  expect(await run(none)).toMatchObject({ made: 1 })
  expect(await run(none)).toEqual({ scheduled: true, made: 0 })
  expect(await run({})).toMatchObject({ made: 1, stored: 1 })
  const inStore = ['alliance-2026-06-12-nightly-0840.sealed', `media/${videoFile.sha256}`]
  expect(await stored()).toEqual(inStore)
  for (const env of [{}, none]) expect(await run(env)).toEqual({ scheduled: true, made: 0 })

  const other = { BACKUP_URL: url.replace('/alliance?', '/other?') }
  expect(await run(other)).toMatchObject({ made: 0, stored: 1 })
  expect(await run(other)).toEqual({ scheduled: true, made: 0 })
  expect(await stored()).toEqual(inStore)
})

test('a new machine and an older backup take nothing from the store but what the rule drops of their own', {
  tags: ['full'],
}, async () => {
  const videoFile = addVideoFile()
  const backups = join(folder.dataDir, 'backups')
  const nightOf = (day: number) => `alliance-2026-06-${day}-nightly-0840.sealed`
  expect((await folder.local('backup schedule 03:15 --keep 2d', nowOfWorld())).code).toBe(0)
  for (const _ of [13, 14]) await night()
  // What a takeover finds: a database that knows its nights, and neither them nor the video files.
  rmSync(backups, { recursive: true })
  rmSync(mediaFile(folder.world.ctx, videoFile))
  await night()
  expect(await stored()).toEqual([nightOf(14), nightOf(15), `media/${videoFile.sha256}`])
  await night()
  expect(await stored()).toEqual([nightOf(15), nightOf(16)])

  const restored = await folder.local(`backup restore ${join(backups, nightOf(15))} --yes`)
  expect(restored).toMatchObject({ code: 0 })
  folder.world.forward(24 * 60 * 60_000)
  expect(await folder.local('jobs run backup', nowOfWorld())).toMatchObject({ code: 0 })
  expect(await stored()).toEqual([15, 16, 17].map(nightOf))
})

test('a store without the key that encrypts is refused, and so is an address that is none', async () => {
  const tried = async (env: Record<string, string>) =>
    (await folder.local('members list', { env: { ...folder.env, ...env } })).err
  expect(await tried({ ...storeEnv(), BACKUP_KEY: '' })).toContain('BACKUP_URL also needs BACKUP_KEY')
  expect(await tried({ ...storeEnv(), BACKUP_URL: 'https://example.com' })).toContain('BACKUP_URL must be s3://')
})
