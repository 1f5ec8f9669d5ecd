// @module-tag full
import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '#api/testing/built-program.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import type { Io } from '#cli/io.ts'
import { runCli } from '#cli/program.ts'
import {
  ownCommands,
  readCommandTable,
  readParsedCommands,
  type TableEntry,
  unplanned,
  unplannedOwn,
} from '#cli/testing/command-table.ts'
import type { RunResult } from '#cli/testing/run-command.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

const isFull = Boolean(process.env.FULL)
const table = readCommandTable()

/** What an attacker may type into a form to control a terminal, reverse a line, or run a formula in a spreadsheet. */
const hostile = '=1+1\u001b[2J\u202eevil\rover'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.local('api PUT /api/admin/content/about -F version=0 -f entry=title -f value=Us')
  await server.remote(`content export ${server.dataDir}/site.json`)
  mkdirSync(`${server.dataDir}/to-import`)
  writeFileSync(`${server.dataDir}/to-import/van.md`, '---\ntitle: The van\n---\nText')
  const { sqlite } = server.world.ctx
  fillDatabase(server.world, 2)
  writeFileSync(`${server.dataDir}/members.csv`, `email,name\nsam@example.com,"${hostile}"\nnot an address,Kim`)
  await server.local(`import members ${server.dataDir}/members.csv --dry-run`)
  for (const name of ['users', 'membership_applications', 'quotient_orders'])
    sqlite.prepare(`update ${name} set firstName = ?, phone = ?`).run(hostile, hostile)
  for (const name of ['coaching_applications', 'coaching_bookings', 'contacts'])
    sqlite.prepare(`update ${name} set name = ?`).run(hostile)
  sqlite.prepare('update mailings set subject = ?').run(hostile)
  sqlite.prepare('update question_messages set text = ?').run(hostile)
})
afterAll(() => server.close())

const first = (sql: string) => server.world.ctx.sqlite.prepare<[], string>(sql).pluck().get() ?? ''

function argumentFor({ noun }: TableEntry, name: string): string {
  if (name === 'id-or-email') return first('select email from users where isAdmin = 0 order by id limit 1')
  if (noun === 'subscriptions' && name === 'email') return first('select email from users where isAdmin = 0 limit 1')
  if (noun === 'calls' && name === 'id') return '019a0000-0000-7000-8000-000000000000'
  if (name === 'folder') return `${server.dataDir}/to-import`
  const referred: Record<string, string> = { applications: 'membership_applications', questions: 'questions' }
  if (name.startsWith('reference')) return first(`select id from ${referred[noun] ?? 'mailings'} order by id limit 1`)
  if (name === 'number') return first('select number from invoices limit 1')
  if (name === 'id-or-file') return first('select id from imports limit 1')
  if (name === 'id-or-name') return first('select id from media limit 1')
  const ids: Record<string, string> = { mail: 'mail_outbox', commission: 'manual_commissions' }
  if (name === 'id' && ids[noun]) return first(`select id from ${ids[noun]} limit 1`)
  if (noun === 'import' && name === 'file') return `${server.dataDir}/members.csv`
  if (noun === 'content' && name === 'file') return `${server.dataDir}/site.json`
  const others: Record<string, string> = {
    email: 'new@alliance.test',
    tier: 'xl',
    month: '2026-06',
    quarter: '2026-Q2',
    'customer-or-subscription-id': 'cus_1Example',
    'numbers...': 'A-000900',
    day: '2026-06-16',
    what: 'Wrap',
    name: 'Books',
    total: '900',
    commission: '90',
  }
  if (name === 'time') return noun === 'sandbox' ? '31d' : '09:30'
  return others[name] ?? `${server.dataDir}/new-file`
}

const lineOf = (entry: TableEntry) =>
  [entry.noun, entry.name, ...entry.arguments.map((name) => argumentFor(entry, name))].join(' ')
const extras: Record<string, string> = {
  'members free': ' --month',
  'members tier': ' xl',
  'tiers set': ' --badge New',
  'invoices credit': ' --reason Wrong',
}
const extraOf = ({ noun, name }: TableEntry) => extras[`${noun} ${name}`] ?? ''

function expectHarmless(text: string): void {
  for (const one of ['\u001b', '\u202e']) expect(text).not.toContain(one)
  expect(text.replaceAll('\r\n', '\n')).not.toContain('\r')
}

/** A plan of an import is stored, and noted as one. */
const audits = () =>
  first(`select count(*) from audit_entries where action not in ('media.upload_begun', 'import.planned', 'job.run')`)
