import * as v from 'valibot'
import { expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { callDays } from '#api/db/schema/calendar.ts'
import { commissionRates } from '#api/db/schema/commission.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { fieldsOfCalls } from '#api/testing/contract-fields.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

/** The dates a field accepts, and some it must reject: one day beyond, and the limits of the calendar. */
const dates = [
  { first: '1900-01-01', last: '2999-12-31', edges: ['0001-01-01', '1899-12-31', '3000-01-01', '9999-12-31'] },
  { first: '1900-01', last: '2999-12', edges: ['0000-01', '0001-01', '9999-12'] },
  { first: '1900-Q1', last: '2999-Q4', edges: ['0000-Q1', '0001-Q1', '9999-Q4'] },
  {
    first: '1900-01-01T00:00:00.000Z',
    last: '2999-12-31T23:59:59.999Z',
    edges: ['0000-01-01T00:00:00.000Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
  },
]

/** What a phone's clock says, however wrong it goes. It's never later than now, and nothing is calculated with it if it's old. */
const clocks = ['/api/members/questions at', '/api/members/questions/:id/messages at']

/** A field that accepts one of these is a password, phone number or text, not a date. */
const others = ['words', 'tape-and-level-42', '07700 900123', '123456']

const datesAsked = (world: World) =>
  fieldsOfCalls(world)
    .map((asked) => ({ ...asked, ...datesOf(asked.field) }))
    .filter(({ edges }) => edges.length > 0)

function datesOf(field: v.GenericSchema) {
  const found = dates.find(({ last }) => v.is(field, last))
  const isDate = found !== undefined && !others.some((other) => v.is(field, other))
  return isDate ? found : { first: '', last: '', edges: [] }
}

test('no field of any call that takes dates takes one at the edge of time', () => {
  const asked = datesAsked(startWorld())
  const open = asked.flatMap(({ method, path, name, field, edges }) =>
    clocks.includes(`${path} ${name}`)
      ? []
      : edges.filter((edge) => v.is(field, edge)).map((edge) => `${method} ${path} ${name} ${edge}`),
  )
  expect(open).toEqual([])
  expect(asked.length).toBeGreaterThan(30)
})

test('a day, a month, a quarter or a time at the edge of time is 422 at its field', { tags: ['full'] }, async () => {
  const world = startWorld()
  openCalendar(world)
  const member = world.addMember({ tier: 'xl' })
  const [owner, own] = [world.signIn(world.addOwner()), world.signIn(member)]
  const body = { kind: 'coaching', coach: 'coach-1', startsAt: '9999-12-31T23:59:59.999Z' }
  expect(await readError(await own('/api/calendar/calls', { body }))).toMatchObject({
    status: 422,
    fields: { startsAt: 'Give a year from 1900 to 2999.' },
  })
  const asked: [path: string, field: string, sent?: object][] = [
    ['/api/admin/calendar/calls?to=9999-12-31', 'to'],
    ['/api/admin/audit?to=9999-12-31', 'to'],
    ['/api/admin/vat/9999-Q4', 'quarter'],
    ['/api/admin/vat/0001-Q1', 'quarter'],
    ['/api/admin/payments?month=9999-12', 'month'],
    ['/api/admin/payments?month=0000-01', 'month'],
    ['/api/admin/calendar/monthly?month=9999-12', 'month'],
    ['/api/admin/calendar/monthly?month=0000-01', 'month'],
    [`/api/admin/calendar/monthly/${member.id}/ask`, 'month', { body: { month: '0000-01' } }],
    [`/api/admin/calendar/monthly/${member.id}/ask`, 'month', { body: { month: '9999-12' } }],
    ['/api/admin/mailing-audience/count?purpose=news&joined=9999-12', 'joined'],
    ['/api/admin/mailing-audience?purpose=news&joined=0000-01', 'joined'],
    [
      `/api/admin/members/${member.id}/free-access`,
      'until',
      { method: 'PUT', body: { until: '9999-12-31', version: 1 } },
    ],
  ]
  for (const [path, field, sent] of asked) {
    const { status, fields } = await readError(await owner(path, sent))
    expect([path, status, fields]).toEqual([path, 422, { [field]: 'Give a year from 1900 to 2999.' }])
  }
})

test('the first and the last year are answered by every list like any other', { tags: ['full'] }, async () => {
  const world = startWorld()
  openCalendar(world)
  const member = world.addMember({ tier: 'xl' })
  const owner = world.signIn(world.addOwner())
  const params: Record<string, string> = { ':kind': 'coaching', ':memberId': member.id, ':id': member.id }
  const asked = datesAsked(world)
    .filter(({ method, part }) => method === 'GET' && part !== 'body')
    .flatMap(({ path, part, name, last, first }) =>
      [first, last].map((date) => {
        const known = part === 'params' ? path.replace(`:${name}`, date) : path
        const address = known.replace(/:\w+/g, (param) => params[param] ?? param)
        return part === 'params' ? address : `${address}?${name}=${date}&purpose=news&format=xero`
      }),
    )
  expect(asked.length).toBeGreaterThan(30)
  for (const path of asked) {
    const { status } = await owner(path)
    expect([path, status < 500]).toEqual([path, true])
  }
  const free = `/api/admin/members/${member.id}/free-access`
  const given = await owner(free, { method: 'PUT', body: { until: '2999-12-31', version: 1 } })
  expect(given.status).toBe(200)
})

test('what was stored before the years had an end is still shown', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const [far, createdAt] = ['9998-12-31', world.ctx.now().toISOString()]
  const off = { id: world.ctx.newId(), coach: null, firstDay: '2026-06-12', lastDay: far, windows: [], createdAt }
  insertRow(world.ctx, callDays, off)
  insertRow(world.ctx, commissionRates, { tierSlug: 'xl', rate: 20, validFrom: far })
  const { id } = world.addUser({ accessOverride: 'granted', accessUntil: '9999-01-01T00:00:00.000Z' })
  const setup = await owner('/api/admin/calendar')
  expect([setup.status, (await setup.json()).days]).toMatchObject([200, [{ lastDay: far }]])
  const rates = await owner('/api/admin/commission-rates')
  expect([rates.status, await rates.json()]).toEqual([
    200,
    expect.arrayContaining([expect.objectContaining({ validFrom: far })]),
  ])
  const record = await owner(`/api/admin/members/${id}/record`)
  expect([record.status, (await record.json()).freeAccess]).toEqual([200, { until: far }])
})
