import { beforeEach, expect, test } from 'vitest'
import { issueApiToken } from '#api/features/auth/session-service.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, asHeader, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'

const minutes = 60_000
const program = { name: 'Books', scopes: ['read'], days: 30 }

let world: World
let olive: TestPerson
beforeEach(() => {
  world = startWorld()
  olive = addWithPassword(world, { isAdmin: true })
})

/** Every route with this guard. */
const needsPassword = [
  'DELETE /api/admin/members/:memberId',
  'DELETE /api/admin/second-factor',
  'POST /api/admin/members/:memberId/archive',
  'POST /api/admin/members/:memberId/refund',
  'POST /api/admin/owners/link',
  'POST /api/admin/payments/:charge/lost',
  'POST /api/admin/revenue-months/reopen',
  'POST /api/admin/second-factor',
  'POST /api/admin/second-factor/confirm',
  'POST /api/admin/second-factor/recovery-codes',
  'POST /api/admin/tiers/:tier/price',
  'POST /api/admin/tokens',
]

const withHeaders =
  (headers: Record<string, string>): Call =>
  (path, options) =>
    world.call(path, { ...options, headers })
const logInAs = async ({ email }: TestPerson) =>
  withHeaders({ cookie: asHeader(cookiesOf(await logIn(world.call, { email }))) })
const makeToken = (call: Call) => call('/api/admin/tokens', { body: program })
const prove = (call: Call, given = password) => call('/api/auth/proof', { body: { password: given } })

test('V7.5.3 a fresh login needs no second password; ten minutes later it is asked for, of this browser alone, and then good again', async () => {
  const [browser, other] = [await logInAs(olive), await logInAs(olive)]
  expect((await makeToken(browser)).status).toBe(200)
  world.forward(10 * minutes)
  expect((await makeToken(browser)).status).toBe(200)
  world.forward(1 * minutes)
  expect(await readError(await makeToken(browser))).toMatchObject({ status: 403, code: 'password_needed' })
  expect((await browser('/api/admin/members')).status).toBe(200)
  expect((await prove(browser)).status).toBe(200)
  expect((await makeToken(browser)).status).toBe(200)
  expect((await makeToken(other)).status).toBe(403)
  expect(countRows(world, 'audit_entries', `action = 'auth.proved'`)).toBe(1)
})

test('a login that no password opened has proved nothing', async () => {
  const browser = await logInAs(olive)
  world.ctx.sqlite.exec('update sessions set provenAt = null')
  expect((await makeToken(browser)).status).toBe(403)
})

test('what a removal would do is shown without the password; the removal itself needs it', async () => {
  const browser = await logInAs(olive)
  const { id } = world.addUser()
  world.forward(11 * minutes)
  const remove = (query = '') => browser(`/api/admin/members/${id}${query}`, { method: 'DELETE' })
  expect((await remove('?dryRun=true')).status).toBe(200)
  for (const query of ['', '?dryRun=false', '?dryRun=true&dryRun=false']) {
    expect([query, (await remove(query)).status]).not.toEqual([query, 200])
  }
  const refund = `/api/admin/members/${id}/refund?dryRun=true`
  expect((await readError(await browser(refund, { body: { reason: 'Asked' } }))).code).toBe('password_needed')
  expect(countRows(world, 'users', `id = '${id}'`)).toBe(1)
})

test('a wrong password is refused and counted as a wrong login is, and ends no login', async () => {
  const browser = world.signIn(olive)
  world.forward(11 * minutes)
  for (let tries = 0; tries < 10; tries += 1) {
    expect(await readError(await prove(browser, 'not-my-password'))).toMatchObject({
      ...{ status: 422, fields: { password: expect.stringContaining('not your password') } },
    })
  }
  const refused = await prove(browser)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(60)
  expect(await readError(refused)).toMatchObject({ status: 429, message: 'Too many wrong tries. Please wait a while.' })
  expect((await makeToken(browser)).status).toBe(403)
  expect((await browser('/api/auth/user')).status).toBe(200)
  world.forward(15 * minutes)
  expect((await prove(browser)).status).toBe(200)
})

test('over a token it is the same: the terminal’s login counts as a proof, a program’s token proves nothing by itself', async () => {
  const bearer = (token: string) => withHeaders({ authorization: `Bearer ${token}` })
  const body = { email: olive.email, password }
  const { token } = await (await world.call('/api/auth/token', { body })).json()
  const terminal = bearer(token)
  expect((await makeToken(terminal)).status).toBe(200)
  const books = bearer(issueApiToken(world.ctx, olive.id, 'Books').token)
  expect((await readError(await makeToken(books))).code).toBe('password_needed')
  world.forward(11 * minutes)
  expect((await readError(await makeToken(terminal))).code).toBe('password_needed')
  expect((await prove(terminal)).status).toBe(200)
  expect([(await makeToken(terminal)).status, (await makeToken(books)).status]).toEqual([200, 403])
})

test('ROLE-01 refunds, removal, a tier’s price, tokens and links for owners are refused before the body is read, by browser and by token', async () => {
  const guarded = world
    .wholeApp()
    .routes.filter(({ hooks }) => JSON.stringify(hooks.detail?.security).includes('password'))
  expect(guarded.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(needsPassword)
  const { token } = issueApiToken(world.ctx, olive.id, 'Books')
  const callers = [world.signIn(olive), withHeaders({ authorization: `Bearer ${token}` })]
  world.forward(11 * minutes)
  for (const { method, path } of guarded) {
    for (const call of callers) {
      const { status, code } = await readError(
        await call(path.replace(/:(memberId|tier)/, 'nothing'), { method, body: {} }),
      )
      expect([path, status, code]).toEqual([path, 403, 'password_needed'])
    }
  }
})
