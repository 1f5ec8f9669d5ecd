import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { priceMoves } from '#api/db/schema/price-moves.ts'
import { checkRenewals } from '#api/features/operations/doctor/renewals-rules.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { countRows } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { type Call, startWorld } from '#api/testing/world.ts'
import { Today } from '#shared/contract/today.ts'
import { londonDay } from '#shared/rules/london.ts'
import { announceRenewals } from './jobs.ts'

const kim = 'kim@example.com'
const onTop = { percentage: 20, inclusive: false }

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-06-12T07:40:00.000Z') })
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

type Sold = NonNullable<Parameters<typeof sellElsewhere>[1]>

/** Pays £2,500 + VAT by the year, from 12 June 2027. */
async function beginYear({ email = kim, ...more }: Sold & { email?: string } = {}) {
  const sold = { amount: 250_000, price: { recurring: { interval: 'year' as const } }, tax: onTop, ...more }
  const { id } = await sellElsewhere(world, { email, ...sold })
  world.addUser({ email, firstName: 'Kim', lastName: 'Reed' })
  await acted(owner, '/api/admin/subscription-links', { reference: id, email, providerEmail: email, tier: 'standard' })
  return { id, person: personCalled(world, email), call: world.signIn(personCalled(world, email)) }
}

const today = () => londonDay(world.ctx.billingNow())
async function goTo(day: string) {
  await world.advance(Math.round((Date.parse(day) - Date.parse(today())) / 86_400_000))
  await world.sandbox.settle()
  owner = world.signIn(personCalled(world, ownerEmail()))
}
const ownerEmail = () =>
  world.ctx.sqlite.prepare<[], string>('select email from users where isAdmin = 1').pluck().get() ?? ''
/** Runs the job and the outbox as an hour or two would, with two runs at once that share no lease. */
async function tell() {
  await Promise.all([announceRenewals(world.ctx), announceRenewals(world.ctx)])
  await runJob(world.ctx, 'renewals')
  await runJob(world.ctx, 'mail')
}
const copies = async (call: Call) => (await call('/api/user/renewal-notices')).json()
const mails = () =>
  world.ctx.sqlite
    .prepare<[], { cause: string; subject: string; text: string; html: string; to: string; status: string }>(
      `select * from mail_outbox where cause like 'renewal:%' order by id`,
    )
    .all()
const kinds = () => mails().map(({ cause }) => cause.split(':').slice(2).join(' '))
const findings = async () => {
  // They’re kept for five minutes.
  world.forward(301_000)
  return v
    .parse(Today, await (await owner('/api/admin/today')).json())
    .findings.filter(({ check }) => check === 'renewals')
}

