import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimGeneration, newestGeneration } from '#api/copies/copy-store.ts'
import { askStore } from '#api/copies/replaced.ts'
import { generationIn } from '#api/db/generation.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { startServer } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { startCopier, startStore, type TestStore } from '#api/testing/s3-store.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let store: TestStore
let folder: DataFolder
let elsewhere = ''
beforeEach(async () => {
  store = await startStore()
  folder = openDataFolder({ ...store.env, LITESTREAM_MACHINE: 'site-1' })
  elsewhere = mkdtempSync(join(tmpdir(), 'alliance-elsewhere-'))
  folder.world.addMember({ email: 'sam@alliance.test' })
})
afterEach(async () => {
  folder.close()
  rmSync(elsewhere, { recursive: true })
  await store.close()
})

const file = () => join(folder.dataDir, 'alliance.sqlite')
const objects = () => {
  const address = folder.world.ctx.settings.copies.store
  if (address === null) throw new Error('There is no store.')
  return openObjectStore(address)
}

/** Copies all there is, and ends. */
async function copyNow(): Promise<void> {
  const copier = await startCopier(file(), { ...folder.env, COPY_MS: '20' })
  await copier.stop()
}

const today = { now: () => new Date() }
const secondMachine = () => ({
  ...folder.env,
  DATA_DIR: elsewhere,
  LITESTREAM_MACHINE: 'site-2',
  PUBLIC_URL: 'http://127.0.0.1:9',
})
const takeover = (line = '', env: Record<string, string> = {}) =>
  folder.local(`takeover --yes ${line}`, { ...today, env: { ...secondMachine(), ...env } })
const members = async (env = folder.env) => (await folder.local('members list --csv', { env })).out

async function doctor() {
  const { out } = await folder.local('doctor --json', today)
  const { checks }: { checks: { name: string; state: string; message: string }[] } = JSON.parse(out)
  return Object.fromEntries(checks.map(({ name, state, message }) => [name, `${state}: ${message}`]))
}

test('the database goes back to a time; doctor knows how old the copy is, and when a restore was last tried', {
  tags: ['full'],
}, async () => {
  expect((await doctor())['continuous copies']).toMatch(/^failed: There’s none of site-1 yet/)
  await copyNow()
  const at = new Date().toISOString()
  await expect.poll(() => new Date().toISOString()).not.toBe(at)
  folder.world.addMember({ email: 'late@alliance.test' })
  await copyNow()
  expect(await doctor()).toMatchObject({
    'continuous copies': expect.stringMatching(/^ok: The last one is from .*The store encrypts these copies\.$/),
    'restore tried': 'warning: You’ve never tried to restore a copy.',
  })
  expect(await folder.local('restore try', today)).toMatchObject({ code: 0, err: expect.stringContaining('is whole') })
  expect((await doctor())['restore tried']).toBe('ok: Last tried today.')

  expect(await folder.local('restore --at 2999-01-01T00:00Z --yes', today)).toMatchObject({ code: 2 })
  expect(await folder.local('restore --at teatime --yes', today)).toMatchObject({ code: 2 })
  expect(await folder.local(`restore --at ${at} --dry-run`, today)).toMatchObject({ code: 0 })
  expect(await members()).toContain('late@')
  expect(await folder.local(`restore --at ${at} --yes`, today)).toMatchObject({ code: 0 })
  expect(await members()).toContain('sam@')
  expect(await members()).not.toContain('late@')
  expect(generationIn(file())?.number).toBe(2)
})

test('a copy that can’t be had changes nothing, and says why', { tags: ['full'] }, async () => {
  const env = { ...folder.env, LITESTREAM_PROGRAM: '/no/such/litestream' }
  expect(await folder.local('restore --at latest --yes', today)).toMatchObject({
    code: 3,
    err: expect.stringContaining('There are no copies'),
  })
  await copyNow()
  expect(await folder.local('restore --at latest --yes', { ...today, env })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Nothing has changed\. Litestream isn’t here/),
  })
  expect(await folder.local('restore --at 2020-01-01T00:00Z --yes', today)).toMatchObject({
    code: 1,
    err: expect.stringContaining('no matching backups found'),
  })
  expect(await folder.local('takeover --from site-9 --yes', today)).toMatchObject({
    code: 3,
    err: expect.stringContaining('There are: site-1'),
  })
  expect(await members()).toContain('sam@')
})

