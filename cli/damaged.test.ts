// @module-tag full
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { damageMarkOf, damageOf } from '#api/db/damage.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { checkAtStart, heedDamageMark } from '#api/db/integrity.ts'
import { lockDataDir } from '#api/db/server-lock.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { builtProgram } from '#api/testing/built-program.ts'
import { damagePage } from '#api/testing/damaged-database.ts'
import { startWorld } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
  folder.world.addMember({ email: 'sam@alliance.test' })
})
afterEach(() => folder.close())

/** The one line in the server's log and on the terminal. */
const damageLine = /^The database is damaged: [^\n]*alliance backup restore FILE[^\n]*\n$/
const rename = 'tiers set lite --name Q'

async function damage(name: string): Promise<void> {
  damagePage(databaseFile(folder.dataDir), name)
  expect(await runJob(folder.world.ctx, 'integrity')).toMatchObject({ report: { isDamaged: true } })
}

test('what the server knows to be damaged is not written by the terminal, until a backup is restored', async () => {
  expect(await folder.local(rename)).toMatchObject({ code: 0 })
  await folder.local('backup create')
  await damage('users')
  expect(await folder.local(rename)).toEqual({ code: 1, out: '', err: expect.stringMatching(damageLine) })
  expect((await folder.local('tiers list')).code).toBe(0)
  folder.world.ctx.sqlite.close()
  expect(await folder.local('migrate')).toEqual({ code: 1, out: '', err: expect.stringMatching(damageLine) })
  expect((await folder.local(rename)).code).toBe(1)

  const [backup = ''] = readdirSync(join(folder.dataDir, 'backups'))
  expect((await folder.local(`backup restore ${join(folder.dataDir, 'backups', backup)} --yes`)).code).toBe(0)
  expect((await folder.local(rename)).code).toBe(0)
})

test('a start that finds a sound database in its place lets the terminal write again', async () => {
  const file = databaseFile(folder.dataDir)
  const sound = join(folder.dataDir, 'sound')
  folder.world.ctx.sqlite.exec(`vacuum into '${sound}'`)
  await damage('users')
  expect((await folder.local(rename)).code).toBe(1)
  folder.world.ctx.sqlite.close()
  copyFileSync(sound, file)
  const { ctx } = startWorld({ file, env: folder.env })
  checkAtStart(ctx)
  ctx.sqlite.close()
  expect((await folder.local(rename)).code).toBe(0)
})

test.each([
  ['members list', 'users'],
  ['members show sam@alliance.test', 'users'],
  ['backup create', 'users'],
  ['export all whole', 'users'],
])('%s says that the database is damaged, and what restores it', async (argv, name) => {
  folder.world.ctx.sqlite.close()
  damagePage(databaseFile(folder.dataDir), name)
  const { code, err } = await folder.local(argv, { cwd: folder.dataDir })
  expect({ code, err: `${err.split('\n').at(-2)}\n` }).toEqual({ code: 1, err: expect.stringMatching(damageLine) })
})

describe('a mark whose cause has gone', () => {
  const mark = () => damageMarkOf(databaseFile(folder.dataDir))
  beforeEach(() => writeFileSync(mark(), 'its file was cut short'))

  test.each(['jobs run heartbeat', 'backup create', rename])('is removed by %s, which goes on', async (argv) => {
    expect(await folder.local(argv)).toMatchObject({ code: 0 })
    expect(existsSync(mark())).toBe(false)
  })

  test('is a failed check of doctor, which names what removes it', async () => {
    const { code, out } = await folder.local('doctor --json')
    const check = JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'integrity')
    expect({ code, check }).toMatchObject({
      code: 1,
      check: { state: 'failed', message: expect.stringContaining('its file was cut short'), fix: 'jobs run integrity' },
    })
    expect(await folder.local('doctor --fix --yes')).toMatchObject({ code: 0 })
    expect(existsSync(mark())).toBe(false)
    expect((await folder.local('doctor')).code).toBe(0)
  })

  test('is looked into without keeping a server from the folder', () => {
    const isFree: boolean[] = []
    const onStatement = (text: string) => {
      if (!text.includes('quick_check')) return
      const lock = lockDataDir(folder.dataDir)
      isFree.push(lock !== null)
      lock?.release()
    }
    const { ctx } = startWorld({ file: databaseFile(folder.dataDir), env: folder.env, onStatement })
    heedDamageMark(ctx)
    ctx.sqlite.close()
    expect(isFree).toEqual([true])
    expect(existsSync(mark())).toBe(false)
  })

  test.each([
    ['a server starts', () => lockDataDir(folder.dataDir)],
    ['something else is found', () => void writeFileSync(mark(), 'another page')],
  ])('stays, and nothing is written, where %s while it is looked into', (_what, meanwhile) => {
    let lock: ReturnType<typeof lockDataDir> | undefined
    const onStatement = (text: string) => {
      if (text.includes('quick_check')) lock = meanwhile() ?? undefined
    }
    const { ctx } = startWorld({ file: databaseFile(folder.dataDir), env: folder.env, onStatement })
    heedDamageMark(ctx)
    const damage = damageOf(ctx)
    ctx.sqlite.close()
    lock?.release()
    expect(existsSync(mark())).toBe(true)
    expect(damage).not.toBeNull()
  })

  test('is left to the server that holds the folder, and the line names its restart first', async () => {
    const lock = lockDataDir(folder.dataDir)
    const { code, err } = await folder.local(rename)
    lock?.release()
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /^The database is damaged: its file was cut short\. Restart the server, which checks .* backup restore FILE/,
      ),
    })
    expect(existsSync(mark())).toBe(true)
  })
})

