import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { importRows, imports } from '#api/db/schema/imports.ts'
import { users } from '#api/db/schema/people.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, asHeader, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { rowsOf } from '#api/testing/routes.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { noImportOptions } from '#shared/contract/imports.ts'
import { SettingName } from '#shared/contract/site-settings.ts'
import { issueApiToken } from './session-service.ts'

const minutes = 60_000
const program = { name: 'Books', scopes: ['read'], days: 30 }

let world: World
let olive: TestPerson
beforeEach(() => {
  world = startWorld()
  olive = addWithPassword(world, { isAdmin: true })
})

const withHeaders =
  (headers: Record<string, string>): Call =>
  (path, options) =>
    world.call(path, { ...options, headers })
const logInAs = async ({ email }: TestPerson) =>
  withHeaders({ cookie: asHeader(cookiesOf(await logIn(world.call, { email }))) })
const makeToken = (call: Call) => call('/api/admin/tokens', { body: program })
const prove = (call: Call, given = password) => call('/api/auth/proof', { body: { password: given } })

const guardedRoutes = () => rowsOf(world.wholeApp()).filter(({ asksPassword }) => asksPassword)

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
      status: 422,
      fields: { password: expect.stringContaining('not your password') },
    })
  }
  const refused = await prove(browser)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(60)
  expect(await readError(refused)).toMatchObject({ status: 429, message: 'Too many attempts. Wait 15 minutes.' })
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

const draft = {
  subject: 'Workshop on Friday',
  text: 'Bring your quotes.',
  purpose: 'news',
  perMinute: 2,
  segment: { state: 'with-access' },
}
const agreeToNews = () =>
  world.signIn(world.addMember())('/api/user/mail-choices', {
    method: 'PUT',
    body: { purpose: 'news', isWanted: true },
  })

/** The file itself, and what a token made for files gets. */
const exported =
  (file: string, query: string) =>
  async (call: Call): Promise<[Response, Response]> => {
    const { token } = issueApiToken(world.ctx, olive.id, 'Accountant', { scopes: ['files'] })
    const path = `/api/admin/exports/${file}?${query}`
    const asked = await call('/api/admin/exports/files', { body: { file } })
    if (asked.status !== 200) return [await call(path), await withHeaders({ authorization: `Bearer ${token}` })(path)]
    const { ticket } = await asked.json()
    return [await call(`${path}&ticket=${ticket}`), new Response()]
  }

