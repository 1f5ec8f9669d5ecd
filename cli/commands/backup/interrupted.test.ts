// @module-tag full
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newHolder } from '#api/db/holder.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { builtProgram } from '#api/testing/built-program.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let backups: string
beforeEach(() => {
  folder = openDataFolder()
  folder.world.addMember({ email: 'sam@alliance.test' })
  backups = join(folder.dataDir, 'backups')
})
afterEach(() => folder.close())

const onlyBackup = () => join(backups, readdirSync(backups).find((name) => name.startsWith('alliance-')) ?? '')

/** Leaves the folder as a check does when it's killed half-way. */
function leaveCheck(name: string, maker: string | null): string {
  const path = join(backups, name)
  mkdirSync(join(path, 'media'), { recursive: true })
  writeFileSync(join(path, 'alliance.sqlite'), 'half')
  if (maker !== null) writeFileSync(join(path, 'maker'), maker)
  return path
}

test('what a check of a backup left when it was killed stops no backup, and is cleared away', async () => {
  const others = [leaveCheck('.partial-work', null), leaveCheck('.verify-cache-of-mine', null)]
  for (const path of others) utimesSync(path, new Date(0), new Date(0))
  const ofThePast = leaveCheck('.partial-verify-1aB2cD', null)
  const killed = leaveCheck('.verify-2aB2cD', `${hostname()} 999999999 gone 1`)
  const old = leaveCheck('.verify-3aB2cD', null)
  utimesSync(old, new Date(0), new Date(0))
  const [underway, elsewhere] = [
    leaveCheck('.verify-4aB2cD', newHolder('1')),
    leaveCheck('.verify-5aB2cD', 'another-machine 1 x 1'),
  ]
  // The sizes alone: no warning.
  const sizes = /^\d[^,\n]+, [\d,]+ rows?, 0 files of media\.\n$/
  expect(await folder.local('backup create')).toMatchObject({ code: 0, err: expect.stringMatching(sizes) })
  expect([ofThePast, killed, old].filter((path) => existsSync(path))).toEqual([])
  expect(others.every((path) => existsSync(path))).toBe(true)
  for (const path of others) rmSync(path, { recursive: true })
  // The running checks still need their files.
  expect([underway, elsewhere].every((path) => existsSync(join(path, 'alliance.sqlite')))).toBe(true)
  leaveCheck('.verify-6aB2cD', `${hostname()} 999999999 gone 1`)
  expect((await folder.local(`backup verify ${onlyBackup()}`)).code).toBe(0)
  expect(
    readdirSync(backups)
      .filter((name) => name.startsWith('.'))
      .sort(),
  ).toEqual(['.verify-4aB2cD', '.verify-5aB2cD'])
})

test('where nothing can be written beside a backup, it is checked in the system’s temporary folder', async () => {
  await folder.local('backup create')
  const tmp = join(folder.dataDir, 'tmp')
  mkdirSync(join(tmp, 'alliance-verify-1aB2cD'), { recursive: true })
  writeFileSync(join(tmp, 'alliance-verify-1aB2cD', 'maker'), `${hostname()} 999999999 gone 1`)
  const opened = openSync(onlyBackup(), 'r')
  vi.stubEnv('TMPDIR', tmp)
  // You can't create a folder in there.
  const check = await folder.local(`backup verify /proc/self/fd/${opened}`)
  vi.unstubAllEnvs()
  closeSync(opened)
  expect(check).toMatchObject({ code: 0, out: expect.stringMatching(/Backup +whole/) })
  expect(readdirSync(tmp)).toEqual([])
})

test('a check that somebody ends by Ctrl-C leaves nothing behind', async () => {
  // Enough data that it takes a while.
  folder.world.ctx.sqlite.exec('create table ballast (bytes blob); insert into ballast values (zeroblob(60000000))')
  await folder.local('backup create')
  const pressed = new AbortController()
  const checking = folder.local(`backup verify ${onlyBackup()}`, { signal: pressed.signal })
  let isOver = false
  void checking.finally(() => {
    isOver = true
  })
  const hasBegun = () => readdirSync(backups).some((name) => name.startsWith('.verify-'))
  while (!hasBegun() && !isOver) await setImmediate()
  pressed.abort()
  expect(await checking).toMatchObject({ code: 130 })
  expect(readdirSync(backups).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a check that is told to end, as by a service manager, leaves nothing behind either', async () => {
  folder.world.ctx.sqlite.exec('create table ballast (bytes blob); insert into ballast values (zeroblob(60000000))')
  await folder.local('backup create')
  const preloaded = join(folder.dataDir, 'preloaded.js')
  writeFileSync(
    preloaded,
    `const { readdirSync } = require('node:fs')
    const timer = setInterval(() => {
      if (!readdirSync(${JSON.stringify(backups)}).some((name) => name.startsWith('.verify-'))) return
      clearInterval(timer)
      process.kill(process.pid, 'SIGTERM')
    })`,
  )
  const child = Bun.spawn(
    [
      ...[process.execPath, '--no-env-file', '--preload', preloaded],
      ...[builtProgram('cli/main'), 'backup', 'verify', onlyBackup()],
    ],
    { env: { PATH: process.env.PATH, ...folder.env }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  expect(await child.exited).toBe(130)
  expect(readdirSync(backups).filter((name) => name.startsWith('.'))).toEqual([])
})

test('doctor fails, and the site’s health says so, while the last nightly backup failed', async () => {
  const { world } = folder
  const health = async () => (await (await world.call('/api/health')).json()).services.backups
  const found = async () => {
    const { code, out } = await folder.local('doctor --json', { now: world.ctx.now })
    return { code, ...JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'nightly backup') }
  }
  expect(await health()).toBeUndefined()
  const taken = join(folder.dataDir, 'taken')
  await folder.local(`backup schedule 03:15 --to ${taken}`)
  rmSync(taken, { recursive: true })
  writeFileSync(taken, 'a file')
  const refused = await folder.local(`backup schedule 04:15 --to ${taken}`)
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/^We can’t write to .*taken \(EEXIST\)\. Leave --to out/),
  ])
  expect(await health()).toBe('configured')
  await expect(runJob(world.ctx, 'backup')).rejects.toThrow()
  expect(await found()).toMatchObject({
    code: 1,
    state: 'failed',
    fix: 'jobs run backup',
    message: expect.stringMatching(/^The nightly backup of 2026-06-12 failed: .*taken/),
  })
  expect(await health()).toBe('missing')
  expect((await (await world.call('/api/health')).json()).status).toBe('error')
  // Until the next night's hour a run has nothing to do, and that doesn't count as a backup.
  world.forward(17 * 3_600_000)
  await runJob(world.ctx, 'backup')
  expect((await found()).state).toBe('failed')

  await folder.local(`backup schedule --to ${backups}`)
  world.forward(5 * 3_600_000)
  await runJob(world.ctx, 'backup')
  expect(await found()).toMatchObject({ code: 0, state: 'ok' })
  expect(await health()).toBe('alive')
  await folder.local('backup schedule off')
  expect(await health()).toBeUndefined()
})