test('beside a server whose database is a link, a command opens it at once', async () => {
  const [file, place] = [databaseFile(folder.dataDir), join(folder.dataDir, 'site.db')]
  folder.world.ctx.sqlite.close()
  renameSync(file, place)
  symlinkSync(place, file)
  const { ctx } = startWorld({ file, env: folder.env })
  const lock = lockDataDir(folder.dataDir)
  expect(await folder.local('tiers list')).toMatchObject({ code: 0 })
  lock?.release()
  ctx.sqlite.close()
})

/** In a process of its own, because closing the file here would release our locks. */
function runElsewhere(sql: string): string {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1])
    const one = sqlite.prepare(process.argv[2])
    process.stdout.write(one.reader ? String(one.pluck().get()) : String(one.run().changes))`
  const file = databaseFile(folder.dataDir)
  return String(Bun.spawnSync([process.execPath, '-e', script, file, sql]).stdout)
}

test('a command whose own log was removed leaves what another program has written since', async () => {
  folder.world.ctx.sqlite.close()
  const log = `${databaseFile(folder.dataDir)}-wal`
  let isRemoved = false
  const now = () => {
    if (!isRemoved && existsSync(log)) {
      isRemoved = true
      for (const ending of ['wal', 'shm']) rmSync(`${databaseFile(folder.dataDir)}-${ending}`)
      expect(runElsewhere(`insert into settings (key, value, updatedAt) values ('note', '"of the other"', '')`)).toBe(
        '1',
      )
    }
    return folder.world.ctx.now()
  }
  await folder.local('backup create', { now })
  expect(isRemoved).toBe(true)
  const kept = readdirSync(join(folder.dataDir, 'backups')).filter((name) => name.startsWith('alliance-kept-'))
  expect(kept).toHaveLength(1)
  expect(runElsewhere(`select value from settings where key = 'note'`)).toBe('"of the other"')
})

async function runBuilt(line: string) {
  const argv = [process.execPath, '--no-env-file', builtProgram('cli/main'), ...line.split(' ')]
  const child = Bun.spawn(argv, { env: { ...folder.env, PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] })
  const err = await new Response(child.stderr).text()
  return { code: await child.exited, err }
}

describe('a server whose log was removed', () => {
  // From outside, a running restore looks the same.
  const line =
    /^The log of \S+ .* is missing, .*a restore is running, wait.*in a copy, and its output says where\. You don’t need a backup\.$/
  const remove = () => {
    for (const ending of ['wal', 'shm']) rmSync(`${databaseFile(folder.dataDir)}-${ending}`)
  }

  test.each([rename, 'tiers list', 'backup create'])(
    'is named by %s with what helps, and no other log is begun',
    async (argv) => {
      const lock = lockDataDir(folder.dataDir)
      remove()
      const { code, out, err } = await folder.local(argv)
      expect({ code, out, err: err.trim() }).toEqual({ code: 1, out: '', err: expect.stringMatching(line) })
      expect(readdirSync(folder.dataDir)).not.toContain('alliance.sqlite-wal')
      lock?.release()
    },
  )

  test('is to be restarted before anything else, where an empty log lies there again', async () => {
    rmSync(`${databaseFile(folder.dataDir)}-wal`)
    writeFileSync(`${databaseFile(folder.dataDir)}-wal`, '')
    const [list, doctor] = [await folder.local('tiers list'), await folder.local('doctor')]
    expect(list).toMatchObject({
      code: 1,
      err: expect.stringMatching(/disk I\/O error\. Restart the server, which checks/),
    })
    expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/failed +integrity +disk I\/O error/) })
    expect(doctor.out).not.toContain('alliance backup list')
  })

  test('is the one finding of doctor, which points to no backup', async () => {
    const lock = lockDataDir(folder.dataDir)
    remove()
    const { code, out } = await folder.local('doctor --json')
    lock?.release()
    const failed = JSON.parse(out).checks.filter(({ state }: { state: string }) => state === 'failed')
    expect({ code, failed }).toMatchObject({ code: 1, failed: [{ message: expect.stringMatching(line), fix: null }] })
  })
})

test('a damaged database is not backed up, and the line says how to keep what is there', async () => {
  const keep = `cp -a ${folder.dataDir} ${folder.dataDir}-damaged`
  folder.world.ctx.sqlite.close()
  damagePage(databaseFile(folder.dataDir), 'users')
  const create = () => folder.local('backup create')
  // It finds the damage itself and remembers it. So does the built program, which has several parts.
  for (const { code, err } of [await create(), await create(), await runBuilt('backup create')]) {
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(damageLine) })
    expect(err).toContain(keep)
  }
  expect(readdirSync(folder.dataDir)).toContain('alliance.sqlite-damaged')
})

test('nor is one whose rows do not fit together', async () => {
  folder.world.ctx.sqlite.pragma('foreign_keys = off')
  folder.world.ctx.sqlite.exec(
    `insert into addresses (userId, line1, town, postcode, updatedAt) values ('nobody', '', '', '', '')`,
  )
  const { code, err } = await folder.local('backup create')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^The database is damaged: .*alliance doctor\. .*cp -a /),
  })
})