/** Routes that need a proof for only part of what they do, by name. */
const inPart: Record<string, (call: Call, member: TestPerson) => Promise<[asked: Response, open: Response]>> = {
  'POST /api/admin/imports/:id/letters': async (call) => {
    const ids = [1, 2, 3].map(() => world.addUser().id)
    const importOf = (people: readonly string[]) => {
      const id = world.ctx.newId()
      const createdAt = world.ctx.now().toISOString()
      const lists = { options: noImportOptions, columns: [], facts: {} }
      insertRow(world.ctx, imports, { id, kind: 'members', state: 'applied', createdAt, ...lists })
      for (const [line, madeId] of people.entries())
        insertRow(world.ctx, importRows, { importId: id, line, outcome: 'new', madeId, doneAt: createdAt })
      return call(`/api/admin/imports/${id}/letters`, { body: { count: 50, isAgain: false } })
    }
    return [await importOf(ids.slice(0, 2)), await importOf(ids.slice(2))]
  },
  'PATCH /api/admin/members/:memberId/revoke-access': async (call) => {
    const revoke = ({ id }: TestPerson) =>
      call(`/api/admin/members/${id}/revoke-access`, { method: 'PATCH', body: { isMember: false } })
    return [await revoke(world.addMember()), await revoke(world.addMember({ subscription: { status: 'canceled' } }))]
  },
  'GET /api/admin/exports/invoices.csv': exported('invoices.csv', ''),
  'GET /api/admin/exports/accounts.csv': exported('accounts.csv', '&format=xero'),
  'GET /api/admin/exports/accountant.zip': exported('accountant.zip', '&period=2026-06'),
  'PUT /api/admin/members/:memberId/profile': async (call, { id }) => {
    const { profile } = await (await call(`/api/admin/members/${id}/record`)).json()
    const put = (change: object) =>
      call(`/api/admin/members/${id}/profile`, { method: 'PUT', body: { ...profile, id: undefined, ...change } })
    return [await put({ email: 'moved@example.com' }), await put({ phone: '07700 900123' })]
  },
  'POST /api/admin/content/:page/tell': async (call) => {
    const { version } = await (await call('/api/admin/content/terms')).json()
    const entry = { entry: 'title', value: `Terms ${version}` }
    await call('/api/admin/content/terms', { method: 'PUT', body: { version, ...entry } })
    for (let more = 2; more > 0; more -= 1) world.addMember()
    const tell = (isTrial: boolean) =>
      call('/api/admin/content/terms/tell', { body: { note: 'What changed.', isTrial } })
    return [await tell(false), await tell(true)]
  },
  'POST /api/admin/mailings/:id/send': async (call) => {
    const send = async () => {
      await agreeToNews()
      const { id, version } = await (await call('/api/admin/mailings', { body: draft })).json()
      const { gets } = await (await call('/api/admin/mailing-audience/count?purpose=news&state=with-access')).json()
      return call(`/api/admin/mailings/${id}/send`, { body: { version, gets } })
    }
    world.ctx.sqlite.exec('delete from users where isAdmin = 0')
    const toOne = await send()
    return [await send(), toOne]
  },
  'POST /api/admin/mailings/:id/resume': async (call) => {
    const resume = async (people: number) => {
      const { id } = await (await call('/api/admin/mailings', { body: draft })).json()
      world.ctx.sqlite.exec(`update mailings set status = 'paused', people = ${people} where id = '${id}'`)
      return call(`/api/admin/mailings/${id}/resume`, { method: 'POST' })
    }
    return [await resume(2), await resume(1)]
  },
  'POST /api/admin/inbox/:kind/:id/reply': async (call, { id }) => {
    const write = (people?: number) =>
      call(`/api/admin/inbox/members/${id}/reply`, { body: { text: 'The yard is shut.', people } })
    return [await write(2), await write()]
  },
  'PUT /api/admin/settings/:name': async (call) => {
    const put = (name: string, value: string) =>
      call(`/api/admin/settings/${name}`, { method: 'PUT', body: { value, version: 0 } })
    return [await put('PIXEL_URL', 'https://pixel.example/one.js'), await put('SELLER_NAME', 'Bench & Co Ltd')]
  },
  'POST /api/admin/sessions/revoke': async (call, { id }) => {
    const other = world.addUser({ isAdmin: true })
    const member = world.ctx.db.select({ email: users.email }).from(users).where(eq(users.id, id)).get()
    for (const person of [other, { ...other, id }]) world.signIn(person)
    const revoke = (email: string | undefined) => call('/api/admin/sessions/revoke', { body: { email } })
    return [await revoke(other.email), await revoke(member?.email)]
  },
  'PUT /api/admin/setting-groups/:group': async (call) => {
    const put = (body: object) => call('/api/admin/setting-groups/seller', { method: 'PUT', body })
    const plain = { SELLER_NAME: 'Bench & Co Ltd' }
    const asked = await put({ ...plain, SELLER_EMAIL: 'hello@example.com', version: 1 })
    return [asked, await put({ ...plain, version: 0 })]
  },
}

/** What an unlocked browser could give away, or that can’t be undone. What’s new needn’t stand here. */
const mustAsk = [
  ...['POST members/:memberId/refund', 'POST members/:memberId/upgrade', 'POST members/:memberId/subscription/end'],
  ...['DELETE members/:memberId', 'POST members/:memberId/archive', 'POST members/:memberId/email-report'],
  ...['POST members/:memberId/stripe-address', 'POST reactivation-links', 'POST payments/:charge/lost'],
  ...['POST tiers/:tier/price', 'DELETE tiers/:tier/price', 'POST revenue-months/reopen'],
  ...['POST exports/all', 'GET exports/all.zip', 'POST exports/files', 'POST exports/lists', 'POST tokens'],
  ...['POST owners/link', 'POST owners/invitations', 'DELETE owners/:id', 'POST mail-resend'],
  ...['POST mailings/:id/schedule', 'POST second-factor', 'POST second-factor/confirm', 'DELETE second-factor'],
  'POST second-factor/recovery-codes',
]

