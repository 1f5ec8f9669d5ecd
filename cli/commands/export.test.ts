// @module-tag full
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtProgram } from '#api/testing/built-program.ts'
import { addPaidMonth } from '#api/testing/commission.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let place: string
beforeEach(() => {
  folder = openDataFolder()
  place = mkdtempSync(join(tmpdir(), 'alliance-export-'))
})
afterEach(() => {
  folder.close()
  rmSync(place, { recursive: true })
})

test('the whole business lies in one folder, without logins and secrets in what others read', async () => {
  folder.world.addMember({ email: 'sam@alliance.test', firstName: '=Sam' })
  folder.world.signIn(folder.world.addOwner())
  const to = join(place, 'all')
  expect(await folder.local(`export all ${to}`)).toMatchObject({ code: 0 })
  expect(readdirSync(to).sort()).toEqual(['alliance.sqlite', 'csv', 'json', 'media'])
  const users = JSON.parse(readFileSync(join(to, 'json/users.json'), 'utf8'))
  expect(users.map(({ email }: { email: string }) => email)).toContain('sam@alliance.test')
  expect(Object.keys(users[0])).not.toContain('passwordHash')
  expect(readFileSync(join(to, 'csv/users.csv'), 'utf8')).toContain("'=Sam")
  expect(readdirSync(join(to, 'csv')).filter((name) => /^(session|settings|limit)|token/.test(name))).toEqual([])
  expect(await folder.local(`export all ${to}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('/all already exists. Name a new folder.\n'),
  })
  expect((await folder.local(`export all ${to} --api http://localhost:1`)).code).toBe(2)
})

const isFull = Boolean(process.env.FULL)

/**
 * A terminal in a process of its own, so that memory other tests use doesn't count. It collects garbage constantly, so that only
 * live memory counts. The process itself prints its peak in MB at the end: the figure a parent gets starts with the parent's own
 * memory, and polling may miss the peak.
 */
async function exportFrom(day: string) {
  const [preloaded, status] = [join(place, 'preloaded.js'), join(place, 'status')]
  writeFileSync(
    preloaded,
    `const { copyFileSync } = require('node:fs')
    setInterval(() => Bun.gc(true), 5).unref()
    process.on('exit', () => copyFileSync('/proc/self/status', ${JSON.stringify(status)}))`,
  )
  const argv = ['export', 'accounts', '--format', 'xero', '--from', day]
  const program = [process.execPath, '--no-env-file', '--preload', preloaded, builtProgram('cli/main')]
  const child = Bun.spawn([...program, ...argv], {
    env: { PATH: process.env.PATH, ...folder.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let lines = 0
  for await (const chunk of child.stdout) for (const byte of chunk) if (byte === 10) lines += 1
  const code = await child.exited
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8')) ?? []
  return { code, lines, peak: Number(kilobytes) / 1024 }
}

const addInvoices = (count: number) => {
  const { world } = folder
  addPaidMonth(world, world.addMember({ tier: 'standard' }), '2026-06-11')
  world.ctx.sqlite.exec(`with recursive n(i) as (select 2 union all select i + 1 from n where i < ${count})
    insert into invoices (id, sequence, number, customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net, vat, gross, createdAt)
    select 'x' || i, i, printf('A-%06d', i), customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net, vat, gross, createdAt
    from invoices, n where sequence = 1`)
}

test('Ctrl-C in an export into a folder leaves nothing there that could be taken for all of it', async () => {
  addInvoices(3_000)
  const [to, preloaded] = [join(place, 'xero'), join(place, 'preloaded.js')]
  // Presses the key once the first file exists, wherever that is.
  writeFileSync(
    preloaded,
    `const { readdirSync } = require('node:fs')
    const timer = setInterval(() => {
      if (!readdirSync(${JSON.stringify(place)}, { recursive: true }).some((name) => name.endsWith('.csv'))) return
      clearInterval(timer)
      process.kill(process.pid, 'SIGINT')
    })`,
  )
  const argv = ['export', 'accounts', '--format', 'xero', '--folder', to]
  const child = Bun.spawn(
    [process.execPath, '--no-env-file', '--preload', preloaded, builtProgram('cli/main'), ...argv],
    { env: { PATH: process.env.PATH, ...folder.env }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  expect(await child.exited).toBe(130)
  expect(readdirSync(to)).toEqual([])
  expect(await folder.local(argv.join(' '))).toMatchObject({ code: 0, err: expect.stringMatching(/^6 files in /) })
  expect(readdirSync(place).sort()).toEqual(['preloaded.js', 'xero'])
})

test('an export of many invoices is never held as a whole', async () => {
  const count = isFull ? 100_000 : 2_000
  addInvoices(count)
  // What a process needs anyway: the API, the database, and the parts of both an export uses.
  const few = await exportFrom('2030-01-01')
  const all = await exportFrom('2026-01-01')
  expect([few.code, few.lines, all.code, all.lines]).toEqual([0, 1, 0, count + 1])
  // A busy machine collects garbage late, so we take the lowest of three runs.
  let held = all.peak - few.peak
  for (let more = 0; isFull && held >= 20 && more < 2; more += 1)
    held = Math.min(held, (await exportFrom('2026-01-01')).peak - few.peak)
  if (isFull) expect(held).toBeLessThan(20)
}, 1_800_000)
