import { beforeEach, expect, test } from 'vitest'
import { addPost } from '#api/features/site/blog/service.ts'
import { behindProxy } from '#api/testing/passwords.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { mostKeys } from './queries.ts'

let world: World
beforeEach(() => {
  world = startWorld({ env: behindProxy })
})

const browser = { 'x-forwarded-for': '10.0.0.1', 'user-agent': 'Mozilla/5.0 (iPhone) Safari/605' }
const send = (body: object, headers: Record<string, string> = {}) =>
  world.call('/api/analytics/events', { body, headers: { ...browser, ...headers } })
const rows = () =>
  world.ctx.sqlite
    .prepare<[], unknown[]>(`select kind, "key", "count", pence from daily_counts order by rowid`)
    .raw()
    .all()
const view = (path: string, more: object = {}) => send({ name: 'page_view', path, ...more })

test('NAV-16 ANLT-02 ANLT-03 ANLT-04 ANLT-05 each event adds one to a count of the day, and the response is empty', async () => {
  world.addVideos()
  addPost(world.ctx, { slug: 'vans', title: 'Vans', content: '<p>x</p>', isPublished: true })
  const title = 'Where the business is now'
  const sent: [event: object, counted: unknown[]][] = [
    [{ name: 'page_view', path: '/blog/vans' }, ['page_view', '/blog/vans', 1, 0]],
    [{ name: 'login', path: '/login' }, ['login', '', 1, 0]],
    [{ name: 'purchase', path: '/membership-success', value: 300 }, ['purchase', 'GBP', 1, 30_000]],
    [{ name: 'purchase', path: '/', value: 19.99, currency: 'EUR' }, ['purchase', 'EUR', 1, 1_999]],
    [{ name: 'form_begun', path: '/membership-application' }, ['form_begun', 'membership', 1, 0]],
    [{ name: 'form_submit', path: '/', applicationType: 'contact' }, ['form_submit', 'contact', 1, 0]],
    [{ name: 'video_complete', path: '/members', videoName: title }, ['video_complete', title, 1, 0]],
  ]
  for (const [event] of sent) {
    const response = await send(event)
    expect([event, response.status, await response.text()]).toEqual([event, 204, ''])
  }
  expect(rows()).toEqual(sent.map(([, counted]) => counted))
  await view('/blog/vans')
  await send({ name: 'purchase', path: '/', value: 0.01 })
  expect(rows().slice(0, 3)).toEqual([
    ['page_view', '/blog/vans', 2, 0],
    ['login', '', 1, 0],
    ['purchase', 'GBP', 2, 30_001],
  ])
})

test('ANLT-05 no person, no cookie, no address, no query: nothing that is stored identifies anybody', async () => {
  const member = world.addMember()
  const path = `/members/videos/${member.id}?token=secret&email=${member.email}#${member.id}`
  const response = await world.signIn(member)('/api/analytics/events', {
    body: { name: 'page_view', path, userId: member.id, email: member.email, from: 'https://www.google.com/?q=secret' },
    headers: { ...browser, 'x-forwarded-for': '203.0.113.77' },
  })
  expect([response.status, response.headers.get('set-cookie')]).toEqual([204, null])
  expect(rows()).toEqual([
    ['page_view', '/members/videos', 1, 0],
    ['source', 'google', 1, 0],
  ])
  expect(world.ctx.sqlite.prepare('select * from limit_hits').all()).toEqual([])
})

test('a visit is counted once, by where it came from; a page of ours that led here begins none', async () => {
  const own = world.ctx.settings.publicUrl
  const from = ['', 'https://l.facebook.com/', 'facebook', 'https://blog.example/a?b=c', 'Van_Letter', `${own}/about`]
  for (const each of from) await view('/', { from: each })
  await view('/about')
  expect(rows()).toEqual([
    ['page_view', '/', 6, 0],
    ['source', 'direct', 1, 0],
    ['source', 'facebook', 2, 0],
    ['source', 'blog.example', 1, 0],
    ['source', 'van_letter', 1, 0],
    ['page_view', '/about', 1, 0],
  ])
})

test('programs, owners’ pages and browsers that ask not to be tracked are not counted', async () => {
  const leftOut: Record<string, string>[] = [
    { 'sec-gpc': '1' },
    { dnt: '1' },
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    { 'user-agent': 'Mozilla/5.0 HeadlessChrome/156.0' },
    { 'user-agent': 'python-requests/2.32' },
    { 'user-agent': '' },
  ]
  for (const headers of leftOut)
    expect((await send({ name: 'page_view', path: '/', from: '' }, headers)).status).toBe(204)
  for (const path of ['/admin', '/admin/today', '/view-member/1']) await view(path)
  expect(rows()).toEqual([])
  await send({ name: 'page_view', path: '/' }, { 'user-agent': 'Mozilla/5.0 (Android) CUBOT Chrome/150', dnt: '0' })
  expect(rows()).toEqual([['page_view', '/', 1, 0]])
})

