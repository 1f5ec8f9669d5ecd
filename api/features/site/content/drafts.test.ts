// @module-tag full
import { expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { relational } from '#api/db/tables.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { contentOf } from '#api/site/content.ts'
import { siteIn } from '#api/testing/built-site.ts'
import { withoutMarks } from '#api/testing/text-marks.ts'
import { readError, startWorld } from '#api/testing/world.ts'
import type { ContentDraftState, ContentPageState } from '#shared/contract/admin-content.ts'
import { marksIn } from '#shared/rules/text-marks.ts'

function startSite() {
  const world = startWorld()
  const site = createApp(world.ctx, { site: siteIn(world.ctx.settings.dataDir) })
  const person = world.addOwner()
  const owner = world.signIn(person)
  const state = async (response: Promise<Response>): Promise<ContentDraftState> => (await response).json()
  const at = (page: string) => `/api/admin/content/${page}`
  return {
    world,
    owner,
    person,
    at,
    read: (page: string, call = owner) => state(call(`${at(page)}/draft`)),
    save: (page: string, entries: object, version = 0, call = owner) =>
      state(call(`${at(page)}/draft`, { method: 'PUT', body: { version, entries } })),
    publish: (page: string, entries: object, version = 0, call = owner) =>
      call(`${at(page)}/publish`, { body: { version, entries } }),
    see: async (path: string, cookie?: string) => {
      const headers: Record<string, string> = cookie === undefined ? {} : { cookie }
      const response = await site.handle(new Request(new URL(path, 'http://localhost:3000'), { headers }))
      return { status: response.status, headers: response.headers, html: await response.text() }
    },
    title: () => contentOf(world.ctx).read().pages.about.title,
    heading: () => contentOf(world.ctx).read().pages.about.heading,
  }
}

test('a draft is its owner’s alone: no page, no terminal and no other owner shows it until it is published', async () => {
  const { world, read, save, publish, heading, see, owner, at } = startSite()
  const before = heading()
  const { draft, problems } = await save('about', { heading: 'Who we are now' })
  expect([draft, problems]).toMatchObject([{ version: 0, entries: { heading: 'Who we are now' } }, {}])
  expect([heading(), (await see('/about')).html.includes('Who we are now')]).toEqual([before, false])
  const changes: ContentPageState = await (await owner(at('about'))).json()
  expect(changes.overrides).toEqual([])
  expect((await read('about', world.signIn(world.addOwner()))).draft).toBeNull()
  expect((await owner('/api/admin/content-drafts')).status).toBe(200)
  expect((await publish('about', draft?.entries ?? {})).status).toBe(200)
  expect([heading(), (await read('about')).draft]).toEqual(['Who we are now', null])
  const published: ContentPageState = await (await owner(at('about'))).json()
  // The terminal lists, and an update keeps, only the changed entry.
  expect(published.overrides.map(({ entry }) => entry)).toEqual(['heading'])
})

test('what does not fit is kept, said by its entry, and not published', async () => {
  const { save, publish, read, title } = startSite()
  const before = title()
  const { problems } = await save('about', { title: '', lead: 'A <b>bold</b> claim' })
  expect(problems).toEqual({ title: 'must not be empty', lead: 'must be written without HTML' })
  const refused = await readError(await publish('about', { title: '' }))
  expect(refused).toMatchObject({ code: 'invalid', fields: { title: 'must not be empty' } })
  expect([title(), Object.keys((await read('about')).draft?.entries ?? {})]).toEqual([before, ['title', 'lead']])
})

test('a draft from before the other owner’s publication says what has changed since, and publishes nothing by mistake', async () => {
  const { world, save, read, publish, heading } = startSite()
  const other = world.signIn(world.addOwner())
  await save('about', { heading: 'Mine', lead: 'My lead' })
  expect((await publish('about', { heading: 'Theirs' }, 0, other)).status).toBe(200)
  const { changedSince, draft } = await read('about')
  expect([changedSince, draft?.entries.heading]).toEqual([['heading'], 'Mine'])
  const conflict = await publish('about', { heading: 'Mine', lead: 'My lead' }, 0)
  expect(conflict.status).toBe(409)
  const { error } = await conflict.json()
  expect(error.versions.current).toMatchObject({ page: 'about', value: { heading: 'Theirs' } })
  expect(heading()).toBe('Theirs')
  expect((await publish('about', { lead: 'My lead' }, error.versions.current.version)).status).toBe(200)
  expect(heading()).toBe('Theirs')
})

test('a draft is dropped, and one that is too long refused; both only by an owner', async () => {
  const { world, save, owner, at, read } = startSite()
  await save('about', { heading: 'Mine' })
  expect((await owner(`${at('about')}/draft`, { method: 'DELETE' })).status).toBe(200)
  expect((await read('about')).draft).toBeNull()
  const body = { version: 0, entries: { heading: 'x'.repeat(600_000) } }
  expect((await owner(`${at('about')}/draft`, { method: 'PUT', body })).status).toBeGreaterThanOrEqual(400)
  const member = world.signIn(world.addMember())
  expect((await member(`${at('about')}/draft`)).status).toBe(403)
})

test('the editor’s frame shows the draft with its places, framed by this site alone, without a script; the rest of the policy stays', async () => {
  const { save, see } = startSite()
  const { frame, link } = await save('about', { heading: 'Who we are now' })
  const [plain, framed] = [await see('/about'), await see(frame ?? '')]
  expect(plain.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const policy = (of: typeof plain) => String(of.headers.get('content-security-policy')).split('; ')
  const own = policy(framed).filter((rule) => !policy(plain).includes(rule) && !rule.startsWith('style-src'))
  expect(own).toEqual(["frame-ancestors 'self'"])
  expect([plain, framed].map(({ headers }) => headers.get('x-frame-options'))).toEqual(['DENY', 'SAMEORIGIN'])
  expect([framed.headers.get('cache-control'), framed.headers.get('referrer-policy')]).toEqual([
    'no-store',
    'no-referrer',
  ])
  expect(framed.html).not.toMatch(/<script/)
  expect(framed.html).toContain('<meta name="robots" content="noindex">')
  expect(marksIn(framed.html)).toEqual(
    expect.arrayContaining(['about:heading', 'about:approach.steps.0.title', 'site:navigation.0.label']),
  )
  expect(withoutMarks(framed.html)).toContain('>Who we are now</h1>')
  // A shared preview is the real page: scripts, no framing, no marks.
  const shared = await see(new URL(link?.url ?? '').pathname + new URL(link?.url ?? '').search)
  expect(shared.html).toMatch(/>Who we are now<\/h1>[\s\S]*<script/)
  expect([marksIn(shared.html), shared.headers.get('x-frame-options')]).toEqual([[], 'DENY'])
})

test('an address that was changed, or is too old, shows the page as it is', async () => {
  const { world, save, see } = startSite()
  const { frame, link } = await save('about', { heading: 'Who we are now' })
  const address = new URL(link?.url ?? '')
  const shows = async (path: string) => (await see(path)).html.includes('Who we are now')
  expect(await shows(address.pathname + address.search)).toBe(true)
  const [body = '', signature = ''] = (address.searchParams.get('preview') ?? '').split('.')
  const forged = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), isFramed: true }),
  )
  for (const token of [`${body}.x`, `x.${signature}`, '', `${forged.toString('base64url')}.${signature}`])
    expect([token, await shows(`/about?preview=${token}`)]).toEqual([token, false])
  world.forward(25 * 3_600_000)
  expect(await shows(frame ?? '')).toBe(false)
  expect(await shows(address.pathname + address.search)).toBe(true)
  world.forward(7 * 24 * 3_600_000)
  expect(await shows(address.pathname + address.search)).toBe(false)
})

