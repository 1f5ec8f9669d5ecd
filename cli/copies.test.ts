import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContext } from '#api/context.ts'
import { claimGeneration, newestGeneration } from '#api/copies/copy-store.ts'
import { askStore } from '#api/copies/replaced.ts'
import { generationIn } from '#api/db/generation.ts'
import { closeDatabase } from '#api/db/storage.ts'
import { writeSetting } from '#api/db/stored-settings.ts'
import { lastBackup } from '#api/features/operations/backup/jobs.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { readToday } from '#api/features/operations/today/service.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { startServer } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { startCopier } from '#api/testing/litestream.ts'
import { testWithLitestream } from '#api/testing/litestream-test.ts'
import { startStore, type TestStore } from '#api/testing/s3-store.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'
import { formatMoment } from '#shared/rules/london.ts'

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
  const copier = await startCopier(file(), { env: folder.env })
  await copier.stop()
}

/** The store tells times by the second. */
const nextSecond = (at: string) => expect.poll(() => new Date().toISOString().slice(0, 19)).not.toBe(at.slice(0, 19))

async function damageCopy(): Promise<void> {
  const [piece] = (await objects().list('copies/site-1/')).filter(({ name }) => name.includes('/wal/'))
  const torn = join(elsewhere, 'torn')
  writeFileSync(torn, 'not a piece of a log')
  await objects().put(piece?.name ?? '', torn)
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

testWithLitestream(
  'the database goes back to a time, and doctor knows how old the copy is',
  {
    tags: ['full'],
  },
  async () => {
    expect((await doctor())['continuous copies']).toMatch(/^failed: There’s none of site-1 yet/)
    await copyNow()
    const at = new Date().toISOString()
    await nextSecond(at)
    folder.world.addMember({ email: 'late@alliance.test' })
    await copyNow()
    expect(await doctor()).toMatchObject({
      'continuous copies': expect.stringMatching(
        /^ok: The last one is from .*, \d seconds? ago\. Litestream doesn’t encrypt these copies\. Check that your store does\.$/,
      ),
      Litestream: expect.stringMatching(/^warning: Litestream 0\.3\.13 can damage .* Install 0\.5\.17 or later/),
    })
    expect(await folder.local('restore try', today)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/is whole: .* Its newest change is from /),
    })

    expect(await folder.local('restore --at 2999-01-01T00:00Z --yes', today)).toMatchObject({ code: 2 })
    expect(await folder.local('restore --at teatime --yes', today)).toMatchObject({ code: 2 })
    expect(await folder.local(`restore --at ${at} --dry-run`, today)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Goes back that far\s+yes/),
    })
    expect(await folder.local('restore --at 2020-01-01T00:00Z --dry-run', today)).toMatchObject({
      code: 3,
      err: expect.stringContaining('The copies of site-1 don’t reach back to 1 January 2020'),
    })
    expect(await members()).toContain('late@')
    expect(await folder.local(`restore --at ${at} --yes`, today)).toMatchObject({ code: 0 })
    expect(await members()).toContain('sam@')
    expect(await members()).not.toContain('late@')
    expect(generationIn(file())?.number).toBe(2)
  },
)

testWithLitestream('a time in which nobody copied: what’s missing before it is said', { tags: ['full'] }, async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await copyNow()
  const stopped = ago(40)
  store.backdate(stopped)
  folder.world.addMember({ email: 'late@alliance.test' })
  await copyNow()
  const label = formatMoment(stopped.toISOString())
  const at = ago(20).toISOString()
  const gap = `What was copied ends on ${label}. Nothing written between then and ${formatMoment(at)} is in it.`
  const dryRun = async (time: string) => folder.local(`restore --at ${time} --dry-run`, today)
  expect(await dryRun(at)).toMatchObject({
    code: 0,
    out: expect.stringMatching(new RegExp(`Goes back that far +yes\\nCopied up to +${label}`)),
    err: expect.stringContaining(gap),
  })
  for (const time of [ago(39).toISOString(), new Date().toISOString()]) {
    const { code, err } = await dryRun(time)
    expect([code, err]).toEqual([0, expect.not.stringContaining('What was copied ends')])
  }
  expect(await folder.local(`restore --at ${at}`, today)).toMatchObject({
    err: expect.stringContaining(gap),
  })
  expect(await folder.local(`restore --at ${at} --yes`, today)).toMatchObject({
    code: 0,
    out: expect.stringMatching(new RegExp(`Restored .* of ${label}`)),
    err: expect.stringContaining(gap),
  })
  expect(await members()).not.toContain('late@')
})

