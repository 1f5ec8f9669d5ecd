// @module-tag full
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startServer } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { runCommand } from '#cli/testing/run-command.ts'

const servers: Awaited<ReturnType<typeof startServer>>[] = []
let folder = ''
let backup = ''

const envOf = (name: string) => {
  const [PORT = '', SANDBOX_PORT = ''] = freePorts(2)
  return {
    DATA_DIR: join(folder, name),
    XDG_CONFIG_HOME: folder,
    HOST: '127.0.0.1',
    PORT,
    SANDBOX_PORT,
    SANDBOX_PEOPLE: 'few',
  }
}
type Env = ReturnType<typeof envOf>

const alliance = (env: Env, line: string) => runCommand(line.split(' '), { env })

async function serve(env: Env): Promise<void> {
  servers.push(await startServer(readSettings(env)))
}

async function stopAll(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-demo-'))
  const env = envOf('first')
  await serve(env)
  expect(await alliance(env, 'backup create')).toMatchObject({ code: 0 })
  const backups = join(env.DATA_DIR, 'backups')
  backup = join(backups, readdirSync(backups).find((name) => name.endsWith('.tar')) ?? '')
  await stopAll()
})
afterEach(stopAll)
afterAll(() => rmSync(folder, { recursive: true }))

test('a demo on an emptied machine comes back with its payments: customers are read, and a month renews them', async () => {
  const env = envOf('emptied')
  expect(await alliance(env, `backup restore ${backup}`)).toMatchObject({ code: 0 })
  expect(statSync(join(env.DATA_DIR, 'sandbox.sqlite')).mode & 0o777).toBe(0o600)
  await serve(env)
  const run = JSON.parse((await alliance(env, 'jobs run reconcile --all --json')).out)
  expect(run.report).toMatchObject({ failed: 0, mended: 0 })
  expect(run.report.customers).toBeGreaterThan(3)
  const before = JSON.parse((await alliance(env, 'invoices list --json')).out).length
  expect(await alliance(env, 'sandbox advance 31d')).toMatchObject({ code: 0 })
  expect(JSON.parse((await alliance(env, 'invoices list --json')).out).length).toBeGreaterThan(before)
})

test('a sync that can’t read customers fails, and says which and why', async () => {
  const env = envOf('without')
  expect(await alliance(env, `backup restore ${backup}`)).toMatchObject({ code: 0 })
  rmSync(join(env.DATA_DIR, 'sandbox.sqlite'))
  await serve(env)
  for (const line of ['jobs run reconcile --all', 'subscriptions reconcile --all']) {
    const { code, out } = await alliance(env, line)
    expect([line, code]).toEqual([line, 1])
    expect(out).toMatch(/Failed +\d/)
    expect(out).toMatch(/Why +No such customer: 'cus_\w+'\./)
  }
})

test('a trigger in the sandbox’s file is named, also one with the name of a table', async () => {
  const env = envOf('first')
  const sqlite = new Database(join(env.DATA_DIR, 'sandbox.sqlite'))
  const name = sqlite.prepare(`select name from sqlite_master where type = 'table' limit 1`).pluck().get()
  const [table] = sqlite.prepare('select sql from sqlite_master where name = ?').pluck().all(name)
  sqlite.exec(`create table beside (a); drop table ${name};
    create trigger ${name} after insert on beside begin select 1; end; ${table}`)
  sqlite.close()
  const [made = ''] = (await alliance(env, `backup create --to ${folder}`)).out.split('\n')
  expect(await alliance(env, `backup verify ${made}`)).toMatchObject({
    code: 1,
    out: expect.stringContaining(`The payment sandbox’s file has what we didn’t make: trigger ${name}.`),
  })
})

test('a sandbox that’s there stays, since it knows what was paid after the backup, and a damaged one stops no backup', async () => {
  const env = envOf('first')
  const file = join(env.DATA_DIR, 'sandbox.sqlite')
  writeFileSync(file, 'no database at all, '.repeat(500))
  expect(await alliance(env, 'backup create --to '.concat(folder))).toMatchObject({ code: 0 })
  expect(await alliance(env, `backup restore ${backup} --yes`)).toMatchObject({ code: 0 })
  expect(statSync(file).size).toBe(20 * 500)
})
