import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtProgram } from '#api/testing/built-program.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'
import { type Io, showInPager } from './io.ts'
import { reportRows, withProgress } from './progress.ts'

const main = builtProgram('cli/main')

let folder: DataFolder
let place: string
let sam = ''
beforeAll(() => {
  folder = openDataFolder()
  place = mkdtempSync(join(tmpdir(), 'alliance-habits-'))
  sam = folder.world.addMember({ email: 'sam@alliance.test' }).id
})
afterAll(() => {
  folder.close()
  rmSync(place, { recursive: true })
})

function plainIo(): Io {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  return {
    stdin: Readable.from([]),
    stdout: nowhere,
    stderr: nowhere,
    env: {},
    columns: 80,
    cwd: '/',
    isTTY: { stdin: false, stdout: false },
    signal: new AbortController().signal,
    now: () => new Date(),
  }
}

const onTerminal = { isTTY: { stdin: true, stdout: true, stderr: true }, columns: 120 }

test('a terminal opens the page of a member from the list; what is no terminal gets no escapes', {
  tags: ['full'],
}, async () => {
  const { out } = await folder.local('members list', onTerminal)
  expect(out).toContain(`\u001b]8;;http://localhost:0/admin/members/${sam}\u001b\\`)
  expect((await folder.local('members list')).out).not.toContain('\u001b')
})

test('a text that is longer than the terminal is paged; a pipe, JSON and a short one are not', async () => {
  const paged: string[] = []
  const screen = { ...onTerminal, rows: 4, page: async (text: string) => void paged.push(text) }
  expect((await folder.local('settings list', screen)).out).toBe('')
  expect(paged.join('')).toContain('SELLER_NAME')
  const others = [
    { ...screen, rows: 500 },
    { ...screen, isTTY: { stdin: true, stdout: false } },
  ]
  for (const other of others) expect((await folder.local('settings list', other)).out).toContain('SELLER_NAME')
  expect((await folder.local('settings list --json', screen)).out).toContain('SELLER_NAME')
  expect(paged).toHaveLength(1)
})

test('the pager is the one that the environment names', async () => {
  const file = join(place, 'paged')
  await showInPager({ ...plainIo(), env: { PATH: process.env.PATH, PAGER: `cat > ${file}` } }, 'one\ntwo\n')
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
})

test('a wait of more than two seconds has a progress bar on stderr, on a terminal alone; --quiet has none', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const drawn = async (isTTY: boolean, quiet: boolean) => {
    const written: string[] = []
    const stderr = new Writable({
      write(text, _encoding, done) {
        written.push(String(text))
        done()
      },
    })
    const io = { ...plainIo(), isTTY: { stdin: false, stdout: false, stderr: isTTY }, stderr }
    clock.mockReturnValue(0)
    const progress = reportRows(io, quiet ? { quiet } : {})
    await progress.add(1000, 4000)
    clock.mockReturnValue(2001)
    await progress.add(1000, null)
    await progress.end()
    return written
  }
  expect(await drawn(true, false)).toEqual([
    `\r\u001b[K${'█'.repeat(12)}${'░'.repeat(12)} 2,000 of 4,000`,
    '\r\u001b[K',
  ])
  expect([await drawn(false, false), await drawn(true, true)]).toEqual([[], []])
  clock.mockRestore()
})

test('work of unknown length says after two seconds that it goes on, on a terminal alone', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const written: string[] = []
    const stderr = new Writable({
      write(text, _encoding, done) {
        written.push(String(text))
        done()
      },
    })
    for (const isTTY of [false, true]) {
      const work = Promise.withResolvers<string>()
      const io = { ...plainIo(), isTTY: { stdin: false, stdout: false, stderr: isTTY }, stderr }
      const result = withProgress(io, {}, 'Copying', () => work.promise)
      vi.advanceTimersByTime(1_900)
      expect(written).toEqual([])
      vi.advanceTimersByTime(1_100)
      work.resolve('done')
      expect(await result).toBe('done')
    }
    expect(written[0]?.slice(5)).toBe(' Copying … 2 s')
    expect(written.at(-1)).toBe('\r\u001b[K')
  } finally {
    vi.useRealTimers()
  }
})

test('colours are where a person looks: never with NO_COLOR, in a pipe with CLICOLOR_FORCE', {
  tags: ['full'],
}, async () => {
  const run = (env: Record<string, string>) => {
    const child = Bun.spawnSync([process.execPath, '--no-env-file', main, 'members', 'show', 'sam@alliance.test'], {
      env: { PATH: process.env.PATH, ...folder.env, ...env },
    })
    return child.stdout.toString()
  }
  const colour = '\u001b['
  expect(run({})).not.toContain(colour)
  expect(run({ CLICOLOR_FORCE: '1' })).toContain(colour)
  expect(run({ CLICOLOR_FORCE: '0' })).not.toContain(colour)
  expect(run({ CLICOLOR_FORCE: '1', NO_COLOR: '1' })).not.toContain(colour)
})