testWithLitestream('a copy that can’t be had changes nothing, and says why', { tags: ['full'] }, async () => {
  const env = { ...folder.env, LITESTREAM_PROGRAM: '/no/such/litestream' }
  expect(await folder.local('restore --at latest --yes', today)).toMatchObject({
    code: 3,
    err: expect.stringContaining('There are no copies'),
  })
  await copyNow()
  expect(await folder.local('restore --at latest --yes', { ...today, env })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Litestream isn’t here'),
  })
  expect(await folder.local('restore --at 2020-01-01T00:00Z --yes', today)).toMatchObject({
    code: 3,
    err: expect.stringContaining('don’t reach back'),
  })
  await damageCopy()
  const { code, err } = await folder.local('restore --at latest --yes', today)
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/Nothing has changed\. Litestream couldn’t restore the copy: .*lz4/),
  ])
  expect(await folder.local('takeover --from site-9 --yes', today)).toMatchObject({
    code: 3,
    err: expect.stringContaining('There are: site-1'),
  })
  expect(await members()).toContain('sam@')
})

testWithLitestream(
  'while Litestream copies, nothing of ours writes the log back: server, terminal, workers, backup. If ours is the last, SQLite does, and the next copy begins whole',
  { tags: ['full'] },
  async () => {
    await folder.local('backup schedule 03:15')
    const copier = await startCopier(file(), { env: folder.env, checkpointPages: 1_000_000 })
    const site = openContext(readSettings(folder.env))
    // Litestream does it itself before its first whole copy.
    await expect.poll(copier.heard).toContain('snapshot written')
    // Writing it back changes the file; starting it again changes the header.
    const seen = () =>
      [readFileSync(file()), readFileSync(`${file()}-wal`).subarray(0, 32)].map((bytes) => Bun.hash(bytes))
    const before = seen()
    for (let count = 0; count < 12; count++) writeSetting(site, `filler ${count}`, 'x'.repeat(1_000_000))
    const steps = {
      ...Object.fromEntries(
        ['checkpoint', 'integrity', 'backup', 'heartbeat'].map((job) => [job, () => runJob(site, job)]),
      ),
      ...Object.fromEntries(
        [
          'members add kim@alliance.test',
          'backup create',
          'restore try',
          'members list',
          'jobs run clean-up',
          'doctor',
        ].map((line) => [line, () => folder.local(line, today)]),
      ),
    }
    for (const [name, step] of Object.entries(steps)) {
      await step()
      expect([name, seen()]).toEqual([name, before])
    }
    await copier.stop('SIGKILL')
    closeDatabase(site)
    folder.world.ctx.sqlite.close()
    expect(existsSync(`${file()}-wal`)).toBe(false)
    const next = await startCopier(file(), { env: folder.env })
    expect(next.heard()).toMatch(/new generation/)
    await next.stop()
    const { err } = await folder.local('restore try', today)
    expect(err).toContain('is whole')
  },
)