/** These need Stripe, which these tests don't have. */
const ofProvider = ['payouts list', 'payouts show', 'mrr diff', 'events gaps']
/** It reads a file made by `backup create`. */
const ofFiles = ['backup verify']
/** It needs a store and Litestream. */
const ofCopies = ['copies config']
const reading = table.filter(
  ({ noun, name, row }) =>
    ![...ofProvider, ...ofFiles, ...ofCopies].includes(`${noun} ${name}`) &&
    (row.kind === 'list' || row.kind === 'show'),
)
/** Changes by type that, without arguments, only show the current state. */
const lookingOnly = ['sandbox chaos', 'backup schedule']
const changing = table.filter(({ noun, row }) => row.asks && noun !== 'backup')
/** These don't ask for confirmation, so they print their plan. */
const planning = table.filter(({ row }) => row.kind === 'change' && !row.asks)

test('each command that the parser knows is a row of this matrix, or one of those that are no rows', async () => {
  const rows = table.map(({ noun, name }) => `${noun} ${name}`.trim())
  const known = new Set([...rows, ...ownCommands.map(({ path }) => path)])
  expect((await readParsedCommands(await quietIo())).filter((path) => !known.has(path))).toEqual([])
})

test('each change has a plan, or a reason why it needs none', () => {
  const acts = table.filter(({ row }) => row.kind === 'act')
  const names = acts.map(({ noun, name }) => `${noun} ${name}`.trim())
  expect(names.toSorted()).toEqual(Object.values(unplanned).flat().toSorted())
  const own = ownCommands.map(({ path }) => path).filter((path) => path !== 'doctor')
  expect(own.toSorted()).toEqual(Object.values(unplannedOwn).flat().toSorted())
})

