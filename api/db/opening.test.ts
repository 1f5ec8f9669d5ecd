// @module-tag full
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContext } from '#api/context.ts'
import { startServer } from '#api/server.ts'
import { readSettings, StartupError } from '#api/settings.ts'
import { builtProgram } from '#api/testing/built-program.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { putMigratedDatabase } from '#api/testing/migrated.ts'
import { runCommand } from '#cli/testing/run-command.ts'
import { databaseFile } from './data-dir.ts'
import { lockDataDir, recordServing } from './server-lock.ts'
import { toStartupError } from './startup-error.ts'

let dataDir = ''
let file = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-opening-'))
  file = databaseFile(dataDir)
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const open = () => openContext(readSettings({ DATA_DIR: dataDir }))
function makeSite(): void {
  putMigratedDatabase(dataDir)
  open().sqlite.close()
}
const runLocal = (...argv: string[]) => runCommand(argv, { env: { DATA_DIR: dataDir } })

function change(...statements: string[]) {
  const sqlite = new Database(file)
  for (const statement of statements) sqlite.exec(statement)
  sqlite.close()
}

const fromTheFuture = `insert into __drizzle_migrations (hash, created_at) values ('later', 9999999999999)`

test('a schema newer than the program is refused by server and terminal, with one line each', async () => {
  makeSite()
  change(fromTheFuture)
  expect(open).toThrow(`${file} is of a newer version than this program.`)
  const { code, out, err } = await runLocal('jobs', 'list')
  expect([code, out, err.trim().split('\n')]).toEqual([1, '', [expect.stringContaining('of a newer version')]])
})

test('a migration from before our last that isn’t ours is no newer version', () => {
  makeSite()
  change(`insert into __drizzle_migrations (hash, created_at) values ('x', 1)`)
  expect(open).toThrow(`${file} has a migration that isn’t ours. Restore a backup: alliance backup restore FILE`)
})

test('an older schema is refused by the terminal and changed by `migrate`, but not beside a server', async () => {
  const migrations = new Database(file)
  migrations.pragma('journal_mode = WAL')
  migrations.close()
  const refused = await runLocal('jobs', 'list')
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/^\S+ is of an older version.*alliance migrate\n$/),
  ])
  const server = lockDataDir(dataDir)
  expect((await runLocal('migrate')).err).toMatch(/^A server is running on .* so stop or restart it\.\n$/)
  server?.release()
  expect(await runLocal('migrate', '--json')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/"migrated": ?[1-9]/),
  })
  expect(await runLocal('migrate', '--json')).toMatchObject({ code: 0, out: expect.stringMatching(/"migrated": ?0/) })
  expect((await runLocal('jobs', 'list')).code).toBe(0)
})

test('a migration that fails is named with its reason, and leaves the database as it was', async () => {
  makeSite()
  // Removes the migrations from 0042 on, by their journal times.
  change('delete from __drizzle_migrations where created_at >= 1795356938528')
  const state = () => {
    const sqlite = new Database(file, { readonly: true })
    const rows = sqlite.prepare('select sql from sqlite_master union all select created_at from __drizzle_migrations')
    const values = rows.pluck().all()
    sqlite.close()
    return values
  }
  const before = state()
  const line =
    /^Migration 0042_revisions_of_videos failed: [^\n]*duplicate column name: revision\. [^\n]*is as it was[^\n]*$/
  expect(open).toThrow(StartupError)
  expect(open).toThrow(line)
  const { code, out, err } = await runLocal('migrate')
  expect([code, out, err.trimEnd()]).toEqual([1, '', expect.stringMatching(line)])
  expect(state()).toEqual(before)
})