testWithLitestream(
  'each week the machine restores its backup and its copy; one that’s damaged is on Today and in doctor',
  { tags: ['full'] },
  async () => {
    const { ctx } = folder.world
    const rehearse = async () => (await folder.local('jobs run rehearsal --json', { now: () => ctx.now() })).code
    const findings = async () => {
      // Today knows its findings for some minutes.
      folder.world.forward(6 * 60_000)
      return (await readToday(ctx)).findings.filter(({ check }) => check === 'rehearsal').map(({ message }) => message)
    }
    expect(await runJob(ctx, 'rehearsal')).toEqual({ skipped: false, report: { tried: 0 } })
    await folder.local('backup schedule 03:15')
    folder.world.forward(2 * 86_400_000)
    const beat = async () => {
      await runJob(ctx, 'heartbeat')
      return formatMoment(ctx.now().toISOString())
    }
    const first = await beat()
    await runJob(ctx, 'backup')
    folder.world.forward(3_600_000)
    const second = await beat()
    await copyNow()
    expect([await rehearse(), await findings()]).toEqual([0, []])
    expect((await doctor()).rehearsal).toMatch(
      new RegExp(
        `^ok: On .* we restored alliance-.*\\.tar and the copy of site-1\\. Both were whole\\. Their newest changes are from ${first} and ${second}\\.$`,
      ),
    )
    folder.world.forward(3_600_000)
    const third = await beat()
    const behind = `a restore failed. the copy of site-1: Its newest change is from ${second}. The site’s is from ${third}.`
    expect([await rehearse(), await findings()]).toEqual([1, [expect.stringContaining(behind)]])
    expect((await doctor()).rehearsal).toContain(behind)
    await copyNow()
    expect([await rehearse(), await findings()]).toEqual([0, []])
    await damageCopy()
    const backup = lastBackup(ctx)?.file ?? ''
    writeFileSync(backup, readFileSync(backup).subarray(0, 300_000))
    expect(await rehearse()).toBe(1)
    const failed = /a restore failed\. alliance-.*\.tar: .* the copy of site-1: Litestream couldn’t restore the copy: /
    expect((await doctor()).rehearsal).toMatch(failed)
    expect(await findings()).toEqual([expect.stringMatching(failed)])
    expect((await readToday(ctx)).jobs).toContainEqual(
      expect.objectContaining({ name: 'rehearsal', problem: 'failed' }),
    )
    // Larger than any disk, and empty where nothing was written.
    for (const large of [backup, file()]) truncateSync(large, 4 * 1024 ** 4)
    expect(await rehearse()).toBe(1)
    expect((await doctor()).rehearsal).toMatch(/\.tar: There’s no room .* the copy of site-1: There’s no room /)
  },
)

testWithLitestream(
  'another machine takes over, unless the old site answers or the store can’t tell the two apart; the old one then stops',
  {
    tags: ['full'],
  },
  async () => {
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
    await expect(runJob(ctx, 'mail')).rejects.toThrow('This site has moved to another server.')
    await expect(ctx.stripe.accounts.retrieveCurrent()).rejects.toThrow()
    expect((await doctor())['continuous copies']).toMatch(/^failed: This copy has been replaced: site-2 took over/)
    // However often a backup is restored there.
    await folder.local('backup create')
    const backup = JSON.parse((await folder.local('backup list --json')).out)[0].file
    for (const _ of ['once', 'twice', 'three times']) await folder.local(`backup restore ${backup} --yes`)
    expect((await doctor())['continuous copies']).toMatch(/^failed: This copy has been replaced/)
    expect(await folder.local('takeover --as-it-is --yes --old-site-is-gone', today)).toMatchObject({ code: 0 })
    expect((await doctor())['continuous copies']).toMatch(/^ok/)
  },
)

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
  expect(await get(second.url, '/')).toBe('503 This site has moved to another server. Try again in a minute.')
  expect(await get(second.url, '/ready')).toBe('503 {"ready":false,"release":null}')
  expect(await get(second.url, '/api/health')).toContain('"code":"busy","message":"This site has moved')
  await second.server.stop()
  const alone = await begin({ LITESTREAM_URL: 's3://nights/alliance?endpoint=http://127.0.0.1:9' })
  expect(await get(alone.url, '/ready')).toMatch(/^200/)
  await alone.server.stop()
})
