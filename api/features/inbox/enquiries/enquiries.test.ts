import { beforeEach, describe, expect, test } from 'vitest'
import { coachingApplication, contactMessage, enquiryForms, rowsOf } from '#api/testing/enquiries.ts'
import { countRows } from '#api/testing/joining.ts'
import { behindProxy } from '#api/testing/passwords.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

const day = 86_400_000
const receivedAt = '2026-06-12T07:40:00.000Z'

let world: World
beforeEach(() => {
  world = startWorld({ env: behindProxy })
})

const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  world.call(path, { body, headers: { 'x-forwarded-for': '10.0.0.1', ...headers } })

async function refusedAt(path: string, body: object) {
  const { status, fields } = await readError(await send(path, body))
  return [status, Object.keys(fields ?? {})]
}

describe('what is stored', () => {
  test('API-02 DATA-03 CAPP-05 a coaching application, whole, pending; what the server fills in cannot be sent', async () => {
    const more = { id: 'mine', status: 'approved', createdAt: 'never', isSpam: true }
    const response = await send('/api/coaching-application', {
      ...coachingApplication,
      ...more,
      name: ' Sam Field ',
      email: ' Sam@Example.com ',
    })
    const { id, ...rest } = await response.json()
    expect([response.status, rest]).toEqual([200, { success: true, status: 'pending', receivedAt }])
    expect(rowsOf(world, 'coaching_applications')).toEqual([
      { ...coachingApplication, id, status: 'pending', isSpam: 0, createdAt: receivedAt },
    ])
  })

  test('API-15 DATA-02 CONT-01 a message', async () => {
    const response = await send('/api/contact', contactMessage)
    const { id, ...rest } = await response.json()
    expect([response.status, rest]).toEqual([200, { success: true, receivedAt }])
    expect(rowsOf(world, 'contacts')).toEqual([{ ...contactMessage, id, isSpam: 0, createdAt: receivedAt }])
  })

  test.each(enquiryForms)('$path takes a member’s as it takes a visitor’s', async ({ path, table, body }) => {
    expect((await world.signIn(world.addMember())(path, { body })).status).toBe(200)
    expect((await world.call(path, { body, headers: { cookie: 'alliance_session=made-up' } })).status).toBe(200)
    expect(countRows(world, table)).toBe(2)
  })
})

describe('what may be left out', () => {
  const optional = {
    '/api/coaching-application': 'businessName yearsInBusiness currentRevenue heardAbout additionalInfo',
    '/api/coaching-bookings': 'phone businessName trade notes',
    '/api/contact': 'trade',
  }

  test.each(enquiryForms)(
    'CAPP-04 CALL-02 CALL-08 CONT-01 $path: not sent, empty, blank or null, it is stored as nothing',
    async ({ path, table, body }) => {
      const names = optional[path].split(' ')
      for (const empty of [undefined, '', null]) {
        const without = { ...body, ...Object.fromEntries(names.map((name) => [name, empty])) }
        expect([empty, (await send(path, without)).status]).toEqual([empty, 200])
      }
      expect(rowsOf(world, table)).toHaveLength(3)
      for (const row of rowsOf(world, table)) {
        expect(names.map((name) => [name, row[name]])).toEqual(names.map((name) => [name, null]))
      }
    },
  )

  test('CAPP-04 a blank of any kind counts as empty; years may be sent as they were typed', async () => {
    const typed = { businessName: '   ', additionalInfo: '\u200b', yearsInBusiness: ' 07 ' }
    await send('/api/coaching-application', { ...coachingApplication, ...typed })
    expect(rowsOf(world, 'coaching_applications')).toMatchObject([
      { businessName: null, additionalInfo: null, yearsInBusiness: 7 },
    ])
  })
})

