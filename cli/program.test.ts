import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { commandGroups, commands } from '#cli/commands.ts'
import type { Io } from '#cli/io.ts'
import { runCli } from '#cli/program.ts'
import { runCommand } from '#cli/testing/run-command.ts'
import packageJson from '../package.json' with { type: 'json' }

test('--version and --help print to stdout', async () => {
  expect(await runCommand(['--version'], {})).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' })
  const help = await runCommand(['--help'], {})
  expect(help).toMatchObject({ code: 0, err: '' })
  for (const word of ['members', 'mrr', 'owners', 'doctor', 'sandbox', 'login', 'logout', '--api']) {
    expect(help.out).toContain(word)
  }
  expect((await runCommand(['members', 'list', '--help'], {})).out).toMatch(/--limit[\s\S]*--json/)
})

test('--help is one screen: each noun once, in groups; a group’s name says what each is for', async () => {
  const { out } = await runCommand(['--help'], { columns: 80 })
  // The prompt has the last of 24 lines.
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(23)
  for (const { heading, nouns } of commandGroups) {
    const listed = new RegExp(`^  ${heading} ([^]*?)\n(?=  \\S|\n)`, 'm').exec(out)?.[1] ?? ''
    expect([heading, listed.trim().split(/,\s+/)]).toEqual([heading, nouns.map(({ name }) => name)])
    const help = await runCommand(['help', heading.toLowerCase()], { columns: 200 })
    for (const { name, description } of nouns)
      expect(help.out).toMatch(new RegExp(`^  ${name} +${RegExp.escape(description)}$`, 'm'))
    expect(await runCommand([heading.toLowerCase()], { columns: 200 })).toEqual(help)
  }
  expect(new Set(commands.map(({ description }) => description)).size).toBe(commands.length)
})

test('a help is written in its order, however long each piece takes', async () => {
  const written: string[] = []
  let calls = 0
  // The first write takes longest, as if a thread did each.
  const stdout = {
    write(text: string | Uint8Array, done: () => void) {
      const finish = () => {
        written.push(String(text))
        done()
      }
      calls += 1
      if (calls === 1) setImmediate(finish)
      else finish()
    },
  }
  const stderr = new Writable({ write: (_text, _encoding, done) => done() })
  const io: Io = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: {},
    isTTY: { stdin: false, stdout: false },
    columns: 80,
    cwd: '/',
    signal: new AbortController().signal,
    now: () => new Date(),
  }
  expect(await runCli(['login', '--help'], io)).toBe(0)
  expect(written.join('')).toMatch(/^Usage: alliance login[\s\S]*Examples:/)
})

