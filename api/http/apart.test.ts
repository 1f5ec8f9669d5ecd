import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { lookAgain } from '#api/db/integrity.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import { rowsOf } from '#api/testing/routes.ts'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import { totalHeader } from '#shared/contract/listing.ts'
import type { AdminMember } from '#shared/contract/members.ts'
import type { Today } from '#shared/contract/today.ts'
import { idleSeconds, stopReadingApart } from './apart.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-apart-'))
afterAll(() => rmSync(folder, { recursive: true }))

let worlds = 0

/** A site with so many accounts, in a file: a thread can't read another's memory. `statements` are those of the server's connection. */
function siteOf(accounts: number) {
  worlds += 1
  const statements: string[] = []
  const file = join(folder, `${worlds}.sqlite`)
  const world = startWorld({ file, onStatement: (text) => statements.push(text) })
  world.ctx.sqlite.pragma('synchronous = OFF')
  world.ctx.sqlite.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${accounts})
    insert into users (id, email, firstName, createdAt, updatedAt)
    select printf('01900000-0000-7000-8000-%012d', i), 'm' || i || '@example.com', 'Number ' || i,
      '2026-01-01T09:00:00.000Z', '2026-01-01T09:00:00.000Z' from n`)
  return { world, statements, asOwner: world.signIn(world.addOwner()) }
}

/** Reading the members' list, or that of what they said they'd do, by either connection. */
const isList = (text: string) => /videosCompleted|json_array|from "commitments" inner join/.test(text)

const addresses = [
  '/api/admin/members?limit=20&q=number+30',
  '/api/admin/members?show=owners',
  '/api/admin/members?sort=name&limit=5',
  '/api/admin/members/counts',
  '/api/admin/members-at-risk',
  '/api/admin/payments',
  '/api/admin/invoice-lint',
  '/api/admin/credits',
  '/api/admin/vat/2026-Q2',
  '/api/admin/invoices',
  '/api/admin/exports/invoices.csv',
  '/api/admin/exports/accounts.csv?format=xero&from=2026-04-01&to=2026-06-30',
  '/api/admin/mrr',
  '/api/admin/revenue-movements/2026-05',
  '/api/admin/revenue-months',
  '/api/admin/member-payments',
  '/api/admin/inactive-members',
  '/api/admin/commission-history',
  '/api/admin/commission-statements/2026-05',
  '/api/admin/commission-statements/2026-05?format=csv',
  '/api/admin/mail',
  '/api/admin/mailing-audience?purpose=news',
  '/api/admin/mailing-audience/count?purpose=news',
  '/api/admin/audit',
  '/api/admin/today',
  '/api/admin/calendar/monthly',
  '/api/admin/membership-applications',
  '/api/admin/coaching-applications',
  '/api/admin/contacts',
  '/api/admin/coaching-bookings',
  '/api/admin/coaching-bookings/upcoming',
  '/api/admin/questions?filter=waiting',
  '/api/admin/commitments?due=week',
  '/api/admin/quotient-orders',
  '/api/admin/analytics/counts',
  '/api/admin/follow-ups',
  '/api/admin/tiers',
  '/api/admin/tiers/lite/uses',
  '/api/admin/watching',
  '/api/admin/watching/retention',
  '/api/admin/watching/lessons',
  '/api/admin/earned?by=quarter',
  '/api/admin/members?cursor=nonsense',
  '/api/admin/members?tier=nonsense',
  '/api/admin/members?sort=password',
]

/** Owners' reads that don't grow with the members, or are read by an index to their page's end. `mrr-diff` is read in pieces. */
const readHere = `sessions unfinished content content-texts tier-sentences tier-mentions content-drafts mail-words blog podcast videos
  videos/hosted videos/categories media media/room media/uploads calendar calendar/calls calendar/mornings calendar/feeds saved-replies
  imports invitations announcements mailings mrr-diff events event-gaps subscription-links document-numbers lost-orders
  revenue-months/clock manual-commissions commission-rates payouts settings setup site-copy jobs mail-resend mail-stop
  suppressed-addresses owners dashboard sandbox/chaos`

test('each list and report of owners says who reads it on a large site', () => {
  const rows = rowsOf(startWorld().wholeApp())
  const ofWholeTables = rows.filter(
    ({ method, path, role }) => method === 'GET' && role === 'owner' && !/:|\/exports\/|\/docs/.test(path),
  )
  const here = ofWholeTables.filter(({ apart }) => apart === null).map(({ path }) => path.replace('/api/admin/', ''))
  expect(here.toSorted()).toEqual(readHere.split(/\s+/).toSorted())
})

/** An answer without its own name. */
async function answerOf(response: Response) {
  const { 'x-request-id': id = '', date: _, ...headers } = Object.fromEntries(response.headers)
  const body = (await response.text()).replaceAll(id, 'ID')
  return { status: response.status, headers, body }
}

/** A file of everyone's data asks for the password first. */
async function withTicket(asOwner: Call, address: string): Promise<string> {
  const file = /exports\/([\w.]+)/.exec(address)?.[1]
  if (file === undefined) return address
  const { ticket }: { ticket: string } = await (await asOwner('/api/admin/exports/files', { body: { file } })).json()
  return `${address}${address.includes('?') ? '&' : '?'}ticket=${ticket}`
}

test('a large site’s owners get from the thread what they’d get without it', async () => {
  const { world, asOwner, statements } = siteOf(501)
  fillDatabase(world, 3)
  const alone = startWorld({ file: world.ctx.sqlite.name, localActor: 'someone' })
  statements.length = 0
  for (const address of [...addresses, `/api/admin/videos/${world.addVideos()[0]?.id}/viewers`]) {
    const apart = await answerOf(await asOwner(await withTicket(asOwner, address)))
    const here = await answerOf(await alone.call(address))
    expect([address, apart]).toEqual([address, here])
  }
  const logged = world.logged.filter((line) => !line.includes('slow query'))
  expect([logged, statements.filter(isList)]).toEqual([[], []])
  await stopReadingApart(world.ctx)
}, 60_000)

test('a small site has no thread, unless what it has done is long', async () => {
  const { world, asOwner, statements } = siteOf(480)
  expect((await asOwner('/api/admin/members')).status).toBe(200)
  expect(statements.some(isList)).toBe(true)
  world.ctx.sqlite.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i <= 20000)
    insert into audit_entries (id, actor, action, detail, at)
    select printf('01900000-0000-7000-8000-%012d', i), 'system', 'member.sync', '{}', '2026-01-01T09:00:00.000Z' from n`)
  statements.length = 0
  expect((await asOwner('/api/admin/members')).status).toBe(200)
  expect(statements.filter(isList)).toEqual([])
  await stopReadingApart(world.ctx)
})