describe('what is refused, at its field', () => {
  const required = {
    '/api/coaching-application': 'name email phone trade biggestChallenge goals timeCommitment investment',
    '/api/coaching-bookings': 'name email bookingDate',
    '/api/contact': 'name email message',
  }

  test.each(enquiryForms)('CAPP-03 CALL-02 CONT-01 $path: a needed field that is missing or blank', async (form) => {
    for (const name of required[form.path].split(' ')) {
      for (const empty of [undefined, '', '  ', null, 5, ['x']]) {
        const sent = { ...form.body, [name]: empty }
        expect([name, empty, await refusedAt(form.path, sent)]).toEqual([name, empty, [422, [name]]])
      }
    }
    expect(countRows(world, form.table)).toBe(0)
  })

  test.each(enquiryForms)(
    'CAPP-06 CONT-04 $path: hidden characters, and more than anybody types, in any text',
    async (form) => {
      const texts = Object.entries(form.body).filter(([, value]) => typeof value === 'string')
      for (const [name, value] of texts) {
        for (const wrong of [`${value}\u0000`, `\u001b[31m${value}`, `${value}\ud800`]) {
          expect([name, wrong, await refusedAt(form.path, { ...form.body, [name]: wrong })]).toEqual([
            ...[name, wrong],
            [422, [name]],
          ])
        }
        const sent = { ...form.body, [name]: 'x'.repeat(12_001) }
        expect([name, await refusedAt(form.path, sent)]).toEqual([name, [422, [name]]])
      }
      expect(countRows(world, form.table)).toBe(0)
    },
  )

  test.each(enquiryForms)('$path: a name on two lines, and an address that is none', async ({ path, body }) => {
    for (const name of ['Sam\nBcc: everybody@example.com', 'Sam\rField', 'Sam\u2028Field']) {
      expect([name, await refusedAt(path, { ...body, name })]).toEqual([name, [422, ['name']]])
    }
    for (const email of [
      'sam',
      'sam@',
      'sam@example.com, eve@example.com',
      'Sam <sam@example.com>',
      'a@b.example\nBcc: c@d.example',
    ]) {
      expect([email, await refusedAt(path, { ...body, email })]).toEqual([email, [422, ['email']]])
    }
  })

  test('CAPP-06 CONT-04 explains what is wrong in a sentence', async () => {
    const application = { name: '', phone: '', trade: '', goals: '', timeCommitment: '', investment: 'none' }
    const { message, fields } = await readError(
      await send('/api/coaching-application', { ...coachingApplication, ...application, yearsInBusiness: 'ten' }),
    )
    expect([message, fields]).toEqual([
      'Check the marked fields.',
      {
        name: 'Name is required',
        phone: 'Phone is required',
        trade: 'Trade is required',
        goals: 'Goals are required',
        timeCommitment: 'Time commitment is required',
        investment: 'Choose one of the answers.',
        yearsInBusiness: 'Give whole years, such as 12.',
      },
    ])
    const contact = await readError(await send('/api/contact', { name: ' ', email: 'sam', message: '\u200b' }))
    expect(contact.fields).toEqual({
      name: 'Name is required',
      email: 'Please enter a valid email address',
      message: 'Message is required',
    })
  })

  test('DATA-04 DATA-05 DATA-06 DATA-07 DATA-08 CALL-03 a choice that is not offered', async () => {
    for (const name of ['trade', 'currentRevenue', 'timeCommitment', 'investment', 'heardAbout']) {
      const sent = { ...coachingApplication, [name]: 'nonsense' }
      expect([name, await refusedAt('/api/coaching-application', sent)]).toEqual([name, [422, [name]]])
    }
  })

  test('DATA-03 years that are no whole number from 0 to 100', async () => {
    const sendYears = (yearsInBusiness: unknown) => ({ ...coachingApplication, yearsInBusiness })
    for (const years of [-1, 1.5, 101, '-1', '1.5', '1e1', '0x10', 'ten', 1e300, true, [12]]) {
      expect([years, await refusedAt('/api/coaching-application', sendYears(years))]).toEqual([
        ...[years, [422, ['yearsInBusiness']]],
      ])
    }
    for (const years of [0, 100, '0']) {
      expect((await send('/api/coaching-application', sendYears(years))).status).toBe(200)
    }
  })

  test.each(enquiryForms)('API-16 $path: no JSON, and what comes from another site', async ({ path, table, body }) => {
    const asked: [headers: Record<string, string>, status: number][] = [
      [{ 'content-type': 'text/plain' }, 415],
      [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
      [{ 'content-type': 'application/json; charset=utf-8' }, 415],
      [{ origin: 'https://elsewhere.example' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'sec-fetch-site': 'same-site' }, 403],
    ]
    for (const [headers, status] of asked) {
      expect([headers, (await send(path, body, headers)).status]).toEqual([headers, status])
    }
    expect((await world.call(path, { method: 'POST' })).status).toBe(422)
    expect(countRows(world, table)).toBe(0)
  })
})

describe.each(enquiryForms)('an Idempotency-Key at $path', ({ path, table, body }) => {
  const key = '0190163d-8694-7e3b-8c7d-1f2b3c4d5e6f'
  const sendKeyed = (more: object = {}, name = key) => send(path, { ...body, ...more }, { 'idempotency-key': name })

  test('sent twice, and twice at once: one row, the same response, each mail once', async () => {
    const [one, two] = await Promise.all([sendKeyed(), sendKeyed()])
    world.forward(day)
    const responses = await Promise.all([one, two, await sendKeyed()].map((response) => response?.json()))
    expect(responses[0]).toMatchObject({ success: true, receivedAt })
    expect(responses).toEqual([responses[0], responses[0], responses[0]])
    expect([countRows(world, table), countRows(world, 'mail_outbox')]).toEqual([1, 3])
  })

  test('with another body is a conflict; without a key each is its own', async () => {
    await sendKeyed()
    expect(await readError(await sendKeyed({ name: 'Eve' }))).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    })
    expect(countRows(world, table)).toBe(1)
    await send(path, body)
    await send(path, body)
    expect(countRows(world, table)).toBe(3)
  })

  test('is a UUIDv7, expires after 7 days, and is not used up by a body that is refused', async () => {
    expect((await sendKeyed({}, 'abc')).status).toBe(422)
    expect((await sendKeyed({ email: 'sam' })).status).toBe(422)
    expect((await sendKeyed()).status).toBe(200)
    world.forward(7 * day)
    expect((await sendKeyed({ name: 'Eve' })).status).toBe(200)
    expect(countRows(world, table)).toBe(2)
  })
})