async function commandsIn(path: string[]): Promise<string[][]> {
  const { out } = await runCommand([...path, '--help'], {})
  const listed = out.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? ''
  const names = [...listed.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  const below = await Promise.all(names.map((name) => commandsIn([...path, name])))
  return [path, ...below.flat()]
}

test('the help of every command ends with examples of that command', { tags: ['full'] }, async () => {
  const all = (await Promise.all(commands.map(({ name }) => commandsIn([name])))).flat()
  expect(all.length).toBeGreaterThan(100)
  for (const path of all) {
    const { out } = await runCommand([...path, '--help'], { columns: 1000 })
    const examples = /\nExamples:\n([\s\S]+)$/.exec(out)?.[1]?.trimEnd().split('\n') ?? []
    expect([path, examples.length > 0]).toEqual([path, true])
    for (const example of examples) {
      const words =
        example
          .trim()
          .replace(/ [<>].*$/, '')
          .match(/"[^"]*"|\S+/g) ?? []
      const argv = words.map((word) => word.replace(/^"(.*)"$/, '$1'))
      expect(argv.slice(0, path.length + 1)).toEqual(['alliance', ...path])
      const { err } = await runCommand(argv.slice(1), {
        env: { DATA_DIR: '/nowhere', ALLIANCE_API: 'http://127.0.0.1:1' },
      })
      expect([example, err]).not.toEqual([example, expect.stringMatching(/^error:/)])
    }
  }
})

test.each([
  [['membrs'], "error: unknown command 'membrs'. Did you mean members?\n"],
  [['members', 'lst'], "error: unknown command 'lst'. Did you mean list?\n"],
  [['help', 'memebrs'], "error: unknown command 'memebrs'. Did you mean members?\n"],
  [['members', 'help', 'lst'], "error: unknown command 'lst'. Did you mean list?\n"],
  [
    ['help', 'posts'],
    "error: unknown command 'posts'. That’s done in the browser, or with: alliance api /api/admin/blog\n",
  ],
  [['churn', '--csv'], "error: unknown command 'churn'. That’s: alliance mrr churn\n"],
  [['members', 'show'], "error: missing required argument 'id-or-email'. See: alliance members show --help\n"],
  [['calls', 'cancel', 'x'], 'x isn’t an ID. See: alliance calls list\n'],
  [['settings', 'set', 'x', 'y'], 'There’s no setting X. See: alliance settings list\n'],
  [['mrr', '--jsn'], "error: unknown option '--jsn'. Did you mean --json?\n"],
  [
    ['mrr', '--json', '--csv'],
    "error: option '--json [fields]' cannot be used with option '--csv [fields]'. See: alliance mrr --help\n",
  ],
  [
    ['mrr', 'extra'],
    "error: too many arguments for 'mrr'. Expected 0 arguments but got 1: extra. See: alliance mrr --help\n",
  ],
  [['members', 'list', '--limit', '0'], '--limit takes a whole number, 1 or more.\n'],
  [['members', 'list', '--limit', 'all'], '--limit takes a whole number, 1 or more.\n'],
  [['members', 'list', '--email', 'sam'], 'Please enter a valid email address\n'],
  [['members', 'show', ' '], 'Enter a member’s ID or email address.\n'],
  [['invoices', 'list', '--month', '2026-13'], '--month: Give a month such as 2026-06.\n'],
  [['invoices', 'export', '--from', '2026-02-30'], '--from: This isn’t a date.\n'],
  [['invoices', 'export', '--from', '2026-03-01', '--to', '2026-02-01'], 'The last day is before the first.\n'],
  [['commission', 'statement', 'June'], 'month: Give a month such as 2026-06.\n'],
  [['commission', 'pay', 'sam@example.com', '--month', '6'], '--month: Give a month such as 2026-06.\n'],
  [['commission', 'rates', 'set', 'xl', '12', '--from', 'June'], '--from: This isn’t a date.\n'],
  [['owners', 'link', 'olive'], 'Please enter a valid email address\n'],
  [['members', 'reactivation-link', 'sam@example.com', '--days', '2w'], 'Give whole days, 1 to 90.\n'],
  [
    ['members', 'reactivation-link', 'sam@example.com', '--last-payment', 'June'],
    '--last-payment: This isn’t a date.\n',
  ],
  [['sandbox', 'advance', '31'], 'Give a time such as 31d, 12h or 90m.\n'],
  [['sandbox', 'advance', '-1d'], "error: unknown option '-1d'. See: alliance sandbox advance --help\n"],
  [
    ['doctor', '--api', 'http://localhost:3000'],
    'doctor checks the data folder on this machine and doesn’t support --api.\n',
  ],
  [['login'], 'The data folder on this machine needs no login. Use --api for a server.\n'],
])('wrong usage of %j is one line on stderr and exit code 2', async (argv, err) => {
  expect(await runCommand(argv, { env: { DATA_DIR: '/nowhere' } })).toEqual({ code: 2, out: '', err })
})

test('on a terminal a refusal folds between words', async () => {
  const { err } = await runCommand(['posts'], { isTTY: { stdin: true, stdout: true }, columns: 50 })
  expect(err).toBe(
    "error: unknown command 'posts'. That’s done in the\nbrowser, or with: alliance api /api/admin/blog\n",
  )
})

test.each(['localhost:3000', 'ftp://localhost', 'http://a:b@localhost', 'http://localhost/api', 'nonsense'])(
  '%s is not the address of an API',
  async (address) => {
    const { code, err } = await runCommand(['mrr'], { env: { ALLIANCE_API: address } })
    expect(code).toBe(2)
    expect(err).toBe('The API address must be an origin, such as https://example.com or http://localhost:3000.\n')
  },
)

test('a group without a command shows its help, as wrong usage', async () => {
  for (const argv of [[], ['members'], ['owners']]) {
    const { code, out, err } = await runCommand(argv, {})
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('Usage: alliance')
  }
})

test('a cancelled command is 130 and prints nothing', async () => {
  expect(await runCommand(['mrr'], { signal: AbortSignal.abort() })).toEqual({ code: 130, out: '', err: '' })
})

test('without a database nothing is created, and the reason is one line', async () => {
  const { code, out, err } = await runCommand(['mrr'], { env: { DATA_DIR: 'no-such-folder' }, cwd: '/tmp' })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe(
    'No database at /tmp/no-such-folder/alliance.sqlite. Start the server once, set DATA_DIR, or use --api for a remote server.\n',
  )
  expect(existsSync('/tmp/no-such-folder')).toBe(false)
})

test('unsafe settings are one line', async () => {
  const { code, err } = await runCommand(['mrr'], { env: { NODE_ENV: 'production' } })
  expect(code).toBe(1)
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).toContain('doesn’t run in production')
})

test('what --version loads holds neither the API nor Ink', () => {
  const loaded = new Set<string>()
  const packages = new Set<string>()
  const load = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    const transpiler = new Bun.Transpiler({ loader: file.endsWith('x') ? 'tsx' : 'ts' })
    for (const { path, kind } of transpiler.scanImports(readFileSync(file, 'utf8'))) {
      if (kind !== 'import-statement') continue
      if (path.startsWith('.') && path.endsWith('.ts')) load(resolve(dirname(file), path))
      else if (path.startsWith('#shared/')) load(resolve(import.meta.dirname, '..', path.slice(1)))
      else if (!path.startsWith('node:')) packages.add(path)
    }
  }
  load(join(import.meta.dirname, 'main.ts'))
  expect([...packages].filter((path) => !path.endsWith('package.json'))).toEqual(['commander'])
})
