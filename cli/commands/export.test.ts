import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
    err: expect.stringContaining('there already'),
  })
  expect((await folder.local(`export all ${to} --api http://localhost:1`)).code).toBe(2)
})

const isFull = Boolean(process.env.FULL)

test('an export of many invoices is never held as a whole', async () => {
  const { world } = folder
  addPaidMonth(world, world.addMember({ tier: 'standard' }), '2026-06-11')
  const count = isFull ? 300_000 : 2_000
  world.ctx.sqlite.exec(`with recursive n(i) as (select 2 union all select i + 1 from n where i < ${count})
    insert into invoices (id, sequence, number, customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net, vat, gross, createdAt)
    select 'x' || i, i, printf('A-%06d', i), customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net, vat, gross, createdAt
    from invoices, n where sequence = 1`)
  const { runCli } = await import('#cli/program.ts')
  const { PassThrough } = await import('node:stream')
  let [peak, lines, chunks] = [0, 0, 0]
  const stdout = {
    write(data: string | Uint8Array, done: () => void) {
      for (const character of String(data)) if (character === '\n') lines += 1
      // Garbage that is still to be collected is not held: it is collected before each look.
      chunks += 1
      if (isFull && chunks % 300 === 0) Bun.gc(true)
      if (chunks % 300 === 0) peak = Math.max(peak, process.memoryUsage.rss())
      done()
    },
  }
  const exportFrom = (day: string) =>
    runCli(['export', 'accounts', '--format', 'xero', '--from', day], {
      ...{ stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: folder.env, columns: 80, cwd: place },
      ...{ isTTY: { stdin: false, stdout: false }, signal: new AbortController().signal, now: () => new Date() },
    })
  // What a process needs at all: the API, the database, and the parts of both that an export uses.
  expect(await exportFrom('2030-01-01')).toBe(0)
  Bun.gc(true)
  lines = 0
  const before = process.memoryUsage.rss()
  expect([await exportFrom('2026-01-01'), lines]).toEqual([0, count + 1])
  if (isFull) expect((peak - before) / 1024 / 1024).toBeLessThan(20)
})