describe('before a year renews', () => {
  test('a mail 30 and one 7 days ahead say sum, VAT, day and how to stop, once each, and stay as the person’s copy', async () => {
    const { call } = await beginYear()
    await goTo('2028-05-12')
    await tell()
    expect(mails()).toEqual([])
    await goTo('2028-05-13')
    await tell()
    await goTo('2028-06-04')
    await tell()
    expect(kinds()).toEqual(['year-first 2028-06-12'])
    await goTo('2028-06-05')
    await tell()
    await goTo('2028-06-11')
    await tell()
    expect(kinds()).toEqual(['year-first 2028-06-12', 'year-last 2028-06-12'])
    const [mail] = await copies(call)
    expect(mail.subject).toBe('Your membership renews on 12 June 2028')
    expect(mail.text).toContain(
      'We’ll take £3,000.00 (£2,500.00 + £500.00 VAT) on 12 June 2028 for your next year of Alliance.',
    )
    expect(mail.text).toContain('press Cancel membership, and press it again to confirm')
    expect(await findings()).toEqual([])
    expect(countRows(world, 'renewal_notices', `amount = 300000 and renewsOn = '2028-06-12'`)).toBe(2)
  })

  test('after a week off the first goes late, and from the seventh day only the last', async () => {
    await beginYear()
    await goTo('2028-06-04')
    await tell()
    expect(kinds()).toEqual(['year-first 2028-06-12'])
    await goTo('2029-06-05')
    await tell()
    expect(kinds()).toEqual(['year-first 2028-06-12', 'year-last 2029-06-12'])
  })

  test('who lost their access but still pays is told as well, and can stop it', async () => {
    const { call, person } = await beginYear()
    await acted(owner, `/api/admin/members/${person.id}/revoke-access`, { isMember: false, cancels: false }, 'PATCH')
    await goTo('2028-05-13')
    await tell()
    expect(mails()).toMatchObject([{ to: kim, text: expect.stringContaining('£3,000.00') }])
    const again = world.signIn(person)
    expect(await copies(again)).toHaveLength(1)
    expect(await acted(again, '/api/billing/cancel')).toMatchObject({ endsOn: '2028-06-12' })
    await goTo('2028-06-06')
    await tell()
    expect([kinds().length, (await call('/api/user/renewal-notices')).status]).toEqual([1, 401])
  })

  test('who cancels after the first hears no more of it, unless they carry on', async () => {
    const { call } = await beginYear()
    await goTo('2028-05-20')
    await tell()
    await acted(call, '/api/billing/cancel')
    await goTo('2028-06-06')
    await tell()
    expect(kinds()).toEqual(['year-first 2028-06-12'])
    expect(await findings()).toEqual([])
    await acted(call, '/api/billing/resume')
    await tell()
    expect(kinds()).toEqual(['year-first 2028-06-12', 'year-last 2028-06-12'])
  })

  test('a tier booked for that day is named with both prices, and the sum is the new one’s', async () => {
    const { call } = await beginYear()
    await goTo('2028-05-14')
    await tell()
    expect(mails().at(-1)?.text).not.toContain('changes that day')
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    await goTo('2028-06-07')
    await tell()
    const last = mails().at(-1)?.text
    expect(last).toContain('We’ll take £540.00 (£450.00 + £90.00 VAT) on 12 June 2028 for a month of Alliance XL.')
    expect(last).toContain('Your tier changes that day, from Alliance to Alliance XL.')
    expect(last).toContain('Until then: £2,500.00 + VAT a year')
    expect(last).toContain('From then on: £450.00 + VAT a month')
  })

  test('a price they’ve been told of, but that isn’t booked yet, is never left out: nothing is promised until it is', async () => {
    const { id } = await beginYear()
    await goTo('2028-05-20')
    const at = '2028-06-12T07:40:00.000Z'
    const move = { subscriptionId: id, tierSlug: 'standard', fromNet: 250_000, toNet: 270_000, toldAt: at, movesAt: at }
    insertRow(world.ctx, priceMoves, { id: world.ctx.newId(), ...move, stripePriceId: 'price_dearer', notices: 1 })
    await tell()
    expect(mails()).toEqual([])
    world.ctx.db.update(priceMoves).set({ closedAt: at, outcome: 'cancelled' }).run()
    await tell()
    expect(kinds()).toEqual(['year-first 2028-06-12'])
  })

  test('a sum that Stripe hasn’t said is promised to no one: it’s asked again, and owners hear on the sixth day', async () => {
    const { person } = await beginYear()
    await goTo('2028-05-20')
    await world.control('faults', { kind: 'error', path: '/v1/invoices/create_preview', times: 1000 })
    world.ctx.sqlite.exec(`update subscriptions set "nextPayment" = null, "nextPaymentKey" = null`)
    await tell()
    await goTo('2028-06-05')
    await tell()
    expect([mails(), await findings()]).toEqual([[], []])
    await goTo('2028-06-06')
    expect(await findings()).toMatchObject([
      {
        member: { id: person.id, name: 'Kim Reed' },
        message:
          'Stripe hasn’t said what their renewal will cost, so we couldn’t tell them. We’ll take £3,000.00 on 12 June 2028.',
        renewsOn: '2028-06-12',
      },
    ])
    await world.clearFaults()
    await tell()
    expect([kinds(), await findings()]).toEqual([['year-last 2028-06-12'], []])
  })

  test('the receipt of a year names the day it renews', async () => {
    await beginYear()
    await goTo('2028-06-13')
    const receipts = world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'receipt:%'`).pluck().all()
    expect(receipts.at(-1)).toContain('Renews on: 12 June 2029')
  })
})

test('a year from a leap day renews on 28 February, and is told of it 30 and 7 days before', async () => {
  await goTo('2028-02-29')
  await beginYear()
  await goTo('2029-01-29')
  await tell()
  await goTo('2029-02-21')
  await tell()
  expect(kinds()).toEqual(['year-first 2029-02-28', 'year-last 2029-02-28'])
})

describe('who couldn’t be told', () => {
  const suppress = () => acted(owner, '/api/admin/suppressed-addresses', { email: kim, reason: 'Bounced' })
  const putOff = (id: string, from: string) => owner(`/api/admin/members/${id}/put-off`, { body: { from } })

  test('is on Today and in the report with day and sum; put off twice, each new day gets its own two mails', async () => {
    const { person, id } = await beginYear()
    await suppress()
    await goTo('2028-05-13')
    await tell()
    expect(await findings()).toMatchObject([
      {
        message: 'Their mailbox refused our email about their renewal. We’ll take £3,000.00 on 12 June 2028.',
        member: { id: person.id },
        renewsOn: '2028-06-12',
      },
    ])
    const report = await acted(owner, '/api/admin/reports/daily', { always: true })
    expect(JSON.stringify(report)).toContain('We’ll take £3,000.00 on 12 June 2028.')
    const { lastUpdated: _then, ...before } = await acted(owner, '/api/admin/mrr', undefined, 'GET')
    expect(await (await putOff(person.id, '2028-06-12')).json()).toMatchObject({
      status: 'active',
      label: 'Active',
      firstPaymentOn: null,
      nextPayment: { on: '2028-07-12', due: 300_000 },
    })
    // The same press again, whose answer was lost.
    expect((await putOff(person.id, '2028-06-12')).status).toBe(200)
    expect((await putOff(person.id, '2028-06-11')).status).toBe(409)
    expect(await findings()).toEqual([])
    expect(await acted(owner, '/api/admin/mrr', undefined, 'GET')).toMatchObject(before)
    await acted(owner, `/api/admin/suppressed-addresses/${kim}`, undefined, 'DELETE')
    await goTo('2028-06-12')
    await tell()
    expect((await world.ctx.stripe.charges.list({ limit: 100 })).data).toHaveLength(1)
    expect((await putOff(person.id, '2028-07-12')).status).toBe(200)
    await goTo('2028-07-13')
    await tell()
    await goTo('2028-08-05')
    await tell()
    expect(kinds()).toEqual([
      'year-first 2028-06-12',
      'year-first 2028-07-12',
      'year-first 2028-08-12',
      'year-last 2028-08-12',
    ])
    expect(countRows(world, 'audit_entries', `action = 'subscription.put_off'`)).toBe(2)
    await goTo('2028-08-13')
    expect((await world.ctx.stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect((await world.ctx.stripe.charges.list({ limit: 100 })).data).toHaveLength(2)
  })

  test('a year that began by a booked change is put off too, and another change can be booked', async () => {
    const { person, call, id } = await beginYear()
    const priceId = addYearlyPrice(world, 'xl', 450_000)
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl', priceId })
    await goTo('2028-06-14')
    expect((await putOff(person.id, '2029-06-12')).status).toBe(200)
    const again = world.signIn(person)
    expect(await acted(again, '/api/billing/change-tier', { tierSlug: 'lite' })).toMatchObject({
      plan: { slug: 'xl', months: 12 },
      nextPlan: { slug: 'lite', from: '2029-07-12' },
    })
    expect((await world.ctx.stripe.subscriptions.retrieve(id)).trial_end).toBe(
      Date.parse('2029-07-12T07:40:00Z') / 1000,
    )
  })

  test('a cancelled one, a month’s and one with a booked change aren’t put off', async () => {
    const { person, call } = await beginYear()
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    const message = async () => (await (await putOff(person.id, '2028-06-12')).json()).error.message
    expect(await message()).toContain('A tier change is booked. Undo it first')
    await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    await acted(call, '/api/billing/cancel')
    expect(await message()).toContain('There’s no renewal')
    const month = await sellElsewhere(world, { email: 'lee@example.com' })
    world.addUser({ email: 'lee@example.com' })
    const link = { reference: month.id, email: 'lee@example.com', providerEmail: 'lee@example.com', tier: 'standard' }
    await acted(owner, '/api/admin/subscription-links', link)
    const monthly = await putOff(personCalled(world, 'lee@example.com').id, '2027-07-12')
    expect((await monthly.json()).error.message).toContain('They don’t pay by the year')
  })
})

test('1,000 yearly members take one mail each, and as many statements as ten once they’ve been told', {
  tags: ['full'],
}, async () => {
  const counted = async (members: number) => {
    let statements = 0
    const many = startWorld({ onStatement: () => (statements += 1) })
    const at = new Date(many.ctx.billingNow().getTime() + 20 * 86_400_000).toISOString()
    const vat = { net: 250_000, vat: 50_000, total: 300_000 }
    const nextPayment = { at, ...vat, fromCredit: 0, due: 300_000, lines: [] }
    const year = { chargeMonths: 12, chargeTotal: 300_000, yearlyNet: 250_000, currentPeriodEnd: at, nextPayment }
    many.ctx.sqlite.transaction(() => {
      for (let at = 0; at < members; at += 1) many.addMember({ subscription: year })
    })()
    expect(await runJob(many.ctx, 'renewals')).toMatchObject({ report: { told: members, waiting: 0 } })
    expect(countRows(many, 'mail_outbox', `cause like 'renewal:%'`)).toBe(members)
    statements = 0
    await runJob(many.ctx, 'renewals')
    expect(checkRenewals(many.ctx.db, many.ctx.billingNow).map(({ state }) => state)).toEqual(['ok', 'ok'])
    return statements
  }
  expect(await counted(1_000)).toBe(await counted(10))
})

test('a month that becomes a year with the next bill is told of before it, and the year’s receipt names the day', async () => {
  const call = await becomeMember(world)
  await goTo('2027-06-20')
  const byYear = { tierSlug: 'standard', priceId: addYearlyPrice(world, 'standard', 250_000) }
  await acted(call, '/api/billing/change-tier', byYear)
  await tell()
  await goTo('2027-07-06')
  await tell()
  // The email about the change named the day and the price.
  expect(kinds()).toEqual(['year-last 2027-07-12'])
  expect(mails().at(-1)?.text).toContain('for a year of Alliance')
  expect(mails().at(-1)?.text).toContain('From that day you pay by the year.')
  expect(mails().at(-1)?.text).toContain('Until then: £250.00 + VAT a month\nFrom then on: £2,500.00 + VAT a year')
  await goTo('2027-07-13')
  await tell()
  const receipts = world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'receipt:%' order by id`)
  const [month, year] = receipts.pluck().all()
  expect([month, year]).toEqual([
    expect.not.stringContaining('Renews on'),
    expect.stringContaining('Renews on: 12 July 2028'),
  ])
})