test('a file that’s too large for the terminal is refused with the limit and where it can be uploaded', async () => {
  const videoFile = join(folder.dataDir, 'film.mp4')
  writeFileSync(videoFile, Buffer.alloc(30_000_000))
  const err = `${videoFile} has 30.00 MB. From here a file can have up to 15 MB. Upload films and larger pictures in /admin, under Site, Media.\n`
  expect(await folder.local(`media add ${videoFile}`)).toEqual({ code: 2, out: '', err })
  truncateSync(videoFile, 15_000_000)
  expect((await folder.local(`media add ${videoFile}`)).err).not.toContain('too much')
})

test('--quiet leaves the output alone, and the exit code', async () => {
  const line = 'settings set FACEBOOK_URL https://facebook.example/bench'
  expect(await folder.local(`${line} --quiet`)).toEqual({ code: 0, out: '', err: '' })
  expect((await folder.local(line)).err).toContain('FACEBOOK_URL is set')
  expect((await folder.local('settings check --quiet')).err).toBe('')
  expect((await folder.local('members show nobody@alliance.test --quiet')).err).not.toBe('')
})

test('--jq and fields choose from JSON and CSV, and name what there is', async () => {
  expect((await folder.local('members list --jq .[].email')).out).toBe('sam@alliance.test\n')
  expect(JSON.parse((await folder.local('members list --json email')).out)).toEqual([{ email: 'sam@alliance.test' }])
  expect((await folder.local('members list --csv email')).out).toBe('email\r\nsam@alliance.test\r\n')
  expect(await folder.local('members list --json emial')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There’s no field emial. There are: id,'),
  })
})

test.each([
  ['members list --jq .[].emial', 'There’s no field emial. There are: id,'],
  ['members list --jq .email', `A list has no field email, each of it may: '.[].email'.`],
  ['members list --sort foo', 'There’s no foo. There are: joined, -joined, name,'],
  ['applications list --show nope', 'There’s no nope. There are: pending, contacted, approved, rejected.\n'],
  ['members list --tier gold', 'Choose one of the tiers. See: alliance tiers list\n'],
  ['payments list --show x', 'Show one of paid, unpaid, refunded.\n'],
  ['members show sam@alliance.test --json email', 'For that field alone: --json=email\n'],
  ['members free sam@alliance.test --until 2020-01-01 --dry-run', 'The last day can’t be before today.\n'],
  ['backup create --passphrase-file /nowhere/key', '/nowhere/key can’t be read.\n'],
])('%s is refused in one line that says what there is', async (line, says) => {
  const { code, out, err } = await folder.local(line)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(says)
  expect(err.match(/\n/g)).toHaveLength(1)
})

test.each([
  ['invoices export', 'invoices list --json'],
  ['export accounts --format xero', 'invoices list --json'],
  ['commission export', 'commission statement 2026-06 --json'],
  ['vat 2026-Q2 --csv', 'invoices list --json'],
])('the file of %s is whole: what would choose from it is refused, and says what can', async (line, instead) => {
  const given = line.startsWith('vat') ? ['=nope', '=number,grossPounds'] : [' --json', ' --jq .[0]', ' --csv=nope']
  for (const extra of given) {
    const err = `This is always a full CSV. For JSON or some fields: alliance ${instead}\n`
    expect(await folder.local(line + extra)).toEqual({ code: 2, out: '', err })
  }
  expect((await folder.local(line)).code).toBe(0)
  if (line.startsWith('vat')) return
  const help = (await folder.local(`${line} --help`)).out
  expect(help).toContain('--api')
  expect(help).not.toMatch(/--(json|csv|jq)/)
})

test.each([
  ['tokens revoke nope --yes', 3, 'See: alliance tokens list\n'],
  ['sessions revoke nope --yes', 3, 'See: alliance sessions list\n'],
  ['sessions revoke nope@alliance.test --yes', 3, 'See: alliance members list --search <words>\n'],
  ['events replay evt_nope', 3, 'We haven’t received that event. See: alliance events list\n'],
  ['backup list --to /nowhere', 3, 'There’s no folder /nowhere. See: alliance backup schedule\n'],
  ['backup prune --to /nowhere --yes', 3, 'There’s no folder /nowhere. See: alliance backup schedule\n'],
  ['backup create --to /proc/nowhere', 1, 'Name another: --to <folder>\n'],
  ['backup verify /etc/passwd', 1, 'See: alliance backup list\n'],
  [
    'members add sam@alliance.test',
    1,
    'There’s already an account with this address. See: alliance members list --search <words>\n',
  ],
])('%s does not pass for done', async (line, code, says) => {
  const result = await folder.local(line)
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).toContain(says)
  expect(result.err.match(/\n/g)).toHaveLength(1)
})

test.each(['--dry-run', '--yes'])(
  'a refund to someone who never paid is refused straight away, by %s too',
  async (by) => {
    expect(await folder.local(`members refund sam@alliance.test ${by}`)).toEqual({
      code: 1,
      out: '',
      err: 'This member hasn’t paid for a membership, so there’s nothing to refund. See: alliance members show sam@alliance.test\n',
    })
  },
)
