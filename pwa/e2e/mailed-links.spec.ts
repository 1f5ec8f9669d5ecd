import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type APIRequestContext, request as apiRequest, type Browser } from '@playwright/test'
import * as v from 'valibot'
import { expect, linkIn, mailTo, phone, test } from './fixtures.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { beginPurchase, joinOverHttp, logInOverHttp, newPerson, ownPassword } from './people.ts'

/** Each emailed address that holds a secret, by what shows once its page has run its scripts (docs/email.md). */
const pagesOfLinks: Record<string, RegExp> = {
  '/membership-application?continue': /^Carry on joining$/,
  '/membership-application?invitation': /^Continue to tiers$/,
  '/reset-password?token': /^Save the password$/,
  '/members/confirm-address?token': /^Confirm this address$/,
  '/members/restore-address?token': /^Undo the change$/,
  '/members/not-me?token': /^This wasn’t me$/,
  '/members/unsubscribe?token': /^Stop these emails$/,
  '/api/mail/unsubscribe?token': /^Stop these emails$/,
  '/members/owner-invitation?token': /^Accept$/,
  '/book-call?call': /^Book this call$/,
  '/reactivate-delayed?email': /^Set Up Delayed Billing/,
}

const Mails = v.array(v.object({ text: v.string(), html: v.string() }))
const Made = v.object({ id: v.string(), version: v.number() })
const Link = v.object({ url: v.string() })

/** As an emailed address is known: its path, and the first name after the `?`. */
const kindOf = ({ pathname, search }: URL) => pathname + (/^\?[^=&]+/.exec(search)?.[0] ?? '')

test('every emailed link waits for a press: opened, with its scripts run, it changes nothing', {
  tag: '@full',
}, async ({ browser }) => {
  const server = await startOwnServer()
  try {
    const links = await mailEveryLink(server)
    expect([...links.keys()].sort()).toEqual(Object.keys(pagesOfLinks).sort())
    const before = await stateOf(server)
    for (const [kind, link] of links) {
      expect(await openAsScanner(browser, link, pagesOfLinks[kind] ?? /^$/), kind).toEqual([])
      expect(await stateOf(server), kind).toBe(before)
    }
    for (const [kind, [button, first, second]] of Object.entries(presses))
      for (const says of [first, second]) await press(browser, links.get(kind), { button, says })
  } finally {
    await server.stop()
  }
})

/** After the scanner: the button, what its first press says, and what the same link's second press says on another device. */
const presses: Record<string, [button: string, first: RegExp, second: RegExp]> = {
  '/members/not-me?token': ['This wasn’t me', /We’ll look into it and get back/, /We’ll look into it and get back/],
  '/members/confirm-address?token': ['Confirm this address', /Use .* to log in/, /Use .* to log in/],
  '/members/restore-address?token': ['Undo the change', /is back on your account/, /It’s been used/],
  '/members/unsubscribe?token': ['Stop these emails', /We’ve stopped sending/, /We’ve stopped sending/],
  '/membership-application?continue': ['Carry on joining', /Card number/, /That link doesn’t work any more/],
}

