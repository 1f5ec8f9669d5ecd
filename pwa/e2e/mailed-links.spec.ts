import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type APIRequestContext, request as apiRequest, type Browser, type Page } from '@playwright/test'
import * as v from 'valibot'
import { expect, linkIn, mailTo, phone, test } from './fixtures.ts'
import { fillApplication } from './join-steps.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { beginPurchase, joinOverHttp, logInOverHttp, newPerson, ownPassword, type Person } from './people.ts'

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

const invited: Person = { firstName: 'Gil', lastName: 'Batten', email: 'invited@example.com' }

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

test('an emailed link’s form, pressed twice and on another device, does its work once and says so', {
  tag: '@full',
}, async ({ browser }) => {
  const server = await startOwnServer()
  try {
    const links = await mailEveryLink(server)
    for (const [kind, form] of forms) await pressOnTwoDevices(browser, links.get(kind), form)
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

type Form = { fill: (page: Page) => Promise<unknown>; button: string | RegExp; first: RegExp; second: RegExp }

const choosePassword = (page: Page) =>
  page.getByRole('textbox', { name: 'New password' }).fill('a-level-and-a-plumb-line-7')

/** Another time than the one they have. */
async function chooseTime(page: Page) {
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await page
    .getByRole('group', { name: /^Time on/ })
    .getByRole('radio')
    .first()
    .press('Space')
}

/** Where something is filled in first. Both devices have the form open before the first one's press. */
const forms: [kind: string, form: Form][] = [
  [
    '/reset-password?token',
    {
      fill: choosePassword,
      button: 'Save the password',
      first: /^Password Reset Successful$/i,
      second: /^It’s been used or it’s run out/,
    },
  ],
  [
    '/members/owner-invitation?token',
    { fill: choosePassword, button: 'Accept', first: /^You’re an owner$/, second: /^It’s been used or cancelled/ },
  ],
  ['/book-call?call', { fill: async () => {}, button: 'Book this call', first: /^Booked$/, second: /^Booked$/ }],
  ['/book-call?call', { fill: chooseTime, button: 'Move the call', first: /^Booked$/, second: /^Booked$/ }],
  [
    '/book-call?call',
    {
      fill: (page) => page.getByRole('button', { name: 'Cancel the call' }).click(),
      button: 'Yes, cancel it',
      first: /^This call’s cancelled$/,
      second: /^This call’s cancelled$/,
    },
  ],
  [
    '/membership-application?invitation',
    {
      fill: (page) => fillApplication(page, invited),
      button: /^Continue with Alliance Lite$/,
      first: /^Card number$/,
      second: /^You already have an account\./,
    },
  ],
  [
    '/reactivate-delayed?email',
    {
      fill: async () => {},
      button: /^Set Up Delayed Billing - Alliance$/,
      first: /^Card number$/,
      second: /^Card number$/,
    },
  ],
]

async function pressOnTwoDevices(browser: Browser, link: URL | undefined, { fill, button, first, second }: Form) {
  const devices = [await browser.newContext(phone), await browser.newContext(phone)]
  const pages = await Promise.all(devices.map((device) => device.newPage()))
  for (const page of pages) {
    await page.goto(link?.href ?? '')
    await fill(page)
  }
  for (const [at, page] of pages.entries()) {
    // A page that comes to the front may have looked again by itself, and then there's nothing left to press.
    await page
      .getByRole('button', { name: button })
      .dblclick(at === 0 ? {} : { timeout: 5_000 })
      .catch((error) => at === 0 && Promise.reject(error))
    const says = at === 0 ? first : second
    await expect(page.getByText(says).first(), `${button} on device ${at + 1}: ${says}`).toBeVisible()
  }
  for (const device of devices) await device.close()
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
    subject: 'Workshop',
    text: 'On Friday.',
    purpose: 'news',
    segment: {},
    perMinute: 60,
  })
  const { id: mailingId, version } = v.parse(Made, mailing)
  await post(owner, `/api/admin/mailings/${mailingId}/send`, { version, gets: 1 })
  await post(owner, '/api/admin/owners/invitations', { email: 'new.owner@example.com' })
  await post(owner, '/api/admin/invitations', { email: 'invited@example.com', tierSlug: 'lite' })
  const slots = await (await owner.get('/api/calendar/slots/consultation')).json()
  const Slots = v.object({ slots: v.array(v.object({ coach: v.string(), startsAt: v.string() })) })
  await post(await visitor(), '/api/calendar/holds', {
    kind: 'consultation',
    ...v.parse(Slots, slots).slots[0],
    name: 'Eve Batten',
    email: 'eve@example.com',
    phone: '07700 900123',
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
