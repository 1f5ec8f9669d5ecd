import { beforeEach, describe, expect, test } from 'vitest'
import { contentOf } from '#api/site/content.ts'
import { countRows } from '#api/testing/joining.ts'
import { behindProxy } from '#api/testing/passwords.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

const day = 86_400_000
const form = {
  firstName: ' Sam ',
  lastName: 'Field',
  email: 'Sam@Example.com',
  phone: '07700 900123',
  businessName: 'Field Decorating',
  trade: 'Painter',
  businessStage: 'growing',
  yearsInTrade: '12',
  currentChallenges: 'Quoting at night',
  goals: 'Two weeks off',
  whyJoin: 'A mate did',
  hearAboutUs: 'Podcast',
  agreeTerms: true,
}

let world: World
beforeEach(() => {
  world = startWorld({ env: behindProxy })
})

const apply = (body: object = form, key?: string, address = '10.0.0.1') =>
  world.call('/api/membership-application', {
    body,
    headers: { 'x-forwarded-for': address, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
const rows = () => world.ctx.sqlite.prepare<[], Record<string, unknown>>('select * from membership_applications').all()

describe('a membership application', () => {
  test('API-04 JOIN-08 ROLE-02 DATA-10 is stored whole, pending, for standard unless another tier is chosen', async () => {
    const response = await apply({ ...form, id: 'mine', status: 'approved', createdAt: 'never' })
    const { id, ...rest } = await response.json()
    expect([response.status, rest]).toEqual([200, { success: true, status: 'pending' }])
    expect(rows()).toEqual([
      {
        ...form,
        id,
        firstName: 'Sam',
        email: 'sam@example.com',
        agreeTerms: 1,
        termsVersion: contentOf(world.ctx).read().site.terms,
        selectedTier: 'standard',
        status: 'pending',
        earlier: '[]',
        createdAt: '2026-06-12T07:40:00.000Z',
      },
    ])
    await apply({ ...form, email: 'xl@example.com', selectedTier: 'xl' })
    expect(rows()[1]).toMatchObject({ selectedTier: 'xl' })
  })

  test('that is changed keeps what was sent before; another tier alone, or the same again, is no change', async () => {
    const earlier = () => rows().map((row) => JSON.parse(String(row.earlier)))
    await apply(form)
    await apply({ ...form, selectedTier: 'xl' })
    await apply({ ...form, selectedTier: 'xl' })
    expect(earlier()).toEqual([[]])
    await apply({ ...form, goals: 'Something else' })
    await apply({ ...form, goals: 'A third thing' })
    expect(rows()).toMatchObject([{ goals: 'A third thing', status: 'pending' }])
    expect(earlier()).toMatchObject([[{ goals: form.goals }, { goals: 'Something else' }]])
  })

  test('however often it is changed, the first text stays beside the newest', async () => {
    for (let count = 0; count < 40; count += 1) await apply({ ...form, goals: `Goal ${count}` })
    const [row] = rows()
    const kept: { goals: string }[] = JSON.parse(String(row?.earlier))
    const newest = Array.from({ length: 19 }, (_, index) => `Goal ${20 + index}`)
    expect([kept.map(({ goals }) => goals), row?.goals]).toEqual([['Goal 0', ...newest], 'Goal 39'])
  })

  test('JOIN-03 JOIN-04 every field is needed, the terms too, and the stage and tier are known ones', async () => {
    for (const name of Object.keys(form)) {
      const { status, fields } = await readError(await apply({ ...form, [name]: name === 'agreeTerms' ? false : '  ' }))
      expect([name, status, Object.keys(fields ?? {})]).toEqual([name, 422, [name]])
    }
    expect((await readError(await apply({ ...form, businessStage: 'huge' }))).fields).toHaveProperty('businessStage')
    expect((await readError(await apply({ ...form, selectedTier: { slug: 'xl' } }))).fields).toHaveProperty(
      'selectedTier',
    )
    expect(rows()).toEqual([])
  })

  test('JOIN-16 step 1 asks for all but the id, which is ours whatever is sent, and the tier, which step 2 sends', async () => {
    expect(Object.keys((await readError(await apply({}))).fields ?? {}).sort()).toEqual(Object.keys(form).sort())
    const mine = { id: world.ctx.newId(), selectedTier: 'xl' }
    const { id } = await (await apply({ ...form, ...mine })).json()
    expect(id).not.toBe(mine.id)
    expect(rows()).toMatchObject([{ id, selectedTier: 'xl' }])
  })

  test('JOIN-03 a name that is invisible, reverses the text after it, or has two lines is refused at its field', async () => {
    for (const firstName of ['\u200b', 'a\nb', '\u202e', '\ud800', ' \u2060 ']) {
      const response = await apply({ ...form, firstName })
      const { error } = await response.json()
      expect([firstName, response.status, Object.keys(error.fields)]).toEqual([firstName, 422, ['firstName']])
    }
    expect((await apply({ ...form, firstName: 'Zoë 👷', goals: 'One line,\nand another' })).status).toBe(200)
    // As copied from an address book.
    expect((await apply({ ...form, phone: '\u202a+44 7700 900123\u202c' })).status).toBe(200)
    expect(rows()[0]).toMatchObject({ phone: '+44 7700 900123' })
  })

  test('API-20 each owner is mailed it once and in full, however often it is sent again', async () => {
    await apply()
    await apply({ ...form, goals: 'Three weeks off' })
    const mails = world.ctx.sqlite
      .prepare<[], { to: string; replyTo: string; subject: string; text: string }>(
        `select "to", replyTo, subject, text from mail_outbox where cause like 'membership-application:%' order by id`,
      )
      .all()
    expect(mails.map(({ to }) => to)).toEqual(world.ctx.settings.ownerEmails)
    expect(mails[0]).toMatchObject({ replyTo: 'sam@example.com', subject: 'Membership application from Sam Field' })
    for (const words of ['3-5 years', 'Two weeks off', '07700 900123', 'Alliance']) {
      expect(mails[0]?.text).toContain(words)
    }
  })

  test('sent again updates the one that is pending, under an id that the last sender does not know; a decided one stays', async () => {
    const first = await (await apply()).json()
    const second = await (await apply({ ...form, goals: 'A van that starts' })).json()
    expect([second.id === first.id, rows().map(({ id, goals }) => [id, goals])]).toEqual([
      false,
      [[second.id, 'A van that starts']],
    ])
    world.ctx.sqlite.exec(`update membership_applications set status = 'rejected'`)
    const third = await (await apply()).json()
    expect([third.id === first.id, rows().map(({ status }) => status)]).toEqual([false, ['rejected', 'pending']])
  })
})

describe('an Idempotency-Key', () => {
  const key = '0190163d-8694-7e3b-8c7d-1f2b3c4d5e6f'

  test('the same key and body: the same response and one row, even after it was decided', async () => {
    const first = await (await apply(form, key)).json()
    world.ctx.sqlite.exec(`update membership_applications set status = 'approved'`)
    const again = await Promise.all([apply(form, key), apply(form, key)])
    for (const response of again) expect([response.status, await response.json()]).toEqual([200, first])
    expect(rows()).toHaveLength(1)
  })

  test('the same key and another body: 409, and nothing is changed', async () => {
    await apply(form, key)
    const { status, code } = await readError(await apply({ ...form, goals: 'Other' }, key))
    expect([status, code, rows()[0]?.goals]).toEqual([409, 'idempotency_conflict', 'Two weeks off'])
  })

  test('expires after 7 days', async () => {
    await apply(form, key)
    world.forward(7 * day - 1)
    expect((await apply({ ...form, goals: 'Other' }, key)).status).toBe(409)
    world.forward(1)
    expect((await apply({ ...form, goals: 'Other' }, key)).status).toBe(200)
    expect(countRows(world, 'idempotency_answers')).toBe(1)
  })

  test('is a UUIDv7 or refused; a refused body uses up no key', async () => {
    for (const wrong of ['abc', '0190163d-8694-4e3b-8c7d-1f2b3c4d5e6f', `${key}0`, '']) {
      expect([wrong, (await apply(form, wrong)).status]).toEqual([wrong, 422])
    }
    expect((await apply({ ...form, goals: '' }, key)).status).toBe(422)
    expect((await apply(form, key)).status).toBe(200)
  })
})

describe('the first step asks whether an address has an account', () => {
  const ask = (email: string, headers = {}) =>
    world.call('/api/membership-application/email', {
      body: { email },
      headers: { 'x-forwarded-for': '10.0.0.1', ...headers },
    })
  const mails = () => world.ctx.sqlite.prepare<[], { to: string; text: string }>('select * from mail_outbox').all()

  test('JOIN-17 a known one logs in first, and is mailed a link where it cannot; nothing else reveals that it is known', async () => {
    expect((await ask('new@example.com')).status).toBe(200)
    expect(mails()).toEqual([])
    const known = world.addMember({ email: 'sam@example.com' })
    world.addMember({ email: 'dee@example.com', passwordHash: 'set' })
    for (const email of ['Sam@Example.com', 'dee@example.com']) {
      expect(await readError(await ask(email))).toMatchObject({ status: 409, code: 'account_exists' })
    }
    expect(mails().map(({ to }) => to)).toEqual([known.email])
    expect(mails()[0]?.text).toContain('/membership-application?continue=')
    expect((await ask(known.email, { cookie: world.signIn(known).cookie })).status).toBe(200)
  })

  test('V6.3.8 a network learns of 10 accounts an hour, then of none; of one address the answer comes 3 times a day', {
    tags: ['full'],
  }, async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const fiber = (count: number) => from(`2001:db8:1:1::${count}`)
    for (let count = 0; count < 11; count += 1) world.addMember({ email: `known${count}@example.com` })
    for (let count = 0; count < 12; count += 1)
      expect((await ask(`new${count}@example.com`, fiber(count))).status).toBe(200)
    for (let count = 0; count < 10; count += 1)
      expect((await ask(`known${count}@example.com`, fiber(count))).status).toBe(409)
    const beyond = await Promise.all(['known10', 'new13'].map((name) => ask(`${name}@example.com`, fiber(99))))
    for (const response of beyond)
      expect(await readError(response)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect((await ask('known10@example.com', from('2001:db8:1:2::1'))).status).toBe(409)
    world.forward(60 * 60_000)
    expect((await ask('known10@example.com', fiber(1))).status).toBe(409)
    for (const [name, status] of [
      ['known10', 409],
      ['fresh', 200],
    ] as const) {
      for (let count = name === 'fresh' ? 0 : 2; count < 3; count += 1)
        expect((await ask(`${name}@example.com`, from(`10.0.1.${count}`))).status).toBe(status)
      expect((await ask(`${name}@example.com`, from('10.0.1.9'))).status).toBe(429)
    }
    world.forward(day)
    expect((await ask('known10@example.com')).status).toBe(409)
  })

  test('60 an hour from one address', async () => {
    for (let count = 0; count < 60; count += 1) expect((await ask(`sam${count}@example.com`)).status).toBe(200)
    expect(await readError(await ask('sam@example.com'))).toMatchObject({ status: 429, code: 'rate_limited' })
  })
})

test('60 an hour from one address, then 429 with Retry-After', async () => {
  for (let count = 0; count < 60; count += 1) {
    expect((await apply({ ...form, email: `sam${count}@example.com` })).status).toBe(200)
  }
  const response = await apply()
  expect(await readError(response)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(response.headers.get('retry-after')).toBe('3600')
  expect((await apply(form, undefined, '10.0.0.2')).status).toBe(200)
  world.forward(3_600_000)
  expect((await apply()).status).toBe(200)
})