test('a list waits for no report, and what still waits at a stop is read here', async () => {
  const { world, asOwner, statements } = siteOf(501)
  const reports = Array.from({ length: 30 }, () => asOwner('/api/admin/members-at-risk'))
  for (const path of ['members?limit=1', 'tiers']) expect((await asOwner(`/api/admin/${path}`)).status).toBe(200)
  statements.length = 0
  await stopReadingApart(world.ctx)
  const answers = await Promise.all(reports)
  expect(answers.map(({ status }) => status)).toEqual(reports.map(() => 200))
  // The lists were there before the last of them: some were still to be read.
  expect(statements).not.toEqual([])
})

test('what an owner has just changed is in what they read next', async () => {
  const { world, asOwner } = siteOf(501)
  for (let round = 0; round < (process.env.FULL ? 500 : 40); round += 1) {
    const body = { email: `new-${round}@example.com`, firstName: `Fresh${round}x` }
    expect((await asOwner('/api/admin/members', { body })).status).toBe(200)
    const rows: AdminMember[] = await (await asOwner(`/api/admin/members?q=fresh${round}x`)).json()
    expect(rows.map(({ email }) => email)).toEqual([body.email])
  }
  await stopReadingApart(world.ctx)
}, 60_000)

test('whom the guard turns away reads nothing, and who goes before their turn isn’t read for', async () => {
  const { world, asOwner } = siteOf(501)
  const asMember = world.signIn(world.addMember())
  const refused = [await world.call('/api/admin/members'), await asMember('/api/admin/members')]
  expect(refused.map(({ status }) => status)).toEqual([401, 403])
  const leaving = new AbortController()
  const request = (q: string, signal?: AbortSignal) =>
    new Request(`http://localhost/api/admin/members?q=${q}`, {
      headers: { cookie: asOwner.cookie },
      ...(signal && { signal }),
    })
  const first = world.handle(request('number'))
  const left = world.handle(request('left', leaving.signal))
  const last = world.handle(request('number+501'))
  await new Promise(setImmediate)
  leaving.abort()
  const answers = await Promise.all([first, left, last])
  expect(answers.map(({ status, headers }) => [status, headers.get(totalHeader)])).toEqual([
    [200, '501'],
    [503, null],
    [200, '1'],
  ])
  await stopReadingApart(world.ctx)
}, 60_000)

