// @module-tag full
import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { audit } from '#api/audit.ts'
import { insertRow } from '#api/db/insert.ts'
import { priceMoves } from '#api/db/schema/price-moves.ts'
import { ensureOwners } from '#api/features/accounts/owners/service.ts'
import { attacks } from '#api/testing/attacks.ts'
import { coachingApplication, coachingBooking, contactMessage, waitingMail } from '#api/testing/enquiries.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { allTabs } from '#pwa/features/admin/frame/places.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { countOfTags, injectedInto } from '#pwa/testing/injected.ts'

let world: World
let browser: Browser
let owner: Call
let office: TestPerson
let member: TestPerson
/** A member we’ve told about a price rise. */
let moved: TestPerson
const alert = vi.fn()
beforeEach(() => {
  alert.mockReset()
  Object.assign(globalThis, { alert })
  world = startWorld({ env: { OWNER_EMAILS: 'olive@example.com', SIMPLE_ADMIN_EMAIL: 'office@example.com' } })
  ensureOwners(world.ctx)
  const id = world.ctx.sqlite.prepare<[], string>(`select id from users where email like 'office@%'`).pluck().get()
  office = { id: id ?? '', email: 'office@example.com' }
  owner = world.signIn(office)
  member = world.addMember({ tier: 'xl' })
  moved = world.addMember({ tier: 'xl' })
  tellOfNewPrice()
  browser = createBrowser(world)
})
afterEach(() => browser.close())

