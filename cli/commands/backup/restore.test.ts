import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { insertRow } from '#api/db/insert.ts'
import { openDatabase } from '#api/db/open.ts'
import { media } from '#api/db/schema/media.ts'
import { mailings } from '#api/db/schema/outreach.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { startServer } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { startOfTime, startWorld } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'
import type { Segment } from '#shared/contract/mailing.ts'

let folder: DataFolder
let file: string
beforeEach(() => {
  folder = openDataFolder()
  file = databaseFile(folder.dataDir)
  folder.world.addMember({ email: 'sam@alliance.test' })
})
afterEach(() => folder.close())

const backup = () => join(folder.dataDir, 'backups', readdirSync(join(folder.dataDir, 'backups'))[0] ?? '')
const restore = () => folder.local(`backup restore ${backup()} --yes`)
const members = async () => (await folder.local('members list --csv')).out
const hidden = (path = folder.dataDir) => readdirSync(path).filter((name) => name.startsWith('.'))

function knows(path: string, email: string): boolean {
  const { sqlite } = openDatabase(path)
  const found = sqlite.prepare('select 1 from users where email = ?').get(email)
  sqlite.close()
  return found !== undefined
}

/** Makes a backup, then adds a member whose row is only in the write-ahead log. */
async function backUpAndGoOn() {
  await folder.local('backup create')
  folder.world.addMember({ email: 'late@alliance.test' })
}

/** Leaves the folder as a restore does when it's killed between its two moves, or during the first. */
function cutOff(ends: readonly string[]): string {
  const before = join(folder.dataDir, 'before-restore-2026-06-12T07-00-00')
  const prepared = join(folder.dataDir, '.restoring-aB3dEf')
  for (const path of [before, prepared]) mkdirSync(path)
  writeFileSync(join(before, 'unfinished'), 'The restore that moved this database here hasn’t finished.\n')
  writeFileSync(join(prepared, 'alliance.sqlite'), 'settled')
  for (const end of ends) renameSync(file + end, join(before, `alliance.sqlite${end}`))
  return before
}

test('a campaign that may have gone out since the backup is on hold after a restore, and named', async () => {
  const { ctx } = folder.world
  const now = ctx.now()
  const at = now.toISOString()
  const later = new Date(now.getTime() + 3_600_000).toISOString()
  const campaigns = [
    ['Due', { sendAt: at }],
    ['Going', { status: 'sending', startedAt: at }],
    ['Later', { sendAt: later }],
  ] as const
  const segment: Segment = { tiers: ['xl'], state: 'with-access', progress: null, notSeenDays: null, joined: null }
  const shape = { text: 'Text', purpose: 'service', segment, perMinute: 60, createdAt: at, updatedAt: at } as const
  for (const [subject, state] of campaigns) insertRow(ctx, mailings, { id: ctx.newId(), subject, ...shape, ...state })
  await folder.local('backup create')
  const { err, out } = await folder.local(`backup restore ${backup()} --yes`, { now: () => now })
  for (const subject of ['Due', 'Going']) expect(out + err).toContain(`campaign “${subject}” may have gone out since`)
  expect(out + err).not.toContain('“Later”')
  const { sqlite } = openDatabase(file)
  const held = sqlite.prepare('select subject, status, sendAt from mailings order by subject').all()
  sqlite.close()
  expect(held).toEqual([
    { subject: 'Due', status: 'draft', sendAt: null },
    { subject: 'Going', status: 'paused', sendAt: null },
    { subject: 'Later', status: 'draft', sendAt: later },
  ])
})

test('mail that waited when the backup was made is held after a restore, named, and sent when an owner says', async () => {
  const { ctx } = folder.world
  const now = ctx.now()
  const later = new Date(now.getTime() + 3_600_000).toISOString()
  const mail = { to: 'sam@alliance.test', userId: null, text: 'Text', html: '<p>' }
  queueMail(ctx, { ...mail, cause: 'tea:1', subject: 'Waiting', isRepeatable: true })
  queueMail(ctx, { ...mail, cause: 'reset:1', subject: 'Link', lapsesAt: later })
  queueMail(ctx, { ...mail, cause: 'reset:2', subject: 'Lapsed', lapsesAt: now.toISOString() })
  queueMail(ctx, { ...mail, cause: 'tea:2', subject: 'Begun', isRepeatable: true })
  queueMail(ctx, { ...mail, cause: 'tea:3', subject: 'Sent', isRepeatable: true })
  ctx.sqlite.exec(`update mail_outbox set status = 'sent' where subject = 'Sent'`)
  ctx.sqlite.exec(`update mail_outbox set status = 'sending' where subject = 'Begun'`)
  await folder.local('backup create')
  const local = (line: string) => folder.local(line, { now: () => now })
  const { err } = await local(`backup restore ${backup()} --yes`)
  expect(err).toContain('4 emails waited to be sent when the backup was made and may have gone out since')
  const states = async () => {
    const listed: { subject: string; status: string; canResend: boolean }[] = JSON.parse(
      (await local('mail list --json')).out,
    )
    return Object.fromEntries(listed.map(({ subject, status, canResend }) => [subject, [status, canResend]]))
  }
  const held = { Waiting: ['failed', true], Link: ['failed', true], Lapsed: ['failed', false], Begun: ['failed', true] }
  expect(await states()).toEqual({ ...held, Sent: ['sent', false] })
  const [, resend = ''] = /Send: .*alliance (mail resend .*)$/m.exec(err) ?? []
  expect(await local(`${resend} --yes`)).toMatchObject({ code: 0 })
  const sent = { Waiting: ['waiting', false], Link: ['waiting', false], Begun: ['waiting', false] }
  expect(await states()).toEqual({ ...held, ...sent, Sent: ['sent', false] })
})

