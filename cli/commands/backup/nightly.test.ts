// @module-tag full
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordHeartbeat } from '#api/features/operations/health/service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

const minute = 60_000
const hour = 60 * minute

const nightlies = () => readdirSync(join(folder.dataDir, 'backups')).filter((name) => name.includes('-nightly'))
const nowOfWorld = () => ({ now: folder.world.ctx.now })
const schedule = (argv: string) => folder.local(`backup schedule ${argv}`, nowOfWorld())
const moveTo = (instant: string) => folder.world.forward(Date.parse(instant) - folder.world.ctx.now().getTime())

async function look(): Promise<string | null> {
  const { ctx } = folder.world
  const outcome = await runJob(ctx, 'backup')
  return !outcome.skipped && outcome.report.made === 1 ? ctx.now().toISOString().slice(5, 16) : null
}

/** Looks every ten minutes, as the server does. Returns when it made one, in UTC. */
async function lookFor(hours: number): Promise<string[]> {
  const made: string[] = []
  for (let at = 0; at < hours * 6; at += 1) {
    const found = await look()
    if (found !== null) made.push(found)
    folder.world.forward(10 * minute)
  }
  return made
}

const health = async () => (await (await folder.world.call('/api/health')).json()).services.backups

async function doctor() {
  const { out } = await folder.local('doctor --json', nowOfWorld())
  return JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'nightly backup')
}

test('an hour shortly before midnight has its backup though the next look is after it', async () => {
  // Five to midnight in London; the looks come at 22:51 and 23:01 UTC.
  moveTo('2026-06-12T15:51:00.000Z')
  await schedule('23:55')
  expect(await lookFor(3 * 24)).toEqual(['06-12T23:01', '06-13T23:01', '06-14T23:01'])
  expect(nightlies().sort()).toEqual([
    'alliance-2026-06-12-nightly.tar',
    'alliance-2026-06-13-nightly.tar',
    'alliance-2026-06-14-nightly.tar',
  ])
})

test.each([
  ['back', '2026-10-24T13:51:00.000Z', ['10-24T23:01', '10-26T00:01', '10-27T00:01']],
  ['forward', '2026-03-28T13:51:00.000Z', ['03-29T00:01', '03-29T23:01', '03-30T23:01']],
])('the same in the night in which the clocks go %s', async (_way, from, made) => {
  moveTo(from)
  await schedule('23:55')
  expect(await lookFor(3 * 24)).toEqual(made)
})

test('a machine that was off at the hour makes it in the morning, and one for the nights that it missed', async () => {
  await schedule('22:00')
  moveTo('2026-06-13T08:00:00.000Z')
  expect(await lookFor(2)).toEqual(['06-13T08:00'])
  moveTo('2026-06-16T08:00:00.000Z')
  expect(await lookFor(14)).toEqual(['06-16T08:00', '06-16T21:00'])
})

test('an hour that was set since makes none for yesterday, and another rule does not cost the night', async () => {
  moveTo('2026-06-12T22:58:00.000Z')
  await schedule('23:55')
  moveTo('2026-06-12T23:01:00.000Z')
  expect(await look()).toBeNull()
  moveTo('2026-06-13T22:58:00.000Z')
  await schedule('--keep 2d')
  moveTo('2026-06-13T23:01:00.000Z')
  expect(await look()).toBe('06-13T23:01')
})

test.each([['--keep 2d'], ['--to FOLDER']])('nor does %s where an earlier version set the hour', async (more) => {
  const { ctx } = folder.world
  await schedule('23:55')
  ctx.sqlite.prepare("delete from settings where key = 'backup_hour'").run()
  moveTo('2026-06-13T22:58:00.000Z')
  await schedule(more.replace('FOLDER', join(folder.dataDir, 'backups')))
  moveTo('2026-06-13T23:01:00.000Z')
  expect(await look()).toBe('06-13T23:01')
})

test('a clock that was ahead, and is set back over midnight or for a year, costs no night and doubles none', async () => {
  await schedule('23:55')
  moveTo('2027-08-01T10:01:00.000Z')
  await schedule('23:56')
  expect(await look()).toBeNull()
  moveTo('2026-06-13T22:01:00.000Z')
  expect(await lookFor(24)).toEqual(['06-13T22:01', '06-13T23:01'])
  moveTo('2026-06-15T23:01:00.000Z')
  expect(await look()).toBe('06-15T23:01')
  folder.world.forward(-2 * hour)
  expect(await lookFor(3)).toEqual([])
})

test('one that stays away is missed by doctor, and by who watches the site, after a day and a half', async () => {
  const { world } = folder
  await schedule('03:15')
  expect(await health()).toBe('configured')
  world.forward(35 * hour)
  expect([await health(), (await doctor()).state]).toEqual(['configured', 'ok'])
  world.forward(2 * hour)
  // Changing the folder doesn't trigger a backup.
  await schedule(`--to ${join(folder.dataDir, 'backups')}`)
  expect(await health()).toBe('missing')
  expect(await doctor()).toMatchObject({ state: 'failed', message: expect.stringContaining('12 June 2026, 08:40') })
  await look()
  expect([await health(), (await doctor()).state]).toEqual(['alive', 'ok'])
  world.forward(37 * hour)
  expect(await health()).toBe('missing')
  expect(await doctor()).toMatchObject({ state: 'failed', message: expect.stringContaining('13 June 2026, 21:40') })
  // A new hour.
  await schedule('04:15')
  expect([await health(), (await doctor()).state]).toEqual(['alive', 'ok'])
})

test('none is missed before a changed hour has come, nor before the look that follows it', async () => {
  moveTo('2026-06-13T02:15:00.000Z')
  await schedule('03:15')
  await look()
  moveTo('2026-06-13T09:00:00.000Z')
  await schedule('23:55')
  for (const instant of ['2026-06-14T21:30:00.000Z', '2026-06-14T22:59:00.000Z']) {
    moveTo(instant)
    expect([instant, await health(), (await doctor()).state]).toEqual([instant, 'alive', 'ok'])
  }
  moveTo('2026-06-15T00:56:00.000Z')
  expect([await health(), (await doctor()).state]).toEqual(['missing', 'failed'])
})

test('a machine that was off over the weekend has two hours to make it', async () => {
  const { ctx } = folder.world
  await schedule('22:00')
  moveTo('2026-06-12T21:00:00.000Z')
  await look()
  recordHeartbeat(ctx)
  moveTo('2026-06-15T07:00:00.000Z')
  // No server has started that would make it.
  expect((await doctor()).state).toBe('failed')
  recordHeartbeat(ctx)
  expect([await health(), (await doctor()).state]).toEqual(['alive', 'ok'])
  for (let minutes = 0; minutes < 119; minutes += 1) {
    folder.world.forward(minute)
    recordHeartbeat(ctx)
    expect(await health()).toBe('alive')
  }
  folder.world.forward(minute)
  recordHeartbeat(ctx)
  expect([await health(), (await doctor()).state]).toEqual(['missing', 'failed'])
})
