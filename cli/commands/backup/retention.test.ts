import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let backups: string
beforeEach(() => {
  folder = openDataFolder()
  backups = join(folder.dataDir, 'backups')
})
afterEach(() => folder.close())

const onDay = (days: number) => ({ now: () => new Date(startOfTime.getTime() + days * 86_400_000) })
const night = async (days: number) => JSON.parse((await folder.local('jobs run backup --json', onDay(days))).out)
const names = () =>
  readdirSync(backups)
    .filter((name) => name.startsWith('alliance-'))
    .sort()

/** What is in each of the backups, by its hash. */
const contents = () =>
  new Map(names().map((name) => [name, Bun.SHA256.hash(readFileSync(join(backups, name)), 'hex')] as const))

test('after a restore of an older backup, no nightly run replaces or deletes a newer one', async () => {
  await folder.local('backup schedule 03:15 --keep 3d')
  for (const day of [0, 1, 2]) {
    await night(day)
    folder.world.addMember({ email: `joined-${day}@alliance.test` })
  }
  const made = contents()
  expect([...made.keys()]).toEqual([
    'alliance-2026-06-12-nightly.tar',
    'alliance-2026-06-13-nightly.tar',
    'alliance-2026-06-14-nightly.tar',
  ])
  const restored = await folder.local(`backup restore ${join(backups, 'alliance-2026-06-12-nightly.tar')} --yes`)
  expect(restored.code).toBe(0)
  // The restored database does not know that this day has had its backup.
  expect(await night(2)).toMatchObject({ report: { made: 1 } })
  expect(names()).toContain('alliance-2026-06-14-nightly-2.tar')
  for (const day of [3, 4, 5, 6]) await night(day)
  const left = contents()
  for (const [name, hash] of made) expect([name, left.get(name)]).toEqual([name, hash])
  // Those that it made itself go by the rule.
  expect(names().slice(made.size)).toEqual([
    'alliance-2026-06-16-nightly.tar',
    'alliance-2026-06-17-nightly.tar',
    'alliance-2026-06-18-nightly.tar',
  ])
})