test.each(reading)(
  'CALLS-9 $noun $name says the same in each format, and nothing that a stranger wrote drives it',
  async (entry) => {
    const line = lineOf(entry)
    const { code, out, err } = await server.local(line)
    expect([code, out === '', err.startsWith('error')]).toEqual([0, false, false])
    expectHarmless(out + err)
    const json = await server.local(`${line} --json`)
    expect(() => JSON.parse(json.out)).not.toThrow()
    expectHarmless(json.out)
    const csv = await server.local(`${line} --csv`)
    expectHarmless(csv.out)
    expect(csv.out).not.toMatch(/(^|,|\n)"?=/)
    const narrow = { isTTY: { stdin: true, stdout: true }, columns: 40, env: { ...server.env, NO_COLOR: '1' } }
    for (const shown of (await server.local(line, narrow)).out.split('\n')) {
      if (entry.name !== 'open') expect(Bun.stringWidth(shown)).toBeLessThanOrEqual(40)
      // Amounts, addresses and titles are never cut: a column without room is dropped and named.
      expect(shown).not.toMatch(/£[\d,.]*…|@\S*…|\b[A-Z]{2,}…/)
    }
    if (entry.row.isOfMachine) expect((await server.remote(line)).err).toContain('doesn’t support --api')
    if (!isFull || entry.row.isOfMachine) return
    for (const format of ['', ' --json', ' --csv']) {
      const [local, remote] = [await server.local(line + format), await server.remote(line + format)]
      if (entry.name !== 'open') expect(remote).toEqual(local)
    }
  },
)

test.each(isFull ? changing : changing.slice(0, 4))(
  '$noun $name plans, and does nothing while no one says yes',
  async (entry) => {
    const line = lineOf(entry) + extraOf(entry)
    const before = audits()
    const asked = await server.local(line)
    // If nothing would change, there's no question. An import that's done shows its report.
    const isReport = asked.out.startsWith('Import ')
    const isNothing =
      isReport ||
      /^(No months to close|0 members of|0 emails|The clock looks right|.* is already on sale)/.test(asked.err)
    // Others are refused before the question, as when there’s no such order.
    expect([asked.code > 0, isReport ? '' : asked.out]).toEqual([!isNothing, ''])
    if (asked.err.endsWith('Use --yes to confirm.\n')) expect(asked.code).toBe(2)
    else expect(asked.err.trim() || asked.out).toMatch(/^.+$/m)
    const plan = await server.local(`${line} --dry-run --json`)
    if (plan.code === 0) expect(JSON.parse(plan.out)).toMatchObject({ command: `${entry.noun} ${entry.name}`.trim() })
    else expect(plan.err.trim().split('\n')).toHaveLength(1)
    expect(audits()).toBe(before)
  },
)

test.each(isFull ? planning : planning.filter((_one, at) => at % 5 === 0))(
  '$noun $name prints its plan in each format, the same from elsewhere, and does nothing',
  async (entry) => {
    const line = `${lineOf(entry)}${extraOf(entry)} --dry-run`
    const before = audits()
    for (const format of isFull ? ['', ' --json', ' --csv'] : [' --json']) {
      const local = await server.local(line + format)
      // A plan with, for people, the line that nothing was changed; or one line saying what's wrong.
      if (local.out === '') expect([local.code > 0, local.err.trim().split('\n').length]).toEqual([true, 1])
      else expect(local.err).toBe(format === '' ? 'Dry run: nothing was changed.\n' : '')
      if (!entry.row.isOfMachine)
        expect(withoutServer(await server.remote(line + format))).toEqual(withoutServer(local))
    }
    expect(audits()).toBe(before)
  },
)

const withoutServer = (result: RunResult) => ({ ...result, out: result.out.replace(/\n {2}"server": .*/, '') })

const otherLines = [
  ...ownCommands,
  ...lookingOnly.map((line) => ({ line, codes: [0], where: line.startsWith('backup') ? 'machine' : 'both' })),
]

test.each(otherLines)('$line, as text, JSON and CSV, at 40 columns, here and from elsewhere', async (own) => {
  const { line, where, codes } = own
  for (const format of ['', ' --json', ' --csv']) {
    const local = await server.local(line + format)
    expect(codes).toContain(local.code)
    expectHarmless(local.out + local.err)
    if (local.code === 0 && format === ' --json' && where !== 'terminal')
      expect(() => JSON.parse(local.out)).not.toThrow()
    if (where === 'terminal') continue
    const remote = await server.remote(line + format)
    if (where === 'both') expect(remote).toEqual(local)
    if (where === 'machine')
      expect(remote).toMatchObject({ code: 2, err: expect.stringContaining('doesn’t support --api') })
  }
  const narrow = { isTTY: { stdin: false, stdout: true }, columns: 40, env: { ...server.env, NO_COLOR: '1' } }
  for (const shown of where === 'terminal' ? [] : (await server.local(line, narrow)).out.split('\n'))
    expect(Bun.stringWidth(shown)).toBeLessThanOrEqual(40)
})

test('a reader that closes its pipe is no error, and takes no more', async () => {
  let written = 0
  const broken = (_text: unknown, done: (error: Error) => void) => {
    written += 1
    done(Object.assign(new Error('closed'), { code: 'EPIPE' }))
  }
  const io: Partial<Io> = { stdout: { write: broken }, env: server.env, isTTY: { stdin: false, stdout: false } }
  const rows = isFull ? reading : reading.filter(({ row }) => row.kind === 'list')
  const lines = [...rows.map(lineOf), ...lookingOnly, 'report daily --always', 'desk', 'completion bash']
  for (const line of lines) {
    expect([line, await runCli(line.split(' ').filter(Boolean), { ...(await quietIo()), ...io })]).toEqual([line, 0])
  }
  expect(written).toBeGreaterThanOrEqual(lines.length)
})

const main = builtProgram('cli/main')

/**
 * Each in a process of its own, because a closed descriptor belongs to the process. Twice a second's start is a lot, so the full
 * run takes one command in eight, from another one each time.
 */
test('with standard input closed a command says the same', async () => {
  const first = Math.floor(Math.random() * 8)
  const lines = [...reading, ...changing]
    .filter((_one, at) => at % 8 === first)
    .map((entry) => lineOf(entry) + extraOf(entry))
  for (const line of isFull ? lines : ['members remove new@alliance.test']) {
    const argv = [process.execPath, '--no-env-file', main, ...line.split(' ').filter(Boolean)]
    const spawn = (shell: string) => {
      const env = { ...server.env, PATH: process.env.PATH }
      const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', `exec "$@" ${shell}`, 'sh', ...argv], { env })
      return [line, exitCode, stdout.toString(), stderr.toString()]
    }
    expect(spawn('<&-')).toEqual(spawn('</dev/null'))
  }
}, 1_800_000)

async function quietIo(): Promise<Io> {
  const { Readable, Writable } = await import('node:stream')
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
  return {
    stdin: Readable.from([]),
    stdout: stderr,
    stderr,
    env: {},
    isTTY: { stdin: false, stdout: false },
    columns: 80,
    cwd: '/',
    signal: new AbortController().signal,
    now: () => new Date('2026-06-12T07:40:00.000Z'),
  }
}
