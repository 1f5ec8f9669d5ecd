import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { runAs } from './testing/terminal.ts'

test('--version and --help answer on stdout', async () => {
  expect(await runAs(['--version'], {})).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' })
  const help = await runAs(['--help'], {})
  expect(help).toMatchObject({ code: 0, err: '' })
  for (const word of ['members', 'mrr', 'owners', 'doctor', 'sandbox', 'login', 'logout', '--api', 'Exit codes']) {
    expect(help.out).toContain(word)
  }
  expect((await runAs(['members', 'list', '--help'], {})).out).toMatch(/--limit[\s\S]*--json/)
})

/** Names of the commands that do something, from the help of each. */
async function commandsIn(path: string[] = []): Promise<string[][]> {
  const { out } = await runAs([...path, '--help'], {})
  const listed = /\nCommands:\n([\s\S]*?)(\n\n|$)/.exec(out)?.[1] ?? ''
  const names = [...listed.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  const below = await Promise.all(names.map((name) => commandsIn([...path, name])))
  return names.length === 0 ? [path] : below.flat()
}

test('the help of every command ends with examples, and they are commands of that name', async () => {
  const commands = await commandsIn()
  expect(commands.length).toBeGreaterThan(25)
  for (const path of commands) {
    const { out } = await runAs([...path, '--help'], {})
    const examples = /\nSuch as:\n([\s\S]+)$/.exec(out)?.[1]?.trimEnd().split('\n') ?? []
    expect([path, examples.length > 0]).toEqual([path, true])
    for (const example of examples) {
      const argv = example.trim().replace(/ >.*$/, '').split(' ')
      expect(argv.slice(0, path.length + 1)).toEqual(['alliance', ...path])
      const { err } = await runAs(argv.slice(1), { env: { DATA_DIR: '/nowhere', ALLIANCE_API: 'http://127.0.0.1:1' } })
      expect([example, err]).not.toEqual([example, expect.stringMatching(/^error:/)])
    }
  }
})

test.each([
  [['membrs'], "error: unknown command 'membrs'\n(Did you mean members?)\n"],
  [['members', 'lst'], "error: unknown command 'lst'\n(Did you mean list?)\n"],
  [['members', 'show'], "error: missing required argument 'id-or-email'\n"],
  [['mrr', '--jsn'], "error: unknown option '--jsn'\n(Did you mean --json?)\n"],
  [['mrr', '--json', '--csv'], "error: option '--json' cannot be used with option '--csv'\n"],
  [['mrr', 'extra'], "error: too many arguments for 'mrr'. Expected 0 arguments but got 1: extra.\n"],
  [['members', 'list', '--limit', '0'], '--limit takes a whole number from 1.\n'],
  [['members', 'list', '--limit', 'all'], '--limit takes a whole number from 1.\n'],
  [['members', 'list', '--email', 'sam'], 'Please enter a valid email address\n'],
  [['members', 'show', ' '], 'Please name a member by id or e-mail address.\n'],
  [['invoices', 'list', '--month', '2026-13'], '--month: This is not a month.\n'],
  [['invoices', 'export', '--from', '2026-02-30'], '--from: This is not a date.\n'],
  [['invoices', 'export', '--from', '2026-03-01', '--to', '2026-02-01'], 'The last day is before the first.\n'],
  [['commission', 'statement', 'June'], 'month: This is not a month.\n'],
  [['commission', 'pay', 'sam@example.com', '--month', '6'], '--month: This is not a month.\n'],
  [['commission', 'rates', 'set', 'xl', '12', '--from', 'June'], '--from: This is not a date.\n'],
  [['owners', 'link', 'olive'], 'Please enter a valid email address\n'],
  [['reactivation', 'link', 'sam@example.com', '--days', '2w'], 'Please give whole days, 1 to 90.\n'],
  [['reactivation', 'link', 'sam@example.com', '--last-payment', 'June'], '--last-payment: This is not a date.\n'],
  [['sandbox', 'advance', '31'], 'Please give a time such as 31d, 12h or 90m.\n'],
  [['sandbox', 'advance', '-1d'], "error: unknown option '-1d'\n"],
  [['doctor', '--api', 'http://localhost:3000'], 'doctor checks the data folder here: it takes no --api.\n'],
  [['login'], 'The data folder here needs no login. For a server give --api URL.\n'],
])('wrong usage of %j is said in a line, and is 2', async (argv, err) => {
  expect(await runAs(argv, { env: { DATA_DIR: '/nowhere' } })).toEqual({ code: 2, out: '', err })
})

test.each(['localhost:3000', 'ftp://localhost', 'http://a:b@localhost', 'http://localhost/api', 'nonsense'])(
  'the address %s is no address of an API',
  async (address) => {
    const { code, err } = await runAs(['mrr'], { env: { ALLIANCE_API: address } })
    expect(code).toBe(2)
    expect(err).toBe('The address of the API is an origin, such as https://example.com or http://localhost:3000.\n')
  },
)

test('commands alone show their help, and are wrong usage', async () => {
  for (const argv of [[], ['members'], ['owners']]) {
    const { code, out, err } = await runAs(argv, {})
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('Usage: alliance')
  }
})

test('a command that was cancelled is 130, and says nothing', async () => {
  expect(await runAs(['mrr'], { signal: AbortSignal.abort() })).toEqual({ code: 130, out: '', err: '' })
})

test('without a database nothing is made, and the reason is one line', async () => {
  const { code, out, err } = await runAs(['mrr'], { env: { DATA_DIR: 'no-such-folder' }, cwd: '/tmp' })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe(
    'There is no database at /tmp/no-such-folder/alliance.sqlite. Start the server once, or set DATA_DIR, or name a server with --api.\n',
  )
  expect(existsSync('/tmp/no-such-folder')).toBe(false)
})

test('settings that are not fit to start are one line', async () => {
  const { code, err } = await runAs(['mrr'], { env: { NODE_ENV: 'production' } })
  expect(code).toBe(1)
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).toContain('SESSION_SECRET')
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