test('where very many reads wait, the next is asked to try later', { tags: ['full'], timeout: 60_000 }, async () => {
  const { world, asOwner } = siteOf(501)
  const answers = await Promise.all(Array.from({ length: 60 }, () => asOwner('/api/admin/members?q=number&limit=1')))
  const statuses = answers.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50)
  await stopReadingApart(world.ctx)
})

test('a question may wait for longer than a connection may be idle', async () => {
  const { world, asOwner } = siteOf(501)
  const app = world.wholeApp()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) })
  const idle: number[] = []
  const timeout = (request: Request, seconds: number) => {
    idle.push(seconds)
    server.timeout(request, seconds)
  }
  app.server = { ...server, requestIP: (request: Request) => server.requestIP(request), timeout } as typeof app.server
  const response = await fetch(`${server.url}api/admin/members?limit=1`, { headers: { cookie: asOwner.cookie } })
  expect([response.status, idle]).toEqual([200, [0, idleSeconds]])
  await server.stop(true)
  await stopReadingApart(world.ctx)
})

test('a file streams from the thread, and one that’s left half-way ends there', {
  tags: ['full'],
  timeout: 60_000,
}, async () => {
  const { world, asOwner } = siteOf(501)
  fillDatabase(world, 150)
  const address = await withTicket(asOwner, '/api/admin/exports/invoices.csv')
  const whole = await (await asOwner(address)).text()
  expect(whole.split('\r\n').length).toBeGreaterThan(150)
  const reader = (await asOwner(address)).body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(await (await asOwner(address)).text()).toBe(whole)
  await stopReadingApart(world.ctx)
})

test('nobody waits for ever for a file that was left before it began, and the thread’s end at a stop is no failure', async () => {
  const { world, asOwner } = siteOf(501)
  const address = await withTicket(asOwner, '/api/admin/exports/invoices.csv')
  const leaving = new AbortController()
  const { signal } = leaving
  const left = world.handle(new Request(`http://localhost${address}`, { headers: { cookie: asOwner.cookie }, signal }))
  await new Promise(setImmediate)
  leaving.abort()
  expect((await asOwner('/api/admin/members/counts')).status).toBe(200)
  const state = await Promise.race([left.then(({ status }) => status), new Promise(setImmediate).then(() => 'waits')])
  await stopReadingApart(world.ctx)
  expect([state, world.logged.filter((line) => line.includes('reading apart'))]).toEqual([503, []])
})

test('a file that’s still on its way when the thread ends breaks off', async () => {
  const { world, asOwner } = siteOf(501)
  const response = await asOwner(await withTicket(asOwner, '/api/admin/exports/invoices.csv'))
  await stopReadingApart(world.ctx)
  await expect(response.text()).rejects.toThrow('The file broke off.')
})

