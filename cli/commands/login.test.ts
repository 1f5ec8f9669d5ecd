import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { password } from '#api/testing/passwords.ts'
import type { RunOptions } from '#cli/testing/run-command.ts'
import { ownerEmail, startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
let home: string
let file: string
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(() => {
  home = join(server.dataDir, crypto.randomUUID())
  file = join(home, 'alliance', 'tokens.json')
})

const run = (argv: string, setting: RunOptions = {}) =>
  server.remote(argv, { env: { ...server.env, XDG_CONFIG_HOME: home }, ...setting })
const loginByScript = () => run(`login --email ${ownerEmail} --password-stdin`, { input: `${password}\n` })
const savedToken = () => JSON.parse(readFileSync(file, 'utf8'))[server.url].token
const terminal = { stdin: true, stdout: true }

test('a login by a script saves a token that only this user can read, and prints it nowhere', async () => {
  const { code, out, err } = await loginByScript()
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toBe(`Logged in to ${server.url} as ${ownerEmail} until 10 September 2026.\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'alliance')).mode & 0o777).toBe(0o700)
  expect(err).not.toContain(savedToken())
  expect((await run('mrr')).code).toBe(0)
})

test('on a terminal the email address and password are prompted for, and the password is not shown', async () => {
  const { code, out, err } = await run('login', { isTTY: terminal, input: [`${ownerEmail}\r`, `${password}\r`] })
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toContain('Email: ')
  expect(err).toContain('Password: \n')
  expect(err).not.toContain(password)
  expect((await run('mrr')).code).toBe(0)
})

test.each([[['\u0003']], [[`${ownerEmail}\r`, 'half\u0003']], [['\u0004']]])(
  'Ctrl-C or Ctrl-D at a prompt cancels (%j)',
  async (input) => {
    expect((await run('login', { isTTY: terminal, input })).code).toBe(130)
    expect((await run('mrr')).code).toBe(4)
  },
)

test('a wrong password is not allowed and saves nothing', async () => {
  const { code, err } = await run(`login --email ${ownerEmail} --password-stdin`, { input: 'not-the-password' })
  expect(code).toBe(4)
  expect(err).toBe('That email and password don’t match. Check both and try again.\n')
  expect(await run('mrr')).toEqual({
    code: 4,
    out: '',
    err: `Log in first: alliance login --api ${server.url}\n`,
  })
})

test('without a terminal nothing is prompted for', async () => {
  expect(await run('login')).toMatchObject({ code: 2, err: 'Without a terminal, use --email and --password-stdin.\n' })
  expect(await run(`login --email ${ownerEmail} --password-stdin`, { input: '' })).toEqual({
    code: 2,
    out: '',
    err: 'No password came through standard input: add < file, or put a pipe before it.\n',
  })
  expect(await run('login --password-stdin', { input: password })).toMatchObject({
    code: 2,
    err: '--password-stdin requires --email.\n',
  })
})

test('logout revokes the token and deletes the saved login', async () => {
  await loginByScript()
  const token = savedToken()
  expect(await run('logout')).toMatchObject({ code: 0, err: `Logged out of ${server.url}.\n` })
  expect(readFileSync(file, 'utf8')).toBe('{}\n')
  expect((await run('mrr', { env: { ...server.env, ALLIANCE_TOKEN: token } })).code).toBe(4)
  expect(await run('logout')).toMatchObject({ code: 0, err: `You weren’t logged in to ${server.url}.\n` })
})

test('logout from a server that is down deletes the saved login and says that the token is still valid', async () => {
  mkdirSync(join(home, 'alliance'), { recursive: true })
  const login = { token: 'secret', email: ownerEmail, expiresAt: '2026-09-10T07:40:00.000Z' }
  writeFileSync(file, JSON.stringify({ 'http://127.0.0.1:9': login }), { mode: 0o600 })
  const env = { ...server.env, XDG_CONFIG_HOME: home }
  const { code, err } = await server.local('logout --api http://127.0.0.1:9', { env })
  expect(code).toBe(1)
  expect(err).toContain('The login’s deleted here, but still valid on the server.')
  expect(readFileSync(file, 'utf8')).toBe('{}\n')
})

test('a token made for files is made from a terminal, and fetches the accountant’s files without the password', async () => {
  await loginByScript()
  const made = await run('tokens create Books --scopes read,files')
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^\S+\n$/) })
  const books = (argv: string) => run(argv, { env: { ...server.env, ALLIANCE_TOKEN: made.out.trim() } })
  expect(await books('export accounts --format xero')).toMatchObject({ code: 0, out: expect.stringContaining('*') })
  expect((await books('invoices export --csv')).code).toBe(0)
  expect((await books(`members export ${ownerEmail} ${join(server.dataDir, 'olive.zip')}`)).code).toBe(4)
  expect((await books('tokens create More --scopes files')).code).toBe(4)
})

test('ALLIANCE_TOKEN takes precedence over the file, ALLIANCE_API stands in for --api', async () => {
  await loginByScript()
  const env = {
    DATA_DIR: '/nowhere',
    XDG_CONFIG_HOME: '/nowhere',
    ALLIANCE_TOKEN: savedToken(),
    ALLIANCE_API: server.url,
  }
  expect((await server.local('mrr', { env })).code).toBe(0)
  const wrong = { ...server.env, XDG_CONFIG_HOME: home, ALLIANCE_TOKEN: 'wrong' }
  expect((await run('mrr', { env: wrong })).code).toBe(4)
})

test('saved logins that others can read are used with a warning, damaged ones not at all', async () => {
  await loginByScript()
  chmodSync(file, 0o644)
  expect(await run('mrr')).toMatchObject({ code: 0, err: expect.stringContaining(`chmod 600 ${file}`) })
  chmodSync(file, 0o600)
  writeFileSync(file, 'not json')
  expect(await run('mrr')).toEqual({ code: 1, out: '', err: `${file} is damaged. Delete it and log in again.\n` })
})

test('a password is sent over plain http to another machine only with --insecure, and with a warning', async () => {
  const options = { env: { ...server.env, XDG_CONFIG_HOME: home }, input: password }
  const argv = 'login --email a@b.test --password-stdin --api http://no-such-host.invalid'
  const refused = await server.local(argv, options)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--insecure to send it anyway') })
  expect(refused.err).not.toContain('No response')
  const likeOurs = argv.replace('no-such-host.invalid', '127.0.0.1.no-such-host.invalid')
  expect(await server.local(likeOurs, options)).toMatchObject({
    code: 2,
    err: refused.err.replace('//', '//127.0.0.1.'),
  })
  const { err } = await server.local(`${argv} --insecure`, options)
  expect(err).toMatch(/^Warning: http:\/\/no-such-host\.invalid isn’t encrypted/)
  expect(err).toContain('No response')
})

test('nor does a call that asks for the password again send it over plain http to another machine', async () => {
  const received: string[] = []
  const other = Bun.serve({
    hostname: '0.0.0.0',
    port: 0,
    async fetch(asked) {
      received.push(await asked.text())
      return Response.json({ error: { code: 'password_needed', message: 'Your password, please.' } }, { status: 403 })
    },
  })
  const env = { ...server.env, ALLIANCE_TOKEN: 'a' }
  const argv = `owners link ${ownerEmail} --api http://0.0.0.0:${other.port}`
  const refused = await server.local(argv, { env, isTTY: terminal, input: [`${password}\r`] })
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('isn’t encrypted') })
  expect([received.length, received.join().includes(password)]).toEqual([1, false])
  await other.stop(true)
})

