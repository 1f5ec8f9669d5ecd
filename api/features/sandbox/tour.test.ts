import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lockDataDir } from '#api/db/server-lock.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { sandboxPassword } from '#data/seed/people.ts'

/** A world that holds its data folder like a running server, so that it finds its own sandbox. */
async function startServing(): Promise<PaymentWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-tour-'))
  const world = await startPaymentWorld({ env: { DATA_DIR: dataDir } })
  Object.assign(world.ctx.settings, { sandboxPort: world.sandbox.port })
  const lock = lockDataDir(dataDir)
  onTestFinished(async () => {
    await world.stop()
    lock?.release()
    rmSync(dataDir, { recursive: true })
  })
  return world
}

/** Presses a button the way a browser does, from a page that showed this clock. */
const press = ({ handle }: World, action: string, { clock = '0', headers = {} } = {}) =>
  handle(
    new Request('http://localhost/sandbox/do', {
      method: 'POST',
      body: new URLSearchParams({ do: action, clock }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    }),
  )

async function read({ call }: Pick<World, 'call'>): Promise<string> {
  const html = await (await call('/sandbox')).text()
  return html.replace(/^.*<main/s, '').replaceAll(/<[^>]+>/g, '')
}

const daysAhead = ({ ctx }: World) => Math.round((ctx.billingNow().getTime() - ctx.now().getTime()) / 86_400_000)

test('the sandbox tells its story without a script, and its buttons log nobody in', async () => {
  const world = startWorld()
  const page = await world.call('/sandbox')
  const html = await page.text()
  expect(html).not.toMatch(/<script|style="|\son\w+=/)
  expect(html).toContain(sandboxPassword)
  expect(html).toContain('href="/login?redirect=%2Fadmin"')
  expect(page.headers.get('content-security-policy')).toContain(`form-action 'self'`)
  expect(await read(world)).toContain('0 of 8 done.')
  const ticked = await press(world, 'owner')
  expect([ticked.status, ticked.headers.get('location'), ticked.headers.get('set-cookie')]).toEqual([
    303,
    '/sandbox#owner',
    null,
  ])
  expect(await read(world)).toContain('1 of 8 done.')
  expect((await press(world, 'login')).status).toBe(422)
  const elsewhere = { headers: { origin: 'https://elsewhere.example' } }
  expect((await press(world, 'offline', elsewhere)).status).toBe(403)
})

test('a bad card and a month later its payment fails: each press says what happened, and a double press counts once', {
  tags: ['full'],
}, async () => {
  const world = await startServing()
  await press(world, 'fail')
  expect(await read(world)).toMatch(/No member has a payment to come\.\s*Join as a member first/)
  await becomeMember(world)
  await press(world, 'fail')
  expect(await read(world)).toMatch(/sam@example\.com\) now has a card the bank will turn down/)
  await Promise.all([press(world, 'month'), press(world, 'month')])
  const told = /The clock has already moved.*1 email on the way: “Your payment didn’t go through” to sam@example\.com/s
  await vi.waitFor(async () => expect(await read(world)).toMatch(told), 60_000)
  expect(daysAhead(world)).toBe(31)
  const story = await read(world)
  expect(story).toContain('3 of 8 done.')
  await press(world, 'week')
  expect([daysAhead(world), (await read(world)).includes('The clock has already moved')]).toEqual([31, true])
})

test('a press that fails says so, and what to do next', { tags: ['full'] }, async () => {
  const world = await startServing()
  await becomeMember(world)
  await world.sandbox.stop()
  for (const action of ['fail', 'week']) expect((await press(world, action)).status).toBe(303)
  const story = await read(world)
  expect(story.match(/That didn’t work\..*? Then press once more\./gs)).toHaveLength(2)
  expect(story).toContain('1 of 8 done.')
})

test('a clock that fails straight away is logged once', { tags: ['full'] }, async () => {
  const world = await startServing()
  world.ctx.sqlite.exec('drop table audit_entries')
  expect((await press(world, 'week')).status).toBe(500)
  expect(world.logged.filter((line) => line.includes('audit_entries'))).toHaveLength(1)
})

test('in production the page and its buttons are the owners’ alone, and show no password', async () => {
  const env = {
    NODE_ENV: 'production',
    ALLOW_SANDBOX: '1',
    SESSION_SECRET: 'x'.repeat(40),
    PUBLIC_URL: 'https://site.test',
  }
  const world = startWorld({ env })
  const asMember = { headers: { cookie: world.signIn(world.addMember()).cookie } }
  const owner = world.signIn(world.addOwner())
  expect([(await world.call('/sandbox')).status, (await press(world, 'mail')).status]).toEqual([401, 401])
  expect([(await world.call('/sandbox', asMember)).status, (await press(world, 'mail', asMember)).status]).toEqual([
    403, 403,
  ])
  for (const path of ['/sandbox', '/sandbox/mail/01a1']) {
    const toLogin = await world.call(path, { headers: { accept: 'text/html' } })
    const login = `/login?redirect=${encodeURIComponent(path)}`
    expect([toLogin.status, toLogin.headers.get('location')]).toEqual([303, login])
  }
  const html = await (await owner('/sandbox')).text()
  expect(html).toContain('Move the clock')
  expect(html).not.toContain(sandboxPassword)
  expect((await press(world, 'mail', { headers: { cookie: owner.cookie } })).status).toBe(303)
})

test('outside the sandbox there is no such page', async () => {
  const world = startWorld({
    env: { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' },
  })
  expect([(await world.call('/sandbox')).status, (await press(world, 'week')).status]).toEqual([404, 404])
  const inBrowser = async (path: string) => {
    const response = await world.call(path, { headers: { accept: 'text/html,*/*' } })
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  const nowhere = await inBrowser('/nowhere')
  for (const path of ['/sandbox', '/sandbox/mail']) expect(await inBrowser(path)).toEqual(nowhere)
  expect((await inBrowser('/api/nowhere'))[0]).toBe(404)
})
