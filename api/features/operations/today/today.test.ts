import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { jobLeases } from '#api/db/schema/system.ts'
import { relational } from '#api/db/tables.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { coachingApplication, coachingBooking, contactMessage } from '#api/testing/enquiries.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { Today } from '#shared/contract/today.ts'

const hour = 3_600_000
const day = 24 * hour

let world: World
let asOwner: Call
beforeEach(() => {
  world = startWorld()
  asOwner = world.signIn(world.addOwner())
})

const readToday = async () => v.parse(Today, await (await asOwner('/api/admin/today')).json())

test('a new site has nothing waiting', async () => {
  expect(await readToday()).toEqual({
    asOf: world.ctx.now().toISOString(),
    applications: { total: 0, rows: [] },
    coaching: { total: 0, rows: [] },
    contacts: { total: 0, rows: [] },
    questions: { total: 0, rows: [] },
    payments: { total: 0, rows: [], since: '2026-06-11', sum: 0 },
    failures: { total: 0, rows: [], due: 0 },
    chase: { total: 0, rows: [] },
    emailReports: [],
    atRisk: 0,
    calls: { total: 0, rows: [] },
    mail: { waiting: 0, late: 0, refused: 0, failed: 0, stopped: null, rows: [] },
    jobs: [],
    findings: [],
  })
})

test('who applied, wrote and booked, until somebody has seen to it', async () => {
  await world.call('/api/coaching-application', { body: coachingApplication })
  await world.call('/api/coaching-bookings', { body: coachingBooking })
  await world.call('/api/contact', { body: contactMessage })
  const { coaching, calls, contacts } = await readToday()
  expect(contacts.rows.map(({ name, message }) => [name, message])).toEqual([
    [contactMessage.name, contactMessage.message],
  ])
  expect([coaching.rows[0]?.name, calls.rows[0]?.bookingDate]).toEqual([coachingApplication.name, '2026-06-13'])
  const done = { method: 'PATCH', body: { status: 'contacted' } }
  await asOwner(`/api/admin/coaching-applications/${coaching.rows[0]?.id}/status`, done)
  await asOwner(`/api/admin/inbox/contacts/${contacts.rows[0]?.id}/notes`, { body: { text: 'Rang back' } })
  const after = await readToday()
  expect([after.coaching.total, after.contacts.total]).toEqual([0, 0])
})

test('payments of yesterday and today, five of them by name, all of them in the sum', async () => {
  fillDatabase(world, 4)
  const { payments, findings } = await readToday()
  expect(payments).toMatchObject({ total: 8, sum: 240_000, since: '2026-06-11' })
  expect(payments.rows).toHaveLength(5)
  expect(payments.rows[0]).toEqual({
    number: 'A-8',
    memberId: expect.any(String),
    name: 'Danny Marsh',
    gross: 30_000,
    refunded: 1200,
    at: world.ctx.billingNow().toISOString(),
  })
  expect(findings.map(({ check }) => check)).toContain('revenue')
  world.forward(3 * day)
  asOwner = world.signIn(world.addOwner())
  expect((await readToday()).payments.total).toBe(0)
})

test('a failed payment, with the next attempt and the end of the access; the one that ends first on top', async () => {
  const fail = (firstName: string, daysAgo: number, nextAttemptAt: string | null) => {
    const member = world.addMember({ firstName, phone: '07700 900123', subscription: { status: 'past_due' } })
    const { customerId, id } = relational(world.ctx.db).query.subscriptions.findMany().sync().at(-1) ?? {
      customerId: '',
      id: '',
    }
    insertRow(world.ctx, providerInvoices, {
      id: `in_${firstName}`,
      customerId,
      subscriptionId: id,
      status: 'open',
      billingReason: 'subscription_cycle',
      net: 25_000,
      vat: 5_000,
      total: 30_000,
      amountPaid: 0,
      attempts: 1,
      nextAttemptAt,
      created: new Date(world.ctx.billingNow().getTime() - daysAgo * day).toISOString(),
    })
    return member
  }
  const later = fail('Late', 2, '2026-06-13T07:00:00.000Z')
  fail('Lost', 20, null)
  fail('Soon', 12, null)
  const { failures } = await readToday()
  expect(failures.rows.map(({ name, hasAccess, graceEndsOn }) => [name, hasAccess, graceEndsOn])).toEqual([
    ['Soon Marsh', true, '2026-06-14'],
    ['Late Marsh', true, '2026-06-24'],
    ['Lost Marsh', false, '2026-06-06'],
  ])
  expect(failures.rows[1]).toMatchObject({
    memberId: later.id,
    phone: '07700 900123',
    due: 30_000,
    nextAttemptAt: '2026-06-13T07:00:00.000Z',
  })
  await asOwner(`/api/admin/members/${later.id}/card-link`, { method: 'POST' })
  const asked = await readToday()
  expect([asked.failures.total, asked.failures.due, asked.chase.total]).toEqual([3, 90_000, 2])
  expect(asked.failures.rows[1]?.askedAt).toBe(world.ctx.now().toISOString())
  world.forward(7 * day + 1)
  asOwner = world.signIn(world.addOwner())
  expect((await readToday()).chase.total).toBe(3)
})

test('mail that waits and was refused, and jobs that failed or did not run', async () => {
  const mail = { userId: null, text: 'Tea', html: '<p>Tea</p>', isRepeatable: true }
  queueMail(world.ctx, { ...mail, to: 'gone@example.com', subject: 'Receipt', cause: 'receipt:1' })
  world.ctx.sqlite.exec(`update mail_outbox set status = 'refused', "lastError" = '550 no such person'`)
  queueMail(world.ctx, { ...mail, to: 'sam@example.com', subject: 'Welcome', cause: 'welcome:1' })
  const lease = { holder: '', expiresAt: world.ctx.now().toISOString(), lastRunAt: null }
  insertRow(world.ctx, jobLeases, { ...lease, name: 'clean-up', lastReport: { failed: 'No disk' } })
  insertRow(world.ctx, jobLeases, { ...lease, name: 'month-end', lastReport: null })
  const before = await readToday()
  expect(before.mail).toMatchObject({ waiting: 1, late: 0, refused: 1, failed: 0, rows: [{ to: 'gone@example.com' }] })
  expect(before.jobs).toEqual([{ name: 'clean-up', problem: 'failed', at: null }])
  world.forward(5 * hour)
  const after = await readToday()
  expect(after.mail.late).toBe(1)
  expect(after.jobs.map(({ name, problem }) => [name, problem])).toEqual([
    ['clean-up', 'failed'],
    ['month-end', 'late'],
  ])
})

test('who applied and has joined since isn’t asked to be approved', async () => {
  const body = {
    firstName: 'Sam',
    lastName: 'Fields',
    email: 'sam@example.com',
    phone: '07700 900123',
    businessName: 'Sam',
    trade: 'Plumber',
    businessStage: 'growing',
    yearsInTrade: '12',
    currentChallenges: 'Quoting',
    goals: 'Rest',
    whyJoin: 'A mate',
    hearAboutUs: 'Podcast',
    agreeTerms: true,
    selectedTier: 'xl',
  }
  await world.call('/api/membership-application', { body })
  expect((await readToday()).applications.total).toBe(1)
  world.addMember({ email: 'sam@example.com' })
  expect((await readToday()).applications).toEqual({ total: 0, rows: [] })
})