test('a renewal told of since the backup isn’t told of again, where the replaced database knows', async () => {
  const { ctx } = folder.world
  const at = new Date(ctx.billingNow().getTime() + 20 * 86_400_000).toISOString()
  const nextPayment = { at, net: 250_000, vat: 50_000, total: 300_000, fromCredit: 0, due: 300_000, lines: [] }
  const year = { chargeMonths: 12, chargeTotal: 300_000, yearlyNet: 250_000, currentPeriodEnd: at, nextPayment }
  folder.world.addMember({ email: 'earlier@alliance.test', subscription: year })
  await runJob(ctx, 'renewals')
  await runJob(ctx, 'mail')
  folder.world.addMember({ email: 'later@alliance.test', subscription: year })
  await folder.local('backup create')
  expect(await runJob(ctx, 'renewals')).toMatchObject({ report: { told: 1 } })
  await runJob(ctx, 'mail')
  expect((await restore()).code).toBe(0)
  const restored = startWorld({ file, env: folder.env })
  expect(await runJob(restored.ctx, 'renewals')).toMatchObject({ report: { told: 0 } })
  const mails = restored.ctx.sqlite.prepare(`select status from mail_outbox where cause like 'renewal:%'`).pluck()
  expect(mails.all()).toEqual(['sent', 'sent'])
  restored.ctx.sqlite.close()
})

const cuts = [{ ends: [''] }, { ends: ['', '-wal', '-shm'] }]

test.each(cuts)(
  'after a restore that was cut off, having moved $ends, the start says how to go on',
  { tags: ['full'] },
  async ({ ends }) => {
    await backUpAndGoOn()
    const before = cutOff(ends)
    const settings = readSettings({ ...folder.env, PORT: '1' })
    const said = await startServer(settings).then(
      () => '',
      (error: unknown) => String(error),
    )
    expect(said).toContain('The database of this site is missing or empty. A restore over ')
    expect(said).toContain(before)
    expect((await folder.local('members list')).err).toContain(before)
    expect((await folder.local('doctor --verbose')).out).toContain(before)
    const [, command = ''] = /put it back: (.*)$/.exec(said) ?? []
    execFileSync('sh', ['-c', command])
    expect(await members()).toContain('late@alliance.test')
  },
)

test.each(cuts)(
  'a restore that was cut off, having moved $ends, is done by the next one',
  { tags: ['full'] },
  async ({ ends }) => {
    await backUpAndGoOn()
    const before = cutOff(ends)
    expect((await folder.local(`backup restore ${backup()} --dry-run`)).out).toMatch(/Current data +is moved aside/)
    const { code, out, err } = await restore()
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`${before}\n`) })
    expect(out).toMatch(/Next numbers +A-000001, C-000001/)
    expect(err).not.toContain('damaged')
    expect(await members()).not.toContain('late@alliance.test')
    expect(knows(join(before, 'alliance.sqlite'), 'late@alliance.test')).toBe(true)
    expect(existsSync(join(before, 'unfinished'))).toBe(false)
    expect(hidden()).toEqual([])
    // That restore is over, so it doesn't cover what the site loses later.
    rmSync(file)
    const lost = await folder.local('members list')
    expect(lost.err).toContain('Put a backup at')
    expect(lost.err).toContain(before)
    expect((await restore()).out).toMatch(/Next numbers +not known yet/)
  },
)