async function press(browser: Browser, link: URL | undefined, { button, says }: { button: string; says: RegExp }) {
  const context = await browser.newContext({ ...phone, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(link?.href ?? '')
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByText(says).first(), `${button}: ${says}`).toBeVisible()
  await context.close()
}

/** A mail scanner's browser: nobody is logged in. Returns the cookies it was given. */
async function openAsScanner(browser: Browser, link: URL, button: RegExp): Promise<string[]> {
  const context = await browser.newContext({ ...phone, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(link.href)
  await expect(page.getByRole('button', { name: button }).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  const cookies = await context.cookies()
  await context.close()
  return cookies.map(({ name }) => name)
}

/** Every row there is, without what is counted of visits and what jobs note. */
async function stateOf({ env }: OwnServer): Promise<string> {
  const file = join(env.DATA_DIR ?? '', 'alliance.sqlite')
  const program = `
    import Database from 'better-sqlite3'
    const database = new Database(${JSON.stringify(file)}, { fileMustExist: true })
    const names = database.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all()
    const rows = (name) => database.prepare('select * from "' + name + '" order by 1').all()
    const kept = names.filter((name) => !/^(limit_hits|daily_counts|job_leases|mail_outbox|settings|sqlite_.*)$/.test(name))
    console.log(JSON.stringify(kept.map((name) => [name, rows(name)]), null, 1))`
  const bun = process.env.BUN ?? 'node_modules/.bin/bun'
  const { stdout } = await promisify(execFile)(bun, ['--no-env-file', '-e', program], { maxBuffer: 1 << 28 })
  return stdout
}

/** Causes an email of each kind, and returns the newest link of each. */
async function mailEveryLink(server: OwnServer): Promise<Map<string, URL>> {
  const visitor = () => apiRequest.newContext({ baseURL: server.url })
  const post = async (by: APIRequestContext, path: string, data: object) => {
    const response = await by.post(path, { data })
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
    return response.json()
  }
  const owner = await visitor()
  await logInOverHttp(owner, 'owner@alliance.test')
  const [begun, mover, waiting] = [newPerson('Bea', 'Purlin'), newPerson('Cal', 'Joist'), newPerson('Fay', 'Stud')]
  const moved = newPerson('Dot', 'Rafter')
  await beginPurchase(await visitor(), begun)
  const known = await (await visitor()).post('/api/create-subscription', {
    data: { email: begun.email, name: 'Bea Purlin', tierSlug: 'standard' },
  })
  expect(known.status()).toBe(409)
  await post(await visitor(), '/api/auth/forgot-password', { email: 'lite@alliance.test' })
  for (const person of [mover, waiting]) {
    const own = await visitor()
    await joinOverHttp(own, person)
    await post(own, '/api/auth/proof', { password: ownPassword })
    const wants = await own.put('/api/user/mail-choices', { data: { purpose: 'news', isWanted: person === waiting } })
    expect(wants.status()).toBe(200)
    const change = { email: person.email.replace('@', '.new@') }
    const asked = await own.patch('/api/user/profile', { data: change })
    expect(asked.status(), await asked.text()).toBe(200)
  }
  const confirm = /confirm-address\?token=(\S+)/.exec(await mailTo(owner, mover.email.replace('@', '.new@'), /address/))
  await post(await visitor(), '/api/email-change/confirm', { token: confirm?.[1] })
  const { id } = await joinOverHttp(await visitor(), moved)

  const profile = v.parse(
    v.object({ profile: v.record(v.string(), v.unknown()) }),
    await (await owner.get(`/api/admin/members/${id}/record`)).json(),
  ).profile
  const changed = await owner.put(`/api/admin/members/${id}/profile`, {
    data: { ...profile, email: 'dot.rafter@example.com' },
  })
  expect(changed.status(), await changed.text()).toBe(200)
  const mailing = await post(owner, '/api/admin/mailings', {
    ...{ subject: 'Workshop', text: 'On Friday.', purpose: 'news', segment: {}, perMinute: 60 },
  })
  const { id: mailingId, version } = v.parse(Made, mailing)
  await post(owner, `/api/admin/mailings/${mailingId}/send`, { version, gets: 1 })
  await post(owner, '/api/admin/owners/invitations', { email: 'new.owner@example.com' })
  await post(owner, '/api/admin/invitations', { email: 'invited@example.com', tierSlug: 'lite' })
  const slots = await (await owner.get('/api/calendar/slots/consultation')).json()
  const Slots = v.object({ slots: v.array(v.object({ coach: v.string(), startsAt: v.string() })) })
  await post(await visitor(), '/api/calendar/holds', {
    ...{ kind: 'consultation', ...v.parse(Slots, slots).slots[0], name: 'Eve Batten' },
    ...{ email: 'eve@example.com', phone: '07700 900123' },
  })
  const delayed = v.parse(Link, await post(owner, '/api/admin/reactivation-links', { email: 'lapsed@alliance.test' }))
  // Others are of members who have set their password since.
  const reset = linkIn(await mailTo(owner, 'lite@alliance.test', /password/))
  return newestOfEach([delayed.url, reset, ...(await mailedAddresses(owner))])
}

async function mailedAddresses(request: APIRequestContext): Promise<string[]> {
  const mails = async () =>
    v.parse(Mails, await (await request.get('/sandbox/mail', { headers: { accept: 'application/json' } })).json())
  const isThere = async () => {
    const texts = JSON.stringify(await mails())
    return ['continue=', 'confirm-address', 'restore-address', 'not-me', 'owner-invitation', 'call=', '?invitation=']
      .concat('/unsubscribe?token')
      .filter((part) => !texts.includes(part))
  }
  await expect.poll(isThere).toEqual([])
  return (await mails()).flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
}

function newestOfEach(addresses: string[]): Map<string, URL> {
  const found = new Map<string, URL>()
  for (const link of addresses.map((address) => new URL(address)).filter(({ search }) => search !== '')) {
    const kind = kindOf(link)
    if (kind !== '/members?tab' && !found.has(kind)) found.set(kind, link)
  }
  const page = found.get('/members/unsubscribe?token')
  // Mail programs know this one from a header.
  if (page) found.set('/api/mail/unsubscribe?token', new URL(page.href.replace('/members/', '/api/mail/')))
  return found
}