test('another machine takes over, unless the old site answers or the store can’t tell the two apart; the old one then stops', {
  tags: ['full'],
}, async () => {
  const mail = { to: 'sam@alliance.test', userId: null, text: 'Text', html: '<p>', subject: 'Waiting' }
  queueMail(folder.world.ctx, { ...mail, cause: 'tea:1', isRepeatable: true })
  const mailThere = async () =>
    JSON.parse((await folder.local('mail list --json', { env: secondMachine() })).out).map(
      ({ status }: { status: string }) => status,
    )
  await copyNow()
  const old = Bun.serve({ port: 0, fetch: () => Response.json({ ready: true, release: null }) })
  expect(await takeover('', { PUBLIC_URL: `http://127.0.0.1:${old.port}` })).toMatchObject({
    code: 1,
    err: expect.stringContaining('still answers'),
  })
  await old.stop(true)
  expect(await takeover('', { LITESTREAM_URL: store.plain })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Switch the old machine off'),
  })
  expect(await newestGeneration(objects())).toBeNull()
  expect(await takeover('--old-site-is-gone', { LITESTREAM_URL: store.plain })).toMatchObject({ code: 0 })
  // As after a restart. From a machine whose place was taken since, what waited may have gone out.
  expect(await mailThere()).toEqual(['waiting'])
  store.busy = 1
  expect(await takeover()).toMatchObject({ code: 1, err: expect.stringContaining('the store is busy') })
  expect(await takeover()).toMatchObject({ code: 0, err: expect.stringContaining('If the old machine comes back') })
  expect([await members(secondMachine()), await mailThere()]).toEqual([expect.stringContaining('sam@'), ['failed']])
  const newest = await newestGeneration(objects())
  expect(newest).toMatchObject({ machine: 'site-2', number: 3, ...generationIn(join(elsewhere, 'alliance.sqlite')) })
  if (newest === null) throw new Error('Nobody took over.')
  store.busy = 2
  expect(await claimGeneration(objects(), { ...newest, id: 'another' })).toBe(false)

  const { ctx } = folder.world
  await askStore(ctx)
  await expect(runJob(ctx, 'mail')).rejects.toThrow('This copy has been replaced.')
  await expect(ctx.stripe.accounts.retrieveCurrent()).rejects.toThrow()
  expect((await doctor())['continuous copies']).toMatch(/^failed: This copy has been replaced: site-2 took over/)
  // However often a backup is restored there.
  await folder.local('backup create')
  const backup = JSON.parse((await folder.local('backup list --json')).out)[0].file
  for (const _ of ['once', 'twice', 'three times']) await folder.local(`backup restore ${backup} --yes`)
  expect((await doctor())['continuous copies']).toMatch(/^failed: This copy has been replaced/)
  expect(await folder.local('takeover --as-it-is --yes --old-site-is-gone', today)).toMatchObject({ code: 0 })
  expect((await doctor())['continuous copies']).toMatch(/^ok/)
})

test('the first machine has the site, so one that’s started beside it answers 503; one that can’t read the store goes on', {
  tags: ['full'],
}, async () => {
  const get = async (url: string, path: string) => {
    const response = await fetch(url + path)
    return `${response.status} ${await response.text()}`
  }
  const begin = async (more: Record<string, string> = {}) => {
    const [port = '', sandboxPort = ''] = freePorts(2)
    const env = { ...folder.env, PORT: port, SANDBOX_PORT: sandboxPort, SANDBOX_PEOPLE: 'few', FFMPEG: 'off', ...more }
    return { server: await startServer(readSettings(env)), url: `http://127.0.0.1:${port}` }
  }
  const first = await begin()
  expect(await get(first.url, '/ready')).toMatch(/^200/)
  await first.server.stop()
  expect(await newestGeneration(objects())).toMatchObject({ machine: 'site-1', ...generationIn(file()) })
  const second = await begin({ DATA_DIR: elsewhere, LITESTREAM_MACHINE: 'site-2' })
  expect(await get(second.url, '/')).toBe('503 This copy has been replaced.')
  expect(await get(second.url, '/ready')).toBe('503 {"ready":false,"release":null}')
  expect(await get(second.url, '/api/health')).toContain('"code":"busy","message":"This copy has been replaced."')
  await second.server.stop()
  const alone = await begin({ LITESTREAM_URL: 's3://nights/alliance?endpoint=http://127.0.0.1:9' })
  expect(await get(alone.url, '/ready')).toMatch(/^200/)
  await alone.server.stop()
})