test('Today names the damage that the server’s own connection knows of', async () => {
  const { world, asOwner } = siteOf(501)
  expect((await asOwner('/api/admin/today')).status).toBe(200)
  const file = world.ctx.sqlite.name
  renameSync(file, `${file}.away`)
  lookAgain(world.ctx)
  const { findings }: Today = await (await asOwner('/api/admin/today')).json()
  renameSync(`${file}.away`, file)
  expect(findings.map(({ check }) => check)).toContain('integrity')
  await stopReadingApart(world.ctx)
})

test('without the thread, the server reads', async () => {
  const { world, asOwner, statements } = siteOf(501)
  const file = world.ctx.sqlite.name
  // A new connection finds no file there; the server's own has it open.
  renameSync(file, `${file}.away`)
  statements.length = 0
  const away = await asOwner('/api/admin/members?q=number+501')
  renameSync(`${file}.away`, file)
  expect([away.status, away.headers.get(totalHeader), statements.some(isList)]).toEqual([200, '1', true])
  expect(world.logged.join()).toContain('reading apart failed')
  statements.length = 0
  const back = await asOwner('/api/admin/members?q=number+501')
  expect([back.status, back.headers.get(totalHeader), statements.some(isList)]).toEqual([200, '1', false])
  await stopReadingApart(world.ctx)
})

/** What's inside, with the documents' names alone: a cover sheet says when it was drawn. */
async function filesIn(response: Response) {
  expect(response.status).toBe(200)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, name.endsWith('.pdf') ? '' : strFromU8(bytes)]),
  )
}

async function everything(asOwner: Call): Promise<string> {
  const { ticket }: { ticket: string } = await (await asOwner('/api/admin/exports/all', { method: 'POST' })).json()
  return `/api/admin/exports/all.zip?ticket=${ticket}`
}

test('the accountant’s ZIP and everything come from a thread of their own, as they’d come without it', async () => {
  const { world, asOwner, statements } = siteOf(501)
  fillDatabase(world, 3)
  const alone = startWorld({ file: world.ctx.sqlite.name, localActor: 'someone' })
  const period = world.ctx.now().toISOString().slice(0, 7)
  const accounts = await withTicket(asOwner, `/api/admin/exports/accountant.zip?period=${period}`)
  for (const address of [accounts, await everything(asOwner)]) {
    statements.length = 0
    const apart = await filesIn(await asOwner(address))
    const read = statements.filter((text) => /from "(invoices|media)"/.test(text))
    expect([apart, read]).toEqual([await filesIn(await alone.call(address)), []])
  }
  expect(world.logged.join()).not.toContain('reading apart failed')
  await stopReadingApart(world.ctx)
}, 60_000)

test('a fourth large file is told to come again, and has a place once another has gone', {
  tags: ['full'],
  timeout: 60_000,
}, async () => {
  const { world, asOwner } = siteOf(501)
  world.ctx.sqlite.exec(`update users set businessName = hex(randomblob(200))`)
  const address = await everything(asOwner)
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => asOwner(address)))
  const refused = await asOwner(address)
  expect([first, ...others, refused].map((one) => one?.status)).toEqual([200, 200, 200, 503])
  expect((await readError(refused)).message).toContain('Try again when one of them has finished.')
  await first?.body?.cancel()
  const next = await asOwner(address)
  expect(next.status).toBe(200)
  await Promise.all([next, ...others].map((one) => one.body?.cancel()))
  await stopReadingApart(world.ctx)
})

test('everything comes from the thread’s own copy, which goes with a download that’s left half-way', async () => {
  const { world, asOwner } = siteOf(501)
  world.ctx.sqlite.exec(`update users set businessName = hex(randomblob(200))`)
  const response = await asOwner(await everything(asOwner))
  const incoming = join(world.ctx.settings.dataDir, 'media/incoming')
  // The thread calls what it makes by the request.
  const made = () =>
    readdirSync(incoming).filter((name) => name.startsWith(response.headers.get('x-request-id') ?? ' '))
  expect(made()).not.toEqual([])
  await response.body?.cancel()
  while (made().length > 0) await new Promise(setImmediate)
}, 60_000)
