import { beforeEach, describe, expect, test } from 'vitest'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, asHeader, behindProxy, cookiesOf, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

const minute = 60_000

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld({ env: behindProxy })
  danny = addWithPassword(world, { email: 'danny@example.com' })
})

/** A browser that keeps the cookie from its last request for a code. */
function openBrowser(address = '198.51.100.1') {
  let cookie = ''
  const headers = () => ({ 'x-forwarded-for': address, ...(cookie && { cookie }) })
  return {
    ask: async (email = danny.email) => {
      const response = await world.call('/api/auth/code', { body: { email }, headers: headers() })
      if (response.status === 200) cookie = asHeader(cookiesOf(response))
      return response
    },
    type: (code: string, email = danny.email) =>
      world.call('/api/auth/code/login', { body: { email, code }, headers: headers() }),
  }
}

const mails = () => world.ctx.db.select({ to: mailOutbox.to, text: mailOutbox.text }).from(mailOutbox).all()
const newestCode = () => /\b\d{6}\b/.exec(mails().at(-1)?.text ?? '')?.[0] ?? ''
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const statusOf = async (response: Promise<Response>) => (await response).status

describe('a code by mail', () => {
  test('V6.5.1 V6.5.4 V7.2.4 signs in the browser that asked, once, and proves no password', async () => {
    const browser = openBrowser()
    expect((await browser.ask()).status).toBe(200)
    const code = newestCode()
    expect(code).toMatch(/^\d{6}$/)
    const before = await logIn(world.call, danny)
    const cookie = asHeader(cookiesOf(before))
    const done = await browser.type(` ${code.slice(0, 3)} ${code.slice(3)} `)
    expect([done.status, (await done.json()).user.email]).toEqual([200, danny.email])
    const own = { headers: { cookie: asHeader(cookiesOf(done)) } }
    expect((await world.call('/api/auth/user', own)).status).toBe(200)
    expect(cookie).not.toBe(own.headers.cookie)
    expect((await world.call('/api/user/archive', { method: 'POST', ...own })).status).toBe(403)
    expect(await readError(await browser.type(code))).toMatchObject({ status: 401, code: 'invalid_credentials' })
    const actions = await (await world.call('/api/user/activity', own)).json()
    expect(actions.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['auth.code_asked', 'auth.login', 'auth.failed']),
    )
  })

  test('V6.6.2 is worth nothing in another browser, for another account, or after a newer one', async () => {
    const browser = openBrowser()
    const eve = addWithPassword(world, { email: 'eve@example.com' })
    await browser.ask()
    const first = newestCode()
    expect(await statusOf(openBrowser().type(first))).toBe(401)
    const other = openBrowser('198.51.100.2')
    await other.ask(eve.email)
    expect(await statusOf(other.type(first))).toBe(401)
    expect(await statusOf(browser.type(first, eve.email))).toBe(401)
    await browser.ask()
    const second = newestCode()
    if (second !== first) expect(await statusOf(browser.type(first))).toBe(401)
    expect(await statusOf(browser.type(second))).toBe(200)
  })

  test('V6.5.5 is over after ten minutes, and its row goes', async () => {
    const browser = openBrowser()
    await browser.ask()
    const code = newestCode()
    world.forward(10 * minute)
    expect(await statusOf(browser.type(code))).toBe(401)
    await runJob(world.ctx, 'clean-up')
    expect(countRows(world, 'sign_in_codes')).toBe(0)
  })

  test('V6.6.3 V6.3.1 bears five tries, even all at once; wrong ones count for the address', async () => {
    const browser = openBrowser()
    await browser.ask()
    const code = newestCode()
    const tries = await Promise.all(Array.from({ length: 5 }, () => statusOf(browser.type(wrongFor(code)))))
    expect(tries).toEqual([401, 401, 401, 401, 401])
    expect(await statusOf(browser.type(code))).toBe(401)
    for (let at = 0; at < 54; at++) await browser.type('000000')
    expect(await statusOf(browser.type('000000'))).toBe(429)
  })

  test('V6.6.3 five an hour for an account and an address, twenty for an account', async () => {
    const browser = openBrowser()
    for (let at = 0; at < 5; at++) expect((await browser.ask()).status).toBe(200)
    expect((await browser.ask()).status).toBe(429)
    for (let at = 0; at < 15; at++)
      expect(await statusOf(openBrowser(`203.0.113.${Math.floor(at / 5)}`).ask())).toBe(200)
    expect(await statusOf(openBrowser('203.0.113.9').ask())).toBe(429)
    world.forward(61 * minute)
    expect((await browser.ask()).status).toBe(200)
  })

  test('V6.3.1 sixty an hour from a network address, whichever accounts they are for', async () => {
    for (let at = 0; at < 60; at++) expect(await statusOf(openBrowser().ask(`sam${at}@example.com`))).toBe(200)
    const refused = await openBrowser().ask()
    expect(await readError(refused)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect([countRows(world, 'sign_in_codes'), countRows(world, 'audit_entries')]).toEqual([60, 60])
    expect(await statusOf(openBrowser('198.51.100.2').ask())).toBe(200)
    world.forward(60 * minute)
    expect(await statusOf(openBrowser().ask())).toBe(200)
  })

  test('V6.3.8 tells nobody whether an address has an account, nor whether it is an owner’s', async () => {
    const owner = addWithPassword(world, { email: 'olive@example.com', isAdmin: true })
    const responses = await Promise.all(
      [danny.email, owner.email, 'nobody@example.com'].map(async (email) => {
        const browser = openBrowser()
        const asked = await browser.ask(email)
        const typed = await browser.type('000001', email)
        const names = [...cookiesOf(asked).keys()]
        return [asked.status, await asked.json(), names, typed.status, (await typed.json()).error.message]
      }),
    )
    expect(responses[1]).toEqual(responses[0])
    expect(responses[2]).toEqual(responses[0])
    expect(mails().map(({ to }) => to)).toEqual([danny.email, owner.email])
    expect(mails().at(-1)?.text).not.toMatch(/\b\d{6}\b/)
    expect(countRows(world, 'sign_in_codes')).toBe(3)
  })

  test('V6.5.2 stands nowhere in the clear: neither in its row nor in what owners see of the mail', async () => {
    await openBrowser().ask()
    const code = newestCode()
    const rows = JSON.stringify(world.ctx.sqlite.prepare('select * from sign_in_codes').all())
    expect([rows.includes(code), rows.includes(danny.email)]).toEqual([false, false])
    const owner = world.signIn(world.addOwner())
    const list = await (await owner('/api/admin/mail')).text()
    expect([list.includes(danny.email), list.includes(code)]).toEqual([true, false])
  })
})

test('AUTH-1 the password beside it works as before', async () => {
  await openBrowser().ask()
  expect((await logIn(world.call, { ...danny, password })).status).toBe(200)
})