test('what a killed restore has prepared goes at the next start; none is done beside the server, which it names', {
  tags: ['full'],
}, async () => {
  await folder.local('backup create')
  folder.world.ctx.sqlite.close()
  mkdirSync(join(folder.dataDir, '.restoring-aB3dEf'))
  writeFileSync(join(folder.dataDir, 'before-restore-2026.tar'), '')
  mkdirSync(join(folder.dataDir, '.restoring-notes'))
  const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const free = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const env = { ...folder.env, PORT: String(free.port), SANDBOX_PORT: String(taken.port), HOST: '127.0.0.1' }
  taken.stop(true)
  free.stop(true)
  const server = await startServer(readSettings(env))
  expect(hidden()).toEqual(['.restoring-notes'])
  expect(await restore()).toMatchObject({
    code: 1,
    err: `A server is running on ${folder.dataDir} (process ${process.pid}). Stop it first.\n`,
  })
  await server.stop()
})

test('the database may be a link: what it leads to is replaced, and moved aside whole', {
  tags: ['full'],
}, async () => {
  await folder.local('backup create')
  folder.world.ctx.sqlite.close()
  const disk = mkdtempSync(join(tmpdir(), 'alliance-disk-'))
  renameSync(file, join(disk, 'site.db'))
  symlinkSync(join(disk, 'site.db'), file)
  const { sqlite } = openDatabase(file)
  sqlite.exec(`update users set email = 'late@alliance.test' where email = 'sam@alliance.test'`)
  expect(existsSync(join(disk, 'site.db-wal'))).toBe(true)
  const { out } = await restore()
  sqlite.close()
  const before = /Previous data +(\S+)/.exec(out)?.[1] ?? ''
  expect(dirname(before)).toBe(disk)
  expect(knows(join(before, 'site.db'), 'late@alliance.test')).toBe(true)
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(await members()).toContain('sam@alliance.test')
  expect([hidden(), hidden(disk)]).toEqual([[], []])

  renameSync(disk, `${disk}-away`)
  const away = await restore()
  expect(away).toMatchObject({ code: 1, err: expect.stringContaining('is a link to') })
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  rmSync(`${disk}-away`, { recursive: true })
})

test('two restores in one second keep what was there before each', { tags: ['full'] }, async () => {
  await backUpAndGoOn()
  const [first, second] = [(await restore()).out, (await restore()).out]
  const beforeOf = (out: string) => /Previous data +(\S+)/.exec(out)?.[1] ?? ''
  expect(beforeOf(second)).toBe(`${beforeOf(first)}-2`)
  expect(knows(join(beforeOf(first), 'alliance.sqlite'), 'late@alliance.test')).toBe(true)
})

test('the last restore is known as the last, whatever the clock said at each', { tags: ['full'] }, async () => {
  await backUpAndGoOn()
  const beforeOf = (out: string) => /Previous data +(\S+)/.exec(out)?.[1] ?? ''
  const restoreAt = async (time: string) =>
    beforeOf((await folder.local(`backup restore ${backup()} --yes`, { now: () => new Date(time) })).out)
  const lastNamed = async () => {
    rmSync(file)
    const { err } = await folder.local('members list')
    expect((await restore()).code).toBe(0)
    return /(\S+before-restore-[\w-]+)/.exec(err)?.[1]
  }
  // The eleventh within one second.
  const ofOneSecond: string[] = []
  for (let count = 0; count < 11; count += 1) ofOneSecond.push(await restoreAt('2026-06-12T07:40:00Z'))
  expect(new Set(ofOneSecond).size).toBe(11)
  expect(await lastNamed()).toBe(ofOneSecond.at(-1))
  const ahead = await restoreAt('2027-12-28T07:40:00Z')
  const after = await restoreAt('2026-06-13T07:40:00Z')
  expect(after).not.toBe(ahead)
  expect(await lastNamed()).toBe(after)
})

function loseMedia(text: string): string {
  const bytes = Buffer.from(text)
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const path = join(folder.dataDir, 'media', sha256.slice(0, 2), sha256)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  insertRow(folder.world.ctx, media, {
    id: folder.world.ctx.newId(),
    sha256,
    bytes: bytes.length,
    format: 'mp4',
    name: `${text}.mp4`,
    createdAt: startOfTime.toISOString(),
  })
  return path
}

test('a full disk is named, and what was changed by then', { tags: ['full'] }, async () => {
  const paths = [loseMedia('one film'), loseMedia('another')].sort()
  await backUpAndGoOn()
  const [first = '', second = ''] = paths
  for (const path of paths) rmSync(path)
  symlinkSync('/dev/full', `${first}.new`)
  const full = await restore()
  expect(full).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Nothing has changed\. The disk that holds \S+ is/),
  })
  rmSync(`${first}.new`)
  symlinkSync('/dev/full', `${second}.new`)
  expect((await restore()).err).toMatch(/^The database hasn’t changed\. 1 media file stays/)
  expect(await members()).toContain('late@alliance.test')
  expect(readdirSync(folder.dataDir).filter((name) => /^(before|\.)/.test(name))).toEqual([])
})