test('the marks change nothing but themselves on any page, and a draft of the brand has its colours', async () => {
  const { save, see, read } = startSite()
  for (const page of Object.keys(contentOf(startSite().world.ctx).files()).filter((name) => name !== 'site')) {
    const { frame } = await read(page)
    const path = new URL(frame ?? '', 'http://localhost').pathname
    const [plain, framed] = [await see(path), await see(frame ?? '')]
    const bodyOf = (html: string) =>
      html
        .replace(/<script\b[\s\S]*?<\/script>/g, '')
        .replace(/^[\s\S]*<div id="root"/, '')
        // Links in the iframe lead nowhere.
        .replace(/subject=[^"]*/g, '')
    expect([page, withoutMarks(bodyOf(framed.html)) === bodyOf(plain.html)]).toEqual([page, true])
  }
  const { frame } = await save('site', { 'brand.colours.accent': '#7ee0c3', 'brand.name': 'Bench & Sons' })
  const framed = await see(frame ?? '')
  const style = /<style>([\s\S]*?)<\/style>/.exec(framed.html)?.[1] ?? ''
  const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64')
  expect([style.includes('#7ee0c3'), framed.headers.get('content-security-policy')?.includes(hash)]).toEqual([
    true,
    true,
  ])
  expect(withoutMarks(framed.html)).toContain('Bench &amp; Sons')
})

test('members are told of a changed legal page by a mailing, once for each version, and only where there is a change', async () => {
  const { world, owner, publish, at } = startSite()
  const member = world.addMember()
  world.addMember({ subscription: { status: 'canceled' } })
  const tell = (body: object) => owner(`${at('terms')}/tell`, { body })
  expect((await tell({ note: '' })).status).toBe(409)
  expect((await publish('terms', { lead: 'Plainer than before.' })).status).toBe(200)
  expect(await (await tell({ note: '', isTrial: true })).json()).toEqual({ members: 1, mailingId: null })
  const mails = () => relational(world.ctx.db).query.mailOutbox.findMany().sync()
  expect(mails()).toEqual([])
  const told = []
  for (const note of ['We say it in plainer words.', 'Sent again.']) told.push(await (await tell({ note })).json())
  expect(told).toEqual([told[1], { members: 1, mailingId: expect.any(String) }])
  await runJob(world.ctx, 'mailings')
  expect(mails()).toMatchObject([{ to: member.email, text: expect.stringMatching(/plainer words.*\/terms\)/s) }])
  // Another version is another mailing, with the same rate, and stopped the same way.
  for (let count = 0; count < 80; count += 1) world.addMember()
  expect((await publish('terms', { lead: 'Plainest.' }, 1)).status).toBe(200)
  const { members, mailingId } = await (await tell({ note: '' })).json()
  await runJob(world.ctx, 'mailings')
  expect([members, mails().length]).toEqual([81, 1 + 60])
  await owner(`/api/admin/mailings/${mailingId}/stop`, { method: 'POST' })
  world.forward(61_000)
  await runJob(world.ctx, 'mailings')
  expect(mails()).toHaveLength(1)
  expect((await owner('/api/admin/content/about/tell', { body: { note: '' } })).status).toBe(422)
})

test('owners’ words go around what a mail of the program says, and their draft is seen and tried first', async () => {
  const { world, owner, person, save, publish } = startSite()
  const { frame, problems } = await save('mails', { 'welcome.opening': 'Good to have you, {brand.shortName}.' })
  expect([frame, problems]).toEqual([null, {}])
  const shown = await owner('/api/admin/mail-words/welcome')
  expect(await shown.text()).toContain('Good to have you, Alliance.')
  expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'self'/)
  expect(await (await owner('/api/admin/mail-words/welcome/test', { method: 'POST' })).json()).toEqual({
    to: person.email,
  })
  const envelope = { to: 'sam@example.com', userId: null }
  const message = { subject: 'Ours', heading: 'Hello', blocks: [{ kind: 'text', text: 'The sum.' } as const] }
  const queued = (cause: string) => {
    queueMessage(world.ctx, { ...envelope, cause }, message)
    return relational(world.ctx.db)
      .query.mailOutbox.findMany()
      .sync()
      .find((mail) => mail.cause === cause)
  }
  expect(queued('welcome:1')?.text).not.toContain('Good to have you')
  const words = { subject: 'Welcome aboard', opening: 'Good to have you.', closing: 'See you on Monday.' }
  expect((await publish('mails', { welcome: words, receipt: { ...words, subject: '' } })).status).toBe(200)
  expect(queued('welcome:2')).toMatchObject({
    subject: 'Welcome aboard',
    text: expect.stringMatching(/Good to have you\.\s+The sum\.\s+See you on Monday\./),
  })
  expect([queued('receipt:2')?.subject, queued('quotient-order:2:owner:x')?.subject]).toEqual(['Ours', 'Ours'])
})
