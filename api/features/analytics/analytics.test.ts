import { beforeEach, expect, test } from 'vitest'
import { behindProxy } from '#api/testing/passwords.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

let world: World
beforeEach(() => {
  world = startWorld({ env: behindProxy })
})

const send = (body: object, headers: Record<string, string> = {}) =>
  world.call('/api/analytics/events', { body, headers: { 'x-forwarded-for': '10.0.0.1', ...headers } })
const rows = () =>
  world.ctx.sqlite
    .prepare<[], Record<string, unknown>>('select name, path, value, currency, detail, at from analytics_events')
    .all()
const row = { value: null, currency: 'GBP', detail: null, path: '/', at: '2026-06-12T07:40:00.000Z' }

test('NAV-16 ANLT-02 ANLT-03 ANLT-04 ANLT-05 each event is one row with its details, and the response is empty', async () => {
  const sent = [
    [
      { name: 'page_view', path: '/blog' },
      { ...row, name: 'page_view', path: '/blog' },
    ],
    [
      { name: 'login', path: '/login' },
      { ...row, name: 'login', path: '/login' },
    ],
    [
      { name: 'purchase', path: '/membership-success', value: 300 },
      { ...row, name: 'purchase', path: '/membership-success', value: '300.00' },
    ],
    [
      { name: 'purchase', path: '/', value: 19.99, currency: 'EUR' },
      { ...row, name: 'purchase', value: '19.99', currency: 'EUR' },
    ],
    [
      { name: 'form_submit', path: '/', applicationType: 'coaching' },
      { ...row, name: 'form_submit', detail: 'coaching' },
    ],
    [
      { name: 'video_complete', path: '/members', videoName: 'What your hour costs' },
      { ...row, name: 'video_complete', path: '/members', detail: 'What your hour costs' },
    ],
  ] as const
  for (const [event] of sent) {
    const response = await send(event)
    expect([event.name, response.status, await response.text()]).toEqual([event.name, 204, ''])
  }
  expect(rows()).toEqual(sent.map(([, stored]) => stored))
})

test('ANLT-05 no person, no cookie, no address, no query: nothing in the row identifies anybody', async () => {
  const member = world.addMember()
  const path = `/view-member/${member.id}?token=secret&email=${member.email}#${member.id}`
  const response = await world.signIn(member)('/api/analytics/events', {
    body: { name: 'page_view', path, userId: member.id, email: member.email },
    headers: { 'x-forwarded-for': '203.0.113.77' },
  })
  expect([response.status, response.headers.get('set-cookie')]).toEqual([204, null])
  const stored = world.ctx.sqlite.prepare<[], object>('select * from analytics_events').all()
  expect(stored).toEqual([{ ...row, name: 'page_view', path: '/view-member/:id', id: expect.any(String) }])
  const hits = JSON.stringify(world.ctx.sqlite.prepare('select * from limit_hits').all())
  expect(JSON.stringify(stored) + hits).not.toMatch(/secret|203\.0\.113\.77|@/)
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
    [{ name: 'purchase', path: '/' }, 'value'],
    [{ name: 'purchase', path: '/', value: -1 }, 'value'],
    [{ name: 'purchase', path: '/', value: 1.005 }, 'value'],
    [{ name: 'purchase', path: '/', value: 10_000.01 }, 'value'],
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
  expect((await send([{ name: 'login', path: '/' }])).status).toBe(422)
  expect([rows(), world.ctx.sqlite.prepare('select count(*) from limit_hits').pluck().get()]).toEqual([[], 0])
  expect((await send({ name: 'page_view', path: `/${'a'.repeat(199)}?${'b'.repeat(500)}` })).status).toBe(204)
})

test('600 an hour from one address, then 429 and no row; another address and the next hour are not affected', async () => {
  const view = { name: 'page_view', path: '/' }
  for (let count = 0; count < 600; count += 1) expect((await send(view)).status).toBe(204)
  const response = await send(view)
  expect([response.status, response.headers.get('retry-after'), rows().length]).toEqual([429, '3600', 600])
  expect((await send(view, { 'x-forwarded-for': '10.0.0.2' })).status).toBe(204)
  world.forward(3_600_000)
  expect((await send(view)).status).toBe(204)
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
  for (const path of ['/', '/admin', '/admin/analytics']) await send({ name: 'page_view', path })
  const owner = world.signIn(world.addOwner())
  const counts: object[] = await (await owner('/api/admin/analytics/counts')).json()
  expect(counts).toHaveLength(5)
  expect(counts).toContainEqual({ name: 'login', hours24: 1, days7: 2, days30: 2, tests: 1 })
  expect(counts).toContainEqual({ name: 'page_view', hours24: 1, days7: 1, days30: 1, tests: 0 })
  expect(counts).toContainEqual({ name: 'purchase', hours24: 0, days7: 0, days30: 0, tests: 0 })
})
