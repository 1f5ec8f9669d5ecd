import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPlace, ownerEmail, type Place, password } from './testing/place.ts'
import type { Setting } from './testing/terminal.ts'

let place: Place
let home: string
let file: string
beforeAll(async () => {
  place = await openPlace()
})
afterAll(() => place.close())
beforeEach(() => {
  home = join(place.dataDir, crypto.randomUUID())
  file = join(home, 'alliance', 'tokens.json')
})

const run = (argv: string, setting: Setting = {}) =>
  place.remote(argv, { env: { ...place.env, XDG_CONFIG_HOME: home }, ...setting })
const loginByScript = () => run(`login --email ${ownerEmail} --password-stdin`, { input: `${password}\n` })
const keptToken = () => JSON.parse(readFileSync(file, 'utf8'))[place.url].token
const terminal = { stdin: true, stdout: true }

test('a login in a script keeps a token that only its owner can read, and shows it nowhere', async () => {
  const { code, out, err } = await loginByScript()
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toBe(`Logged in to ${place.url} as ${ownerEmail}, until 10 September 2026.\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'alliance')).mode & 0o777).toBe(0o700)
  expect(err).not.toContain(keptToken())
  expect((await run('mrr')).code).toBe(0)
})

test('on a terminal e-mail and password are asked for, and the password is not shown', async () => {
  const { code, out, err } = await run('login', { isTTY: terminal, input: [`${ownerEmail}\r`, `${password}\r`] })
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toContain('E-mail: ')
  expect(err).toContain('Password: \n')
  expect(err).not.toContain(password)
  expect((await run('mrr')).code).toBe(0)
})

test.each([[['\u0003']], [[`${ownerEmail}\r`, 'half\u0003']], [['\u0004']]])(
  'Ctrl-C or Ctrl-D at a question cancels (%j)',
  async (input) => {
    expect((await run('login', { isTTY: terminal, input })).code).toBe(130)
    expect((await run('mrr')).code).toBe(4)
  },
)

test('a wrong password is not allowed, and keeps nothing', async () => {
  const { code, err } = await run(`login --email ${ownerEmail} --password-stdin`, { input: 'not-the-password' })
  expect(code).toBe(4)
  expect(err).toBe('That e-mail and password do not match. Please check both and try again.\n')
  expect(await run('mrr')).toEqual({
    code: 4,
    out: '',
    err: `Please log in first: alliance login --api ${place.url}\n`,
  })
})

test('without a terminal nothing is asked', async () => {
  expect(await run('login')).toMatchObject({ code: 2, err: 'Without a terminal, give --email and --password-stdin.\n' })
  expect(await run('login --password-stdin', { input: password })).toMatchObject({
    code: 2,
    err: '--password-stdin needs --email beside it.\n',
  })
})

test('logout ends the token at the server and here', async () => {
  await loginByScript()
  const token = keptToken()
  expect(await run('logout')).toMatchObject({ code: 0, err: `Logged out of ${place.url}.\n` })
  expect(readFileSync(file, 'utf8')).toBe('{}\n')
  expect((await run('mrr', { env: { ...place.env, ALLIANCE_TOKEN: token } })).code).toBe(4)
  expect(await run('logout')).toMatchObject({ code: 0, err: `You were not logged in to ${place.url}.\n` })
})

test('logout forgets a login of a server that is gone, and says that it could not be ended there', async () => {
  mkdirSync(join(home, 'alliance'), { recursive: true })
  const login = { token: 'secret', email: ownerEmail, expiresAt: '2026-09-10T07:40:00.000Z' }
  writeFileSync(file, JSON.stringify({ 'http://127.0.0.1:9': login }), { mode: 0o600 })
  const env = { ...place.env, XDG_CONFIG_HOME: home }
  const { code, err } = await place.local('logout --api http://127.0.0.1:9', { env })
  expect(code).toBe(1)
  expect(err).toContain('The login is gone from here; the server still knows it.')
  expect(readFileSync(file, 'utf8')).toBe('{}\n')
})

test('ALLIANCE_TOKEN goes before the file, ALLIANCE_API stands for --api', async () => {
  await loginByScript()
  const env = {
    DATA_DIR: '/nowhere',
    XDG_CONFIG_HOME: '/nowhere',
    ALLIANCE_TOKEN: keptToken(),
    ALLIANCE_API: place.url,
  }
  expect((await place.local('mrr', { env })).code).toBe(0)
  const wrong = { ...place.env, XDG_CONFIG_HOME: home, ALLIANCE_TOKEN: 'wrong' }
  expect((await run('mrr', { env: wrong })).code).toBe(4)
})

test('a file of logins that others can read is used with a warning, a damaged one not at all', async () => {
  await loginByScript()
  chmodSync(file, 0o644)
  expect(await run('mrr')).toMatchObject({ code: 0, err: expect.stringContaining(`chmod 600 ${file}`) })
  chmodSync(file, 0o600)
  writeFileSync(file, 'not json')
  expect(await run('mrr')).toEqual({ code: 1, out: '', err: `${file} is damaged. Delete it and log in again.\n` })
})

test('a password is not sent in the clear without a word', async () => {
  const env = { ...place.env, XDG_CONFIG_HOME: home }
  const { err } = await place.local('login --email a@b.test --password-stdin --api http://no-such-host.invalid', {
    env,
    input: password,
  })
  expect(err).toMatch(/^http:\/\/no-such-host\.invalid is not encrypted/)
})