test('V6.3.4 an owner with a second factor is asked for its code; lost, the machine’s own terminal takes it away', async () => {
  const { world } = server
  const owner = world.ctx.sqlite.prepare<[string], { id: string; email: string }>('select * from users where email = ?')
  const browser = world.signIn(owner.get(ownerEmail) ?? { id: '', email: '' })
  const { secret } = await (await browser('/api/admin/second-factor', { method: 'POST' })).json()
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = (aside = 0) => app.generate({ timestamp: world.ctx.now().getTime() + aside * 30_000 })
  expect((await browser('/api/admin/second-factor/confirm', { body: { code: code(-1) } })).status).toBe(200)

  expect(await loginByScript()).toMatchObject({ code: 4, err: expect.stringContaining('your authenticator app') })
  const typed = { isTTY: terminal, input: [`${ownerEmail}\r`, `${password}\r`, `${code()}\r`] }
  expect(await run('login', typed)).toMatchObject({ code: 0, err: expect.stringContaining('Code: ') })
  expect((await run('mrr')).code).toBe(0)
  const script = `login --email ${ownerEmail} --password-stdin --code ${code(1)}`
  expect((await run(script, { input: `${password}\n` })).code).toBe(0)

  const reset = `owners reset-second-factor ${ownerEmail}`
  expect(await run(`${reset} --yes`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('only works at the server’s own terminal'),
  })
  expect((await server.local(reset)).code).toBe(2)
  expect(await server.local(`${reset} --yes`)).toMatchObject({
    code: 0,
    out: '',
    err: `${ownerEmail} logs in with just the password, and can set up two-step login again.\n`,
  })
  expect((await loginByScript()).code).toBe(0)
})
