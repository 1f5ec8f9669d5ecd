import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { paymentMethods, providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { videoPositions } from '#api/db/schema/videos.ts'
import { relational } from '#api/db/tables.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { MemberAtRiskList } from '#shared/contract/risk.ts'
import { lastExpiringMonth } from '#shared/rules/card-expiry.ts'

const day = 86_400_000

let world: World
let asOwner: Call
beforeEach(() => {
  world = startWorld()
  asOwner = world.signIn(world.addOwner())
})

const ago = (days: number) => new Date(world.ctx.now().getTime() - days * day).toISOString()
const subscriptionOf = (member: TestPerson) =>
  relational(world.ctx.db)
    .query.customers.findFirst({ where: (customer, { eq }) => eq(customer.userId, member.id) })
    .sync()?.id ?? ''
const atRisk = async (query = '') =>
  v.parse(MemberAtRiskList, await (await asOwner(`/api/admin/members-at-risk${query}`)).json())
const reasons = async (query = '') =>
  Object.fromEntries((await atRisk(query)).map(({ firstName, reasons }) => [firstName, reasons.join()]))

const join = (firstName: string, days: number, more: object = {}) =>
  world.addMember({ firstName, tier: 'lite', membershipStartDate: ago(days), ...more })

const sawVideo = (member: TestPerson, days: number) =>
  world.ctx.sqlite
    .prepare('insert into progress_days (userId, day, changes) values (?, ?, 1)')
    .run(member.id, ago(days).slice(0, 10))

const addCard = (member: TestPerson, month: string) =>
  insertRow(world.ctx, paymentMethods, {
    customerId: subscriptionOf(member),
    stripePaymentMethodId: 'pm_1',
    type: 'card',
    brand: 'visa',
    last4: '4242',
    expYear: Number(month.slice(0, 4)),
    expMonth: Number(month.slice(5)),
    updatedAt: ago(0),
  })

test('quiet: no tick and nothing played for 21 days, by somebody who was a member all the time', async () => {
  join('New', 20)
  join('Never', 22)
  sawVideo(join('Lately', 300), 21)
  sawVideo(join('Long ago', 300), 22)
  const [video = { id: '' }] = world.addVideos()
  const played = join('Played', 300)
  insertRow(world.ctx, videoPositions, {
    userId: played.id,
    videoId: video.id,
    seconds: 60,
    at: ago(5),
    deviceId: 'van',
  })
  join('Left', 300, { subscription: { status: 'canceled' } })
  expect(await reasons()).toEqual({ Never: 'quiet', 'Long ago': 'quiet' })
  const [found] = await atRisk('?q=ago')
  expect(found).toMatchObject({ lastProgressOn: ago(22).slice(0, 10), tierName: expect.stringMatching(/Lite/) })
})

test('a failed payment comes first, with what is due, also where the access is gone', async () => {
  join('Quiet', 40)
  const member = join('Owes', 5, { subscription: { status: 'unpaid' } })
  const customerId = subscriptionOf(member)
  const subscriptionId = world.ctx.db
    .select()
    .from(subscriptions)
    .all()
    .find((row) => row.customerId === customerId)?.id
  insertRow(world.ctx, providerInvoices, {
    id: 'in_1',
    customerId,
    subscriptionId: subscriptionId ?? '',
    status: 'open',
    created: ago(40),
    billingReason: 'subscription_cycle',
    net: 12_500,
    vat: 2_500,
    total: 15_000,
    amountPaid: 0,
  })
  const found = await atRisk()
  expect(found.map(({ firstName, reasons, due }) => [firstName, reasons, due])).toEqual([
    ['Owes', ['payment'], 15_000],
    ['Quiet', ['quiet'], 0],
  ])
})

test('a card is expiring in its last 30 days, while it is to be charged again', async () => {
  for (const [name, month] of [
    ['Gone', '2026-01'],
    ['June', '2026-06'],
    ['July', '2026-07'],
  ] as const)
    addCard(join(name, 5), month)
  addCard(join('Ending', 5, { subscription: { cancelAtPeriodEnd: true } }), '2026-06')
  // We take nothing while a pause has no end, and take it again after one that ends.
  const next = { net: 25_000, vat: 5_000, total: 30_000, due: 30_000, fromCredit: 0, lines: [] }
  const nextPayment = { ...next, at: '2026-07-12T09:00:00.000Z' }
  const paused = (until: string | null) => ({
    subscription: { collectionPause: 'void', collectionResumesAt: until, nextPayment },
  })
  addCard(join('Endless', 5, paused(null)), '2026-06')
  addCard(join('Longer', 5, paused('2026-08-01T09:00:00.000Z')), '2026-06')
  addCard(join('Resuming', 5, paused('2026-07-01T09:00:00.000Z')), '2026-06')
  expect(await reasons()).toEqual({ Gone: 'card', June: 'card', Resuming: 'card' })
  expect((await atRisk('?show=card')).map(({ cardWorksUntil }) => cardWorksUntil).toSorted()).toEqual([
    ...['2026-01', '2026-06', '2026-06'],
  ])
  const months = (today: string) => lastExpiringMonth(today) - 2026 * 12
  expect([months('2026-07-01'), months('2026-07-31'), months('2026-08-31'), months('2026-12-31')]).toEqual([
    7, 7, 9, 12,
  ])
  expect(months('2026-12-02')).toBe(12)
})

test('a call a month that was not used last month, and is not booked now', async () => {
  const addCall = (member: TestPerson, startsAt: string, more: object = {}) =>
    insertRow(world.ctx, coachingBookings, {
      id: world.ctx.newId(),
      name: 'x',
      email: member.email,
      bookingDate: startsAt.slice(0, 10),
      userId: member.id,
      kind: 'coaching',
      coach: 'coach-1',
      startsAt,
      endsAt: startsAt.replace('T09', 'T10'),
      status: 'completed',
      createdAt: ago(0),
      updatedAt: ago(0),
      ...more,
    } as const)
  const standard = (name: string, days = 60) => {
    const member = join(name, days, { tier: 'standard' })
    sawVideo(member, 1)
    return member
  }
  standard('Unused')
  standard('Joined in May', 30)
  addCall(standard('Used'), '2026-05-01T09:00:00.000Z')
  addCall(standard('Before'), '2026-04-30T09:00:00.000Z')
  addCall(standard('Booked'), '2026-06-20T09:00:00.000Z', { status: 'scheduled' })
  addCall(standard('Cancelled'), '2026-06-21T09:00:00.000Z', { status: 'cancelled' })
  sawVideo(join('No call in the tier', 60), 1)
  expect(await reasons()).toEqual({ Unused: 'call', Before: 'call', Cancelled: 'call' })
  expect(await reasons('?show=quiet')).toEqual({})
  const listed: { firstName: string }[] = await (await asOwner('/api/admin/members?show=at-risk&sort=name')).json()
  expect(listed).toHaveLength(3)
  const today = await (await asOwner('/api/admin/today')).json()
  expect(today.atRisk).toBe(3)
})

test('the pages list everyone once, the most urgent first', async () => {
  for (let at = 0; at < 7; at += 1) {
    const member = join(`M${at}`, 30)
    if (at % 2) addCard(member, '2026-06')
    if (at % 3 === 0) sawVideo(member, 1)
  }
  const whole = await atRisk()
  const scores = whole.map(({ reasons }) => reasons.join())
  expect(scores).toEqual([
    ...scores.filter((one) => one === 'card,quiet'),
    ...scores.filter((one) => one === 'card'),
    ...scores.filter((one) => one === 'quiet'),
  ])
  const paged: string[] = []
  let path: string | undefined = '/api/admin/members-at-risk?limit=2'
  while (path) {
    const response: Response = await asOwner(path)
    for (const { id } of v.parse(MemberAtRiskList, await response.json())) paged.push(id)
    path = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1]
  }
  expect(paged).toEqual(whole.map(({ id }) => id))
})
