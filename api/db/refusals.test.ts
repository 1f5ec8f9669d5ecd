// @module-tag full
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startServer } from '#api/server.ts'
import { readSettings, StartupError } from '#api/settings.ts'
import { runCommand } from '#cli/testing/run-command.ts'

let dataDir = ''
let seeded = ''
beforeAll(async () => {
  seeded = mkdtempSync(join(tmpdir(), 'alliance-seeded-'))
  const server = await startServer(readSettings({ DATA_DIR: seeded, HOST: '127.0.0.1', ...ports() }))
  await server.stop()
})
afterAll(() => rmSync(seeded, { recursive: true, force: true }))
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-refusals-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const inFolder = (name: string) => join(dataDir, name)
const makeSite = () => cpSync(seeded, dataDir, { recursive: true })

function spoilSite(name: string, spoil: (file: string) => void): void {
  makeSite()
  for (const file of readdirSync(dataDir)) if (file.startsWith(name)) rmSync(inFolder(file))
  spoil(inFolder(name))
}

/** Two free ports. Both are held until both are known, or they might be the same. */
function ports() {
  const listen = () => Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const [site, sandbox] = [listen(), listen()]
  for (const listener of [site, sandbox]) listener.stop(true)
  return { PORT: String(site.port), SANDBOX_PORT: String(sandbox.port), SANDBOX_PEOPLE: 'few' }
}

/** The line a start is refused with. Any error but a `StartupError` would print a stack. */
async function refusalOf(env: Record<string, string> = {}): Promise<string> {
  const settings = readSettings({ DATA_DIR: dataDir, HOST: '127.0.0.1', ...ports(), ...env })
  const error: unknown = await startServer(settings).then(
    (server) => server.stop(),
    (reason: unknown) => reason,
  )
  if (error instanceof StartupError) return error.message
  throw new Error('It was not refused in one line.', { cause: error })
}

const spoils: [what: string, spoil: (file: string) => void, said: string][] = [
  ['a folder', (file) => void mkdirSync(file), 'is a folder'],
  ['a link to a disk that is not there', (file) => symlinkSync('/no-such-disk/it', file), 'a link to /no-such-disk/it'],
  ['a link to itself', (file) => symlinkSync(file, file), 'is a link to itself'],
]
const files = ['alliance.sqlite', 'server.lock', 'sandbox.sqlite']
const spoiltFiles = files.flatMap((name) => spoils.map(([what, spoil, said]) => ({ name, what, spoil, said })))

test.each(spoiltFiles)(
  '$what in the place of $name is refused in one line, in a new folder and a used one',
  async (spoilt) => {
    const { name, spoil, said } = spoilt
    spoil(inFolder(name))
    const lines = [await refusalOf()]
    rmSync(dataDir, { recursive: true })
    spoilSite(name, spoil)
    lines.push(await refusalOf())
    for (const line of lines) {
      expect(line).toMatch(new RegExp(`^${RegExp.escape(inFolder(name))} [^\\n]*\\.$`))
      expect(line).toContain(said)
    }
    expect(lstatSync(inFolder(name)).isFile()).toBe(false)
  },
)

test('of several reasons the gravest comes first: the database, then the lock, then the sandbox', async () => {
  makeSite()
  const lines: string[] = []
  for (const name of files) {
    rmSync(inFolder(name))
    mkdirSync(inFolder(name))
  }
  for (const name of files) {
    lines.push(await refusalOf())
    rmSync(inFolder(name), { recursive: true })
    cpSync(join(seeded, name), inFolder(name))
  }
  expect(lines).toEqual(files.map((name) => expect.stringContaining(`${inFolder(name)} must be a file`)))
})

test.each([
  ['gone', () => undefined, 'The database of this site is missing or empty'],
  [
    'on a disk that is not there',
    (file: string) => symlinkSync('/no-such-disk/it', file),
    'is a link to /no-such-disk',
  ],
])('a site whose database is %s says so before it says that its port is taken', async (_where, spoil, said) => {
  spoilSite('alliance.sqlite', spoil)
  const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  expect(await refusalOf({ PORT: String(other.port) })).toContain(said)
  other.stop(true)
})

test('what else a folder needs is named too: the mark of a site, and the folder of its media', async () => {
  symlinkSync('/no-such-disk/it', inFolder('in-use'))
  expect(await refusalOf()).toContain(`${inFolder('in-use')} is a link to /no-such-disk/it`)
  rmSync(inFolder('media'), { recursive: true })
  writeFileSync(inFolder('media'), '')
  expect(await refusalOf()).toBe(`${inFolder('media')} isn’t a folder.`)
})

test('a damaged sandbox is not taken for the database of the site, which a backup would overwrite', async () => {
  makeSite()
  writeFileSync(inFolder('sandbox.sqlite'), 'no database at all, '.repeat(500))
  const line = await refusalOf()
  expect(line).toMatch(
    /^The payment sandbox’s file is damaged: .*Restore a copy of .*sandbox\.sqlite, or start a new sandbox.*\.$/,
  )
  expect(line).not.toContain('alliance.sqlite')
})

test.each(['1.2.3.4', '999.1.1.1', 'no.such.host.invalid'])(
  'a HOST that is not of this machine is what a start names, not the port: %s',
  async (HOST) => {
    expect(await refusalOf({ HOST })).toBe(
      `HOST (${HOST}) isn’t an address of this machine. Set one that is, or leave it out for all of them.`,
    )
  },
)

test.each(spoiltFiles)('with $what in the place of $name, the terminal says so in one line', async (spoilt) => {
  const { name, what, spoil, said } = spoilt
  spoilSite(name, spoil)
  const { code, out, err } = await runCommand(['sandbox', 'advance', '1d'], { env: { DATA_DIR: dataDir, ...ports() } })
  expect([code === 0, out]).toEqual([false, ''])
  expect(err).toMatch(/^[^\n]+\n$/)
  expect(err).toContain(inFolder(name))
  // To the terminal, a dangling link is a site that hasn't begun.
  if (name !== 'alliance.sqlite' || what === 'a folder') expect(err).toContain(said)
})