test('two programs that migrate at once do it one after the other', async () => {
  const script = `
    import { openDatabase } from '#api/db/open.ts'
    process.stdout.write(String(openDatabase(process.argv[1]).migrated))`
  const run = () => Bun.spawn([process.execPath, '-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const counts = await Promise.all([run(), run(), run()].map((child) => new Response(child.stdout).text()))
  expect(counts.filter((count) => Number(count) > 0)).toHaveLength(1)
  expect(counts.filter((count) => count === '0')).toHaveLength(2)
})

test('a database that is missing or empty in a used folder is refused, and nothing is made in its place', () => {
  makeSite()
  for (const spoil of [() => truncateSync(file, 0), () => rmSync(file), () => change('pragma user_version = 1')]) {
    for (const log of ['-wal', '-shm']) rmSync(file + log, { force: true })
    spoil()
    expect(open).toThrow(/^The database of this site is missing or empty\. Put a backup at .*docs\/backup\.md/)
    expect(existsSync(file) ? statSync(file).size : 0).toBeLessThanOrEqual(4096)
  }
})

test('a folder whose first start was cut short begins again, and so does one with a backup alone', () => {
  lockDataDir(dataDir)?.release()
  makeSite()
  const elsewhere = join(dataDir, 'elsewhere')
  mkdirSync(elsewhere)
  change(`vacuum into '${databaseFile(elsewhere)}'`)
  openContext(readSettings({ DATA_DIR: elsewhere })).sqlite.close()
})

test('a server whose lock file is deleted still keeps a second one out, and nobody else', () => {
  const held = lockDataDir(dataDir)
  const ctx = open()
  // A live process of this machine: our parent. The format is an earlier version's, without a start time.
  recordServing(ctx)
  const holder = [hostname(), process.ppid, crypto.randomUUID(), ctx.newId()].join(' ')
  ctx.sqlite.prepare(`update settings set value = json_set(value, '$.holder', ?) where key = 'server'`).run(holder)
  rmSync(join(dataDir, 'server.lock'))
  expect(lockDataDir(dataDir)).toBeNull()
  const copy = join(dataDir, 'copy')
  mkdirSync(copy)
  ctx.sqlite.exec(`vacuum into '${databaseFile(copy)}'`)
  const ofCopy = lockDataDir(copy)
  expect(ofCopy).not.toBeNull()
  ofCopy?.release()
  ctx.sqlite.exec(`update settings set value = replace(value, ' ${process.ppid} ', ' 999999999 ') where key = 'server'`)
  const next = lockDataDir(dataDir)
  expect(next).not.toBeNull()
  next?.release()
  held?.release()
  ctx.sqlite.close()
})

/** Starts as an unprivileged user, who can't write root's files. Returns the output's lines. */
async function startUnprivileged(folder: string) {
  const env = { PATH: process.env.PATH, HOME: tmpdir(), DATA_DIR: folder }
  const child = spawn(process.execPath, ['--no-env-file', builtProgram('api/main')], {
    env,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, lines: said.trim().split('\n') }
}

const isRoot = process.getuid?.() === 0
const nobody = 65_534

test('a folder that this user may not write is refused with one line that says whose it is', async () => {
  const line = /didn’t start\. DATA_DIR \(\/usr\) can’t be written: it belongs to user 0, and this program runs as user/
  expect(await startUnprivileged('/usr')).toEqual({ code: 1, lines: [expect.stringMatching(line)] })
})

test('a database that this user may only read is refused with one line, be it there or elsewhere by a link', async () => {
  if (isRoot) chownSync(dataDir, nobody, nobody)
  symlinkSync('/etc/passwd', file)
  const refused = `didn’t start. ${file} can’t be written (EACCES`
  expect(await startUnprivileged(dataDir)).toEqual({ code: 1, lines: [expect.stringContaining(refused)] })
  // A start makes its own user's file writable.
  if (!isRoot) return
  rmSync(file)
  writeFileSync(file, 'of root', { mode: 0o444 })
  const ofRoot = `didn’t start. The file (${file}) can’t be written: it belongs to user 0`
  expect(await startUnprivileged(dataDir)).toEqual({ code: 1, lines: [expect.stringContaining(ofRoot)] })
})

test('a start on a database that another program goes on writing is refused with one line, whether it migrates or not', async () => {
  const busyMs = 20
  const shell = new Database(file)
  shell.exec('create table t (a)')
  shell.exec('begin exclusive')
  const line = `${file} is locked: another program is writing to it. Stop that program and start again.`
  const [port = '', sandboxPort = ''] = freePorts(2)
  const env = { DATA_DIR: dataDir, PORT: port, SANDBOX_PORT: sandboxPort }
  expect(() => openContext(readSettings(env), { busyMs })).toThrow(new StartupError(line))
  shell.close()
  rmSync(file)
  makeSite()
  const other = new Database(file)
  other.exec('begin exclusive')
  await expect(startServer(readSettings(env), { busyMs })).rejects.toThrow(new StartupError(line))
  other.close()
})

test('a locked, full, read-only or damaged database is one line each, and only a lock says that another server runs', () => {
  const errorOf = (code: string) => Object.assign(new Error('no'), { code })
  const lineOf = (code: string) => String(toStartupError(errorOf(code), file))
  expect(lineOf('SQLITE_BUSY')).toContain('is locked: another program is writing to it')
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC'])
    expect(lineOf(code)).toContain('is full. Make room')
  for (const code of ['SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']) {
    expect(lineOf(code)).toContain(`can’t be written (${code}: no)`)
  }
  expect(lineOf('SQLITE_CORRUPT')).toContain('restore a backup over')
  const other = errorOf('ERR_OTHER')
  expect(toStartupError(other, file)).toBe(other)
})