test('ANLT-02 ANLT-03 ANLT-04 ANLT-05 an invalid event is refused at its field, and not counted', async () => {
  const wrong: [body: object, field: string][] = [
    [{ name: 'page_view' }, 'path'],
    [{ name: 'page_view', path: 'blog' }, 'path'],
    [{ name: 'page_view', path: '' }, 'path'],
    [{ name: 'page_view', path: '//evil.example' }, 'path'],
    [{ name: 'page_view', path: 'https://evil.example/' }, 'path'],
    [{ name: 'page_view', path: '/a b' }, 'path'],
    [{ name: 'page_view', path: '/a\u0000' }, 'path'],
    [{ name: 'page_view', path: `/${'a'.repeat(200)}` }, 'path'],
    [{ name: 'page_view', path: '/', from: 'a'.repeat(2001) }, 'from'],
    [{ name: 'purchase', path: '/' }, 'value'],
    [{ name: 'purchase', path: '/', value: -1 }, 'value'],
    [{ name: 'purchase', path: '/', value: 1.005 }, 'value'],
    [{ name: 'purchase', path: '/', value: 144_000.01 }, 'value'],
    [{ name: 'purchase', path: '/', value: '300' }, 'value'],
    [{ name: 'purchase', path: '/', value: 1, currency: 'pounds' }, 'currency'],
    [{ name: 'form_submit', path: '/' }, 'applicationType'],
    [{ name: 'form_submit', path: '/', applicationType: 'Sam Field, 07700 900123' }, 'applicationType'],
    [{ name: 'video_complete', path: '/', videoName: ' ' }, 'videoName'],
    [{ name: 'click', path: '/' }, 'name'],
    [{ path: '/' }, 'name'],
  ]
  for (const [body, field] of wrong) {
    const { status, fields } = await readError(await send(body))
    expect([body, status, Object.keys(fields ?? {})]).toEqual([body, 422, [field]])
  }
  expect(rows()).toEqual([])
  expect((await send({ name: 'purchase', path: '/', value: 11_964 })).status).toBe(204)
  expect((await view(`/${'a'.repeat(199)}?${'b'.repeat(500)}`)).status).toBe(204)
})

test('600 an hour from one address, then 429 and no count; another address and the next hour are not affected', async () => {
  for (let count = 0; count < 600; count += 1) expect((await view('/')).status).toBe(204)
  const response = await view('/')
  expect([response.status, response.headers.get('retry-after'), rows()]).toEqual([
    ...[429, '3600'],
    [['page_view', '/', 600, 0]],
  ])
  expect((await send({ name: 'page_view', path: '/' }, { 'x-forwarded-for': '10.0.0.2' })).status).toBe(204)
  world.forward(3_600_000)
  expect((await view('/')).status).toBe(204)
  expect(rows()).toEqual([['page_view', '/', 602, 0]])
})

test('whatever is sent, by however many, a day has so many rows of a kind and no more', {
  tags: ['full'],
}, async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  for (let at = 0; at < 2 * mostKeys; at += 1) {
    const word = `${letters[at % 26]}${letters[Math.floor(at / 26) % 26]}x`
    const junk = [
      { name: 'page_view', path: `/${word}`, from: `https://${word}.example/` },
      { name: 'page_view', path: `/blog/${word}`, from: word },
      { name: 'form_begun', path: `/${word}` },
      { name: 'form_submit', path: '/', applicationType: word },
      { name: 'video_complete', path: '/', videoName: word },
      { name: 'purchase', path: '/', value: 1, currency: word.toUpperCase() },
    ]
    for (const event of junk) await send(event, { 'x-forwarded-for': `10.1.${at % 256}.${Math.floor(at / 256)}` })
  }
  const kept = world.ctx.sqlite
    .prepare<[], [string, number]>('select kind, count(*) from daily_counts group by kind order by kind')
    .raw()
    .all()
  expect(kept).toEqual([
    ['page_view', 1],
    ['purchase', mostKeys + 1],
    ['source', mostKeys + 1],
    ['video_complete', 1],
  ])
  const counted = world.ctx.sqlite.prepare(`select sum("count") from daily_counts where kind = 'source'`).pluck().get()
  expect(counted).toBe(4 * mostKeys)
})

test('a page of another site counts nothing', async () => {
  const response = await send({ name: 'page_view', path: '/' }, { 'sec-fetch-site': 'cross-site' })
  expect([response.status, rows()]).toEqual([403, []])
})

test('ADMN-21 owners see what was counted lately; tests and their own walks through the admin stand apart', async () => {
  await send({ name: 'login', path: '/login' })
  world.forward(25 * 3_600_000)
  await send({ name: 'login', path: '/login' })
  await send({ name: 'login', path: '/admin/test' })
  for (const path of ['/', '/admin', '/admin/analytics']) await view(path)
  const owner = world.signIn(world.addOwner())
  const counts: object[] = await (await owner('/api/admin/analytics/counts')).json()
  expect(counts).toHaveLength(6)
  expect(counts).toContainEqual({ name: 'login', today: 1, days7: 2, days30: 2, tests: 1 })
  expect(counts).toContainEqual({ name: 'page_view', today: 1, days7: 1, days30: 1, tests: 0 })
  expect(counts).toContainEqual({ name: 'purchase', today: 0, days7: 0, days30: 0, tests: 0 })
})
