// @module-tag full
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { media } from '#api/db/schema/media.ts'
import { builtProgram } from '#api/testing/built-program.ts'
import { addPaidMonth } from '#api/testing/commission.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

/** As real cron does it: separate processes on one data folder, by the machine's clock. */
const main = builtProgram('cli/main')
const isFull = Boolean(process.env.FULL)

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
  const today = londonDay(new Date())
  const una = folder.world.addMember({ tier: 'standard', email: 'una@alliance.test' })
  // Both days, in case the test runs past midnight.
  for (const day of [addDays(today, -1), today]) addPaidMonth(folder.world, una, day)
})
afterEach(() => folder.close())

const argvOf = (line: string) => [process.execPath, '--no-env-file', main, ...line.split(' ')]
const env = () => ({ ...folder.env, PATH: process.env.PATH, OWNER_EMAILS: 'one@alliance.test,two@alliance.test' })

async function cron(line: string) {
  const child = Bun.spawn(argvOf(line), { env: env(), stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

const five = (line: string) => Promise.all(Array.from({ length: 5 }, () => cron(line)))
const run = (sql: string) => folder.world.ctx.sqlite.prepare(sql).run()
const count = (sql: string) => Number(folder.world.ctx.sqlite.prepare(sql).pluck().get())
const makePipe = (path: string) => execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path])
const reportMails = () => count(`select count(*) from mail_outbox where cause like 'report-%'`)
const claimOf = (kind: string) =>
  count(`select count(*) from settings where key = 'report.${kind}' and value ->> '$.claim.id' is not null`)

test('five that cron starts at once print one report, and the others nothing', async () => {
  for (const kind of isFull ? ['daily', 'weekly', 'monthly'] : ['daily']) {
    if (kind !== 'daily') run(`delete from settings where key = 'report.${kind}'`)
    const runs = await five(`report ${kind}${kind === 'daily' ? '' : ' --mail'}`)
    expect(runs.map(({ code, err }) => [code, err])).toEqual(runs.map(() => [0, '']))
    if (kind === 'daily') expect(runs.filter(({ out }) => out.startsWith('Report of'))).toHaveLength(1)
    expect(await cron(`report ${kind}`)).toEqual({ code: 0, out: '', err: '' })
  }
  // One to each owner for each report with news.
  expect(reportMails() % 2).toBe(0)
  expect(reportMails()).toBeLessThanOrEqual(4)
})

test('one that is killed between claiming a report and printing it is made up for by the next, once', async () => {
  const pipe = join(folder.dataDir, 'full')
  makePipe(pipe)
  // Nothing reads the pipe, so the report blocks on it, as with cron when its mailer hangs.
  const script = `exec 3<>"$0"; head -c 65536 /dev/zero >&3; exec "$@" >&3`
  const child = Bun.spawn(['sh', '-c', script, pipe, ...argvOf('report daily')], {
    env: env(),
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await vi.waitFor(() => expect(claimOf('daily')).toBe(1))
  child.kill('SIGKILL')
  await child.exited
  expect(await cron('report daily')).toEqual({ code: 0, out: '', err: '' })
  run(
    `update settings set value = json_set(value, '$.claim.at', '2026-01-01T00:00:00.000Z') where key = 'report.daily'`,
  )
  expect((await cron('report daily')).out).toContain('Payments')
  expect(await cron('report daily')).toEqual({ code: 0, out: '', err: '' })
})

test('a backup that is killed half-way leaves its lock and its parts to the next, which is whole', async () => {
  const { ctx } = folder.world
  const bytes = Buffer.from('a film'.repeat(1000))
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const file = join(folder.dataDir, 'media', sha256.slice(0, 2), sha256)
  mkdirSync(join(file, '..'), { recursive: true })
  const createdAt = ctx.now().toISOString()
  insertRow(ctx, media, { id: ctx.newId(), sha256, bytes: bytes.length, format: 'mp4', name: 'film.mp4', createdAt })
  writeFileSync(file, bytes)
  // A disk that hangs: once the database is copied, the backup stops before copying the media file there.
  const backups = join(folder.dataDir, 'backups')
  mkdirSync(join(backups, 'media'), { recursive: true })
  makePipe(join(backups, 'media', sha256))
  const child = Bun.spawn(argvOf('backup create --media-apart'), { env: env(), stdio: ['ignore', 'ignore', 'ignore'] })
  const parts = () => readdirSync(backups).filter((name) => name.startsWith('.partial-'))
  await vi.waitFor(() => expect(parts()).toHaveLength(1))
  const beside = await cron('backup create')
  expect(beside).toMatchObject({ code: 1, err: 'A backup is already running.\n' })
  child.kill('SIGKILL')
  await child.exited
  expect(parts()).toHaveLength(1)
  rmSync(join(backups, 'media'), { recursive: true })
  expect(await cron('backup create')).toMatchObject({ code: 0 })
  const left = readdirSync(backups)
  expect(left).toEqual([expect.stringMatching(/^alliance-.*\.tar$/)])
  expect(readFileSync(join(backups, left[0] ?? '')).includes('a film')).toBe(true)
  expect(await cron(`backup verify ${join(backups, left[0] ?? '')}`)).toMatchObject({ code: 0 })
})

test('killed at any moment, a mailed report comes once to each owner', async () => {
  const moments = isFull ? Array.from({ length: 15 }, (_none, round) => (round * 97) % 900) : [150]
  for (const moment of moments) {
    const child = Bun.spawn(argvOf('report daily --mail'), { env: env(), stdio: ['ignore', 'ignore', 'ignore'] })
    await Promise.race([child.exited, Bun.sleep(moment)])
    child.kill('SIGKILL')
    await child.exited
    expect([0, 2]).toContain(reportMails())
  }
  for (const _again of [1, 2]) expect(await cron('report daily --mail')).toEqual({ code: 0, out: '', err: '' })
  expect(reportMails()).toBe(2)
})