function tellOfNewPrice(): void {
  const { ctx } = world
  const subscriptionId = ctx.sqlite
    .prepare<[string], string>(
      `select s.id from subscriptions s join customers c on c.id = s.customerId where c.userId = ?`,
    )
    .pluck()
    .get(moved.id)
  const move = { tierSlug: 'xl', fromNet: 45_000, toNet: 47_500, stripePriceId: 'price_new' } as const
  const [toldAt, movesAt] = [ctx.now().toISOString(), new Date(ctx.now().getTime() + 40 * 86_400_000).toISOString()]
  insertRow(ctx, priceMoves, { ...move, id: ctx.newId(), subscriptionId: subscriptionId ?? '', toldAt, movesAt })
  const detail = { tier: 'xl', from: move.fromNet, to: move.toNet, on: movesAt }
  audit(ctx, 'system', 'price_move.told', { targetId: moved.id, detail })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the contract refuses them, and a browser types none
const typeable = Object.values(attacks).map((attack) => attack.replace(/[\u0000-\u001f]+/g, ' '))
const all = typeable.join('\n')
let place = 0
function next(most = 200): string {
  const short = typeable.filter(({ length }) => length <= most)
  return short[place++ % short.length] ?? ''
}

async function send(call: Call, path: string, body: object, method = 'POST') {
  const response = await call(path, { body, method })
  expect([path, response.status, response.ok ? '' : await response.text()]).toEqual([path, response.status, ''])
  return response.json()
}

/** Sends attacks through every route that takes text from visitors, members and owners. */
async function writeEverywhere(): Promise<void> {
  const visitor: Call = (path, options) => world.call(path, options)
  const parts = (text: string) => ({ biggestChallenge: text, goals: text, additionalInfo: text })
  await send(visitor, '/api/contact', {
    ...contactMessage,
    name: next(100),
    trade: next(100),
    message: all.slice(0, 5000),
  })
  const person = { name: next(100), businessName: next(100) }
  await send(visitor, '/api/coaching-application', { ...coachingApplication, ...person, ...parts(all.slice(0, 2000)) })
  await send(visitor, '/api/coaching-bookings', {
    ...coachingBooking,
    ...person,
    notes: all.slice(0, 2000),
  })
  const words = { currentChallenges: all.slice(0, 2000), goals: next(), whyJoin: next(), hearAboutUs: next() }
  await send(visitor, '/api/membership-application', {
    firstName: next(100),
    lastName: next(100),
    email: 'x@example.com',
    phone: '07700 900123',
    businessName: next(),
    trade: next(),
    businessStage: 'growing',
    yearsInTrade: '12',
    agreeTerms: true,
    ...words,
  })
  for (const [at, attack] of typeable.entries())
    if (at % 8 === 0)
      await send(owner, '/api/admin/videos', {
        title: attack.slice(0, 200),
        description: all.slice(0, 2000),
        category: next(60),
        videoType: 'wistia',
        videoId: `abc${String(at).padStart(7, '0')}`,
      })
  await send(owner, '/api/admin/blog', {
    title: next(),
    slug: 'attacked',
    excerpt: next(),
    author: next(100),
    isPublished: true,
    // One paragraph each, since some are unclosed and would swallow the next.
    content: `<h2>Kept</h2>${Object.values(attacks)
      .map((attack) => `<p>${attack}</p>`)
      .join('')}`,
  })
  for (const { id, email } of [member, moved]) {
    const profile = { email, phone: null, businessName: next(), trade: next(), version: 1 }
    const path = `/api/admin/members/${id}/profile`
    await send(owner, path, { ...profile, firstName: next(100), lastName: next(100) }, 'PUT')
  }
  const sale = { description: next(), totalAmount: 100, commissionAmount: 10, saleDate: '2026-06-01' }
  await send(owner, '/api/admin/manual-commissions', sale)
  const [contact] = await (await owner('/api/admin/contacts')).json()
  for (const about of [`contacts/${contact.id}`, `members/${member.id}`])
    for (const way of ['notes', 'reply'])
      await send(owner, `/api/admin/inbox/${about}/${way}`, { text: all.slice(0, 5000) })
  const [lite, , xl] = await (await owner('/api/admin/tiers')).json()
  const features = typeable.filter((attack) => attack.length <= 200 && !attack.includes('**')).slice(0, 12)
  const tier = { description: next(120), features, visibility: 'open', version: lite.version }
  // Attacks that differ in their capitals would be one name.
  for (const { slug } of [lite, xl])
    await send(owner, `/api/admin/tiers/${slug}`, { ...tier, name: `${slug} ${next(50)}` }, 'PATCH')
  await send(owner, '/api/admin/tokens', { name: next(60), scopes: ['read'], days: 7 })
  await send(world.signIn(office), `/api/admin/impersonate/${member.id}`, { reason: typeable.join(' ').slice(0, 300) })
}

/** Fills every table, then puts attacks into the columns that other routes fill: orders, calls, reports, documents. */
function writeRows(): void {
  fillDatabase(world, 1)
  const text = `${attacks['a script']} ${attacks['an image that fails']}`
  const columns = {
    quotient_orders: ['firstName', 'lastName', 'phone', 'businessName', 'generalDayRate', 'additionalRequirements'],
    membership_applications: ['firstName', 'lastName', 'phone', 'businessName', 'goals'],
    coaching_applications: ['name', 'phone', 'goals'],
    contacts: ['name'],
    coaching_bookings: ['name', 'phone', 'businessName', 'trade', 'timeZone', 'notes'],
    mail_outbox: ['to', 'subject', 'lastError'],
    credit_notes: ['reason'],
    inbox_notes: ['text'],
    sessions: ['device'],
    media: ['name'],
    video_texts: ['notes', 'transcript'],
    podcast_episodes: ['title', 'summary', 'notes'],
    call_days: ['note'],
    announcements: ['title', 'text'],
    mailings: ['subject', 'text'],
    suppressed_addresses: ['reason'],
  }
  const run = (sql: string) => world.ctx.sqlite.prepare(sql).run({ text })
  // The triggers make documents immutable. Drop them, to write what a billing address could have brought in.
  const isTrigger = `type = 'trigger' and tbl_name in ('invoices', 'credit_notes')`
  const triggers = world.ctx.sqlite.prepare<[], string>(`select name from sqlite_master where ${isTrigger}`).pluck()
  for (const name of triggers.all()) world.ctx.sqlite.exec(`drop trigger "${name}"`)
  for (const [table, names] of Object.entries(columns))
    run(`update ${table} set ${names.map((name) => `"${name}" = $text`).join(', ')}`)
  world.ctx.sqlite.prepare('update coaching_bookings set notes = ?').run(all.slice(0, 2000))
  run(`update quotient_orders set status = 'paid'`)
  run(`update mail_outbox set status = 'refused'`)
  run(`update invoices set customer = json_set(customer, '$.name', $text, '$.address', $text)`)
  run(`update invoices set lines = json_set(lines, '$[0].description', $text)`)
  run(`update provider_invoices set lines = json_set(lines, '$[0].description', $text)`)
  run(`update users set firstName = $text, lastName = $text where isAdmin = 0`)
  run(`insert or replace into site_settings (name, value, version, updatedAt)
    values ('SELLER_HOSTING', $text, 1, '2026-06-12T00:00:00.000Z')`)
  run(`insert into job_leases (name, holder, expiresAt, lastReport)
    values ('clean-up', '', '2026-06-12T00:00:00.000Z', json_object('failed', $text))`)
}

type Screen = { path: string; who: TestPerson; tags: number; tagsInDialog?: number }

/**
 * `tags`: the fewest attacks the screen must show. A normal run checks the longest list and the members’ area; `FULL` checks
 * every screen.
 */
const screens = (): readonly Screen[] => [
  { path: '/admin/contacts', who: office, tags: 2, tagsInDialog: 100 },
  ...(process.env.FULL ? moreScreens() : []),
  { path: '/members', who: member, tags: 100 },
  ...(process.env.FULL ? [{ path: '/members/activity', who: member, tags: 10 }] : []),
]

const dialogs = new Map([
  ['applications', 50],
  ['coaching', 100],
  ['bookings', 50],
  ['orders', 10],
])

const moreScreens = (): readonly Screen[] => [
  { path: '/admin/videos', who: office, tags: 600 },
  { path: `/admin/members/${member.id}`, who: office, tags: 100 },
  { path: `/admin/members/${moved.id}`, who: office, tags: 8 },
  { path: `/view-member/${member.id}`, who: office, tags: 600 },
  ...allTabs
    .filter(({ name }) => !['contacts', 'videos', ...withoutTyped].includes(name))
    .map(({ name }): Screen => ({ path: `/admin/${name}`, who: office, tags: 2, tagsInDialog: dialogs.get(name) })),
  { path: '/dashboard', who: office, tags: 7, tagsInDialog: 100 },
  { path: '/dashboard?tab=membership', who: office, tags: 14, tagsInDialog: 50 },
  { path: '/dashboard?tab=contacts', who: office, tags: 100, tagsInDialog: 100 },
  { path: '/dashboard?tab=bookings', who: office, tags: 17, tagsInDialog: 50 },
  { path: '/dashboard?tab=blog', who: office, tags: 2 },
]

/** These show no text that anyone types. */
const withoutTyped = [
  'analytics',
  'addresses',
  'watching',
  'rates',
  'words',
  'follow-ups',
  'earned',
  'payouts',
  'move-in',
]

/** Leaves out the forecast above every admin place: it names the tiers, which are attacks too. */
function tagsOfScreen(): number {
  const main = document.querySelector('main')?.cloneNode(true)
  if (!(main instanceof HTMLElement)) return 0
  for (const heads of main.querySelectorAll('.board__heads')) heads.remove()
  const typed = [...main.querySelectorAll('input')].map(({ value }) => value)
  return countOfTags([main.textContent, ...typed].join(' '))
}

test('BLOG-5 nothing that anybody types runs or becomes an element on an owner’s or a member’s screen', async () => {
  expect(typeable.length).toBeGreaterThanOrEqual(60)
  // First, so that the longest texts are the newest and top the lists.
  if (process.env.FULL) writeRows()
  await writeEverywhere()
  for (const { path, who, tags, tagsInDialog } of screens()) {
    browser.signIn(who)
    await browser.open(path)
    await waitFor(() => expect([path, tagsOfScreen() >= tags]).toEqual([path, true]))
    // Multi-line texts only show in the row’s dialog.
    if (tagsInDialog) {
      const [open] = await screen.findAllByRole('button', { name: /^Open / })
      if (open) fireEvent.click(open)
      const dialog = await screen.findByRole('dialog')
      await waitFor(() => expect([path, countOfTags(dialog.textContent) >= tagsInDialog]).toEqual([path, true]))
    }
    expect([path, injectedInto(document.body)]).toEqual([path, []])
  }
  expect(alert).not.toHaveBeenCalled()
})

test('a new price shows whom it moves, its mail, and who is moving already, as text', async () => {
  await writeEverywhere()
  browser.signIn(office)
  await browser.open('/admin/tiers')
  const [, , xl] = await screen.findAllByRole('button', { name: /^Change price of / })
  if (xl) fireEvent.click(xl)
  fireEvent.input(screen.getByLabelText(/Pounds a month/), { target: { value: '475' } })
  fireEvent.click(screen.getByText('See what it changes'))
  const members = await screen.findByRole('table', { name: 'Members on another price' })
  expect(members.querySelectorAll('tbody tr')).toHaveLength(2)
  expect(countOfTags(members.textContent)).toBeGreaterThanOrEqual(2)
  expect(countOfTags(document.querySelector('.price__mail')?.textContent ?? '')).toBeGreaterThanOrEqual(1)
  expect(injectedInto(document.body)).toEqual([])
  expect(alert).not.toHaveBeenCalled()
})

test('a post is cleaned before anybody reads it, and mails and feeds show what was typed as text', async () => {
  await writeEverywhere()
  const page = await browser.open('/blog/attacked')
  await screen.findByRole('heading', { name: 'Kept' })
  expect(injectedInto(document.querySelector('.prose') ?? document)).toEqual([])
  await page.close()
  const mails = waitingMail(world)
  expect(mails.length).toBeGreaterThan(3)
  for (const { cause, html } of mails)
    expect([cause, injectedInto(new DOMParser().parseFromString(html, 'text/html').body)]).toEqual([cause, []])
  const feed = await (await world.call('/rss.xml')).text()
  const items = new DOMParser().parseFromString(feed, 'text/xml')
  expect(items.querySelector('script, img, [onerror]')).toBeNull()
  expect(alert).not.toHaveBeenCalled()
})