test('the same key may be used for each of the forms', async () => {
  const headers = { 'idempotency-key': '0190163d-8694-7e3b-8c7d-1f2b3c4d5e6f' }
  for (const { path, body } of enquiryForms) expect((await send(path, body, headers)).status).toBe(200)
})

test('60 an hour from one address and form, then 429 with Retry-After', { tags: ['full'] }, async () => {
  for (const { path, body } of enquiryForms) {
    for (let count = 0; count < 60; count += 1) expect((await send(path, body)).status).toBe(200)
    const response = await send(path, body)
    expect(await readError(response)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(response.headers.get('retry-after')).toBe('3600')
    expect((await send(path, body, { 'x-forwarded-for': '10.0.0.2' })).status).toBe(200)
  }
  world.forward(3_600_000)
  for (const { path, body, table } of enquiryForms) {
    expect((await send(path, body)).status).toBe(200)
    expect(countRows(world, table)).toBe(62)
  }
})

test('300 an hour and form from all the networks of 64 bits that one customer has; another customer is let in', {
  tags: ['full'],
}, async () => {
  const [{ path, body } = { path: '', body: {} }, other] = enquiryForms
  const sendFrom = (network: string, at = path, message: object = body) =>
    send(at, message, { 'x-forwarded-for': `2001:db8:${network}::1` })
  for (let count = 0; count < 300; count += 1) expect((await sendFrom(`77:${count.toString(16)}`)).status).toBe(200)
  const refused = await sendFrom('77:ffff')
  expect(await readError(refused)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect((await sendFrom('77:ffff', other?.path, other?.body)).status).toBe(200)
  for (let count = 0; count < 60; count += 1) expect((await sendFrom('78:1')).status).toBe(200)
  expect([(await sendFrom('78:1')).status, (await sendFrom('78:2')).status]).toEqual([429, 200])
  world.forward(3_600_000)
  expect((await sendFrom('77:ffff')).status).toBe(200)
})