test('what gives money, a person or the business away asks for the password again, and rows that say they ask in part do', () => {
  const asking = guardedRoutes().map(({ name }) => name.replace('/api/admin/', ''))
  expect(asking).toEqual(expect.arrayContaining(mustAsk))
  const partly = rowsOf(world.wholeApp()).filter(({ unasked }) => unasked?.startsWith('asks when '))
  expect(Object.keys(inPart).sort()).toEqual(partly.map(({ name }) => name).sort())
})

test.each(Object.entries(inPart))('%s asks by browser and by token for what gives most away alone', async (_, send) => {
  const { token } = issueApiToken(world.ctx, olive.id, 'Books')
  const browser = await logInAs(olive)
  world.forward(11 * minutes)
  for (const call of [browser, withHeaders({ authorization: `Bearer ${token}` })]) {
    const [asked, open] = await send(call, world.addUser())
    expect([await readError(asked), open.status]).toMatchObject([{ status: 403, code: 'password_needed' }, 200])
  }
  await prove(browser)
  expect((await send(browser, world.addUser()))[0].status).toBe(200)
})

test('a setting asks where it sends people, loads something or gets our mail; the same value again changes nothing', async () => {
  const browser = await logInAs(olive)
  const put = (name: string, value: string) =>
    browser(`/api/admin/settings/${name}`, { method: 'PUT', body: { value, version: 0 } })
  expect((await put('BOOKING_URL', 'https://cal.example')).status).toBe(200)
  world.forward(11 * minutes)
  expect((await put('BOOKING_URL', 'https://cal.example')).status).toBe(200)
  const refused: SettingName[] = []
  for (const name of SettingName.options) if ((await put(name, 'x')).status === 403) refused.push(name)
  const plain = SettingName.options.filter((name) => !refused.includes(name))
  expect(plain).toEqual([
    ...['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_VAT_NUMBER', 'SELLER_COMPANY_NUMBER', 'SELLER_REGISTERED_IN'],
    ...[
      'SELLER_ICO_NUMBER',
      'SELLER_HOSTING',
      'SELLER_MAIL_SERVICE',
      'SALES_PARTNER',
      'SELLS_TO_CONSUMERS',
      'STRIPE_MAILS_OFF',
    ],
  ])
})

test('a member’s own login, one’s own logins and a cancellation at the period’s end ask nothing', async () => {
  const browser = await logInAs(olive)
  await logInAs(olive)
  world.forward(11 * minutes)
  expect((await browser('/api/admin/sessions/revoke', { body: { others: true } })).status).toBe(200)
  const cancel = await readError(
    await browser(`/api/admin/members/${world.addMember().id}/subscription/cancel`, { method: 'POST' }),
  )
  expect(cancel.code).not.toBe('password_needed')
})

test('an export’s ticket is for its own file, and a token made for files fetches those three alone', async () => {
  const browser = await logInAs(olive)
  const { ticket } = await (await browser('/api/admin/exports/files', { body: { file: 'invoices.csv' } })).json()
  const get = (file: string) => browser(`/api/admin/exports/${file}?format=xero&ticket=${ticket}`)
  expect([(await get('invoices.csv')).status, (await get('accounts.csv')).status]).toEqual([200, 403])
  const { token } = issueApiToken(world.ctx, olive.id, 'Accountant', { scopes: ['files'] })
  const books = withHeaders({ authorization: `Bearer ${token}` })
  expect((await books('/api/admin/exports/invoices.csv')).status).toBe(200)
  for (const path of ['/api/admin/members', '/api/admin/exports/all.zip?ticket=x', '/api/admin/invoices'])
    expect([path, (await books(path)).status]).toEqual([path, 403])
})

test('ROLE-01 refunds, removal, a tier’s price, tokens and links are refused before the body is read, by browser and by token', async () => {
  const { token } = issueApiToken(world.ctx, olive.id, 'Books')
  const callers = [world.signIn(olive), withHeaders({ authorization: `Bearer ${token}` })]
  world.forward(11 * minutes)
  for (const { method, path } of guardedRoutes()) {
    for (const call of callers) {
      const { status, code } = await readError(
        await call(path.replace(/:(memberId|tier)/, 'nothing'), { method, body: {} }),
      )
      expect([path, status, code]).toEqual([path, 403, 'password_needed'])
    }
  }
})
