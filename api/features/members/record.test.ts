import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { mailAgreements, ownerAddresses } from '#api/db/schema/people.ts'
import { relational } from '#api/db/tables.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { billingOf, countRows, sam } from '#api/testing/joining.ts'
import { auditedOf, joinAsSam, readRecord } from '#api/testing/member-records.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { MemberActivityList, MemberProfile } from '#shared/contract/member-record.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const join = () => joinAsSam(world, owner)
const recordOf = (who: string) => readRecord(owner, who)
const send = (path: string, method: string, body?: object) =>
  owner(path, { method, ...(body === undefined ? {} : { body }) })
const billingFrom = async (response: Response) => v.parse(BillingSubscription, await response.json())
const mailsTo = (address: string) => waitingMail(world).filter(({ to }) => to === address)
const audited = (id: string) => auditedOf(world, id)

describe('the record', () => {
  test('is found by id and by address, and holds what is paid and what can be done', async () => {
    const { id } = await join()
    const record = await recordOf(id)
    expect(record).toMatchObject({
      member: { email: sam.email, isMember: true },
      profile: { version: 1, email: sam.email },
      billing: { label: 'Active' },
      paymentMethod: { last4: '4242' },
      freeAccess: null,
      guarantee: {
        endsOn: londonDay(new Date(world.ctx.billingNow().getTime() + 14 * 86_400_000)),
        refundable: 30_000,
      },
    })
    expect(record.payments).toMatchObject([{ net: 25_000, vat: 5_000, total: 30_000, refundable: 30_000 }])
    expect((await owner('/api/admin/members/nobody@example.com/record')).status).toBe(404)
  })
})

describe('the profile', () => {
  const fields = { firstName: 'Sam', lastName: 'Fields', phone: '', businessName: null, trade: 'Plasterer' }

  test('is put right; what the other owner has changed meanwhile comes back with what was sent', async () => {
    const { id, email } = world.addUser({ email: 'same@example.com' })
    const put = (body: object) => send(`/api/admin/members/${id}/profile`, 'PUT', body)
    const wanted = { ...fields, email, version: 1 }
    expect(v.parse(MemberProfile, await (await put(wanted)).json())).toEqual({ ...wanted, id, phone: null, version: 2 })
    expect((await put(wanted)).status).toBe(200)
    const lost = await put({ ...wanted, trade: 'Roofer' })
    expect([lost.status, (await lost.json()).error.versions.current.trade]).toEqual([409, 'Plasterer'])
    expect(audited(id).map(({ action }) => action)).toEqual(['member.profile_changed'])
  })

  test('a changed address is told to the old one: by whom, when, and what to do; not the new one', async () => {
    const { id, email } = world.addUser({ email: 'before@example.com' })
    const put = () =>
      send(`/api/admin/members/${id}/profile`, 'PUT', { ...fields, email: 'after@example.com', version: 1 })
    expect([(await put()).status, (await put()).status]).toEqual([200, 200])
    const [mail, ...more] = mailsTo(email)
    expect(more).toEqual([])
    const today = formatLongDate(londonDay(world.ctx.now()))
    expect(mail?.text).toContain(`Olive Hart changed the email address on your account on ${today}, `)
    expect(mail?.text).toContain('/members/not-me?token=')
    expect(mail?.text).not.toContain('after@example.com')
  })

  test('takes no address of somebody else or of an owner, and says so at the field', async () => {
    const { id } = world.addUser()
    const other = world.addUser({ email: 'other@example.com' })
    const put = (who: string, email: string) =>
      send(`/api/admin/members/${who}/profile`, 'PUT', { ...fields, email, version: 1 })
    expect((await readError(await put(id, other.email))).fields).toEqual({
      email: 'Another account uses this address.',
    })
    expect((await readError(await put(id, 'nonsense'))).fields).toEqual({ email: 'Please enter a valid email address' })
    expect(mailsTo(other.email)).toEqual([])
    const boss = world.addOwner()
    const listed = { role: 'owner', email: world.ctx.settings.ownerEmails[0] ?? '', userId: boss.id } as const
    insertRow(world.ctx, ownerAddresses, { ...listed, recordedAt: world.ctx.now().toISOString() })
    expect((await readError(await put(boss.id, 'boss@example.com'))).fields?.email).toMatch(/set on the server/)
  })
})

test('the address of the invoices is put right; what the other owner has changed meanwhile comes back with what was sent', async () => {
  const { id } = world.addMember()
  const put = (body: object) => send(`/api/admin/members/${id}/address`, 'PUT', body)
  const mill = { line1: '1 Mill Lane', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }
  const yard = { ...mill, line1: '2 The Yard', line2: 'Unit 4' }
  expect((await put({ address: mill, before: null })).status).toBe(200)
  expect((await put({ address: mill, before: null })).status).toBe(200)
  const late = await put({ address: yard, before: null })
  expect([late.status, (await late.json()).error.versions]).toEqual([409, { sent: yard, current: mill }])
  expect((await put({ address: yard, before: mill })).status).toBe(200)
  expect((await recordOf(id)).address).toEqual(yard)
  expect(audited(id).map(({ action }) => action)).toEqual(Array(2).fill('member.profile_changed'))
  expect((await readError(await put({ address: { ...yard, postcode: ' ' }, before: yard }))).fields).toMatchObject({
    'address.postcode': 'Postcode is required',
  })
  expect(
    (await send(`/api/admin/members/${world.ctx.newId()}/address`, 'PUT', { address: mill, before: null })).status,
  ).toBe(404)
})

describe('the subscription', () => {
  test('is cancelled, resumed and changed for the member, and the log names the owner', async () => {
    const { call, id, at } = await join()
    expect(await billingFrom(await send(`${at}/subscription/cancel`, 'POST'))).toMatchObject({
      endsOn: expect.any(String),
    })
    const refused = await readError(await send(`${at}/subscription/tier`, 'POST', { tierSlug: 'xl' }))
    expect(refused.message).toMatch(/^Nothing has changed\. The member would read: “Your membership is set to end\./)
    expect(await billingFrom(await send(`${at}/subscription/resume`, 'POST'))).toMatchObject({ endsOn: null })
    const booked = await billingFrom(
      await send(`${at}/subscription/tier`, 'POST', { tierSlug: 'xl', tierPrice: 45_000 }),
    )
    expect(booked.nextPlan).toMatchObject({ slug: 'xl', total: 54_000 })
    expect(
      (await readError(await send(`${at}/subscription/tier`, 'POST', { tierSlug: 'lite', tierPrice: 1 }))).code,
    ).toBe('price_changed')
    expect((await readError(await send(`${at}/free-month`, 'PUT', { isFree: true }))).message).toMatch(
      /A tier change is booked/,
    )
    expect((await billingFrom(await send(`${at}/subscription/tier`, 'DELETE'))).nextPlan).toBeNull()
    expect((await billingOf(call)).nextPlan).toBeNull()
    expect(new Set(audited(id).map(({ actor }) => actor))).not.toContain(`user:${id}`)
    expect(audited(id).map(({ action }) => action)).toEqual([
      ...['subscription.cancel', 'subscription.resume', 'subscription.change_tier', 'subscription.keep_tier'],
    ])
  })

  test('gets a free month: the next payment is nothing, the one after it is whole, and no invoice stands for nothing', async () => {
    const { call, id, at } = await join()
    const give = () => send(`${at}/free-month`, 'PUT', { isFree: true })
    expect(await billingFrom(await give())).toMatchObject({ isNextFree: true })
    expect((await give()).status).toBe(200)
    expect((await recordOf(sam.email)).member.stateLine).toMatch(/The month after is free\.$/)
    expect((await send(`${at}/free-month`, 'PUT', { isFree: false })).status).toBe(200)
    expect((await billingOf(call)).isNextFree).toBeUndefined()
    await give()
    expect(audited(id).map(({ action }) => action)).toEqual([
      ...['subscription.free_month', 'subscription.free_month_undone', 'subscription.free_month'],
    ])
    await world.advance(35)
    expect((await billingOf(call)).isNextFree).toBeUndefined()
    expect((await recordOf(sam.email)).payments).toHaveLength(1)
    expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
    // A month's discount doesn't reduce revenue, and isn't a payment.
    const books = async () => [
      (await (await owner('/api/admin/mrr')).json()).totalMRR,
      countRows(world, 'commission_ledger'),
    ]
    expect(await books()).toEqual([25_000, 1])
    await world.advance(31)
    expect(await books()).toEqual([25_000, 2])
    expect((await recordOf(sam.email)).payments.map(({ total }) => total)).toEqual([30_000, 30_000])
    expect(countRows(world, 'invoices')).toBe(2)
  })
})

test('free access lasts to the end of its last day in London, and the member is told until when', async () => {
  const { id } = world.addUser()
  const member = world.signIn({ id, email: '' })
  const at = `/api/admin/members/${id}/free-access`
  const until = addDays(londonDay(world.ctx.billingNow()), 3)
  expect((await send(at, 'PUT', { until, version: 1 })).status).toBe(200)
  expect(await recordOf(id)).toMatchObject({ freeAccess: { until }, accessVersion: 2, member: { isMember: true } })
  const isListed = async () => (await (await owner('/api/admin/members?show=complimentary')).json()).length
  const told = `Your access is free until ${formatLongDate(until)}. There’s nothing to pay.`
  expect([(await recordOf(id)).member.stateLine, await isListed()]).toEqual([told, 1])
  await world.advance(5)
  expect([(await billingOf(member)).hasAccess, (await recordOf(id)).freeAccess, await isListed()]).toEqual([
    false,
    null,
    0,
  ])
  expect((await readError(await send(at, 'PUT', { until, version: 2 }))).fields).toEqual({
    until: 'The last day can’t be before today.',
  })
  expect((await send(at, 'PUT', { until: null, version: 2 })).status).toBe(200)
  expect((await billingOf(member)).hasAccess).toBe(true)
  expect((await send(at, 'DELETE')).status).toBe(200)
  expect((await billingOf(member)).hasAccess).toBe(false)
  const ofOwner = `/api/admin/members/${world.addOwner().id}/free-access`
  expect((await send(ofOwner, 'PUT', { until: null, version: 1 })).status).toBe(409)
})

test('two owners who give or end free access at once: the later one is shown both, and overwrites nothing unseen', async () => {
  const at = `/api/admin/members/${world.addUser().id}/free-access`
  const until = addDays(londonDay(world.ctx.billingNow()), 3)
  expect((await send(at, 'PUT', { until, version: 1 })).status).toBe(200)
  const late = await send(at, 'PUT', { until: null, version: 1 })
  expect([late.status, (await late.json()).error]).toMatchObject([
    409,
    {
      code: 'version_conflict',
      versions: { sent: { until: null, version: 1 }, current: { freeAccess: { until }, version: 2 } },
    },
  ])
  // Sending the same again after a lost response isn't a conflict.
  expect((await send(at, 'PUT', { until, version: 1 })).status).toBe(200)
  expect((await send(`${at}?version=1`, 'DELETE')).status).toBe(409)
  expect((await send(`${at}?version=2`, 'DELETE')).status).toBe(200)
  expect((await send(at, 'PUT', { until })).status).toBe(422)
})

test('free access that is over is taken back by the job, and who has no other access is told once how to carry on', async () => {
  const [guest, payer] = [world.addUser({ email: 'guest@example.com' }), world.addMember()]
  const until = londonDay(world.ctx.billingNow())
  for (const { id } of [guest, payer]) await send(`/api/admin/members/${id}/free-access`, 'PUT', { until, version: 1 })
  const columns = () =>
    relational(world.ctx.db)
      .query.users.findMany({ columns: { isMember: true, accessOverride: true } })
      .sync()
      .slice(-2)
  const run = () => runJob(world.ctx, 'free-access')
  expect(await run()).toMatchObject({ report: { ended: 0, mails: 0 } })
  await world.advance(1)
  expect([await run(), await run()]).toMatchObject([
    { report: { ended: 2, mails: 1 } },
    { report: { ended: 0, mails: 0 } },
  ])
  expect(columns()).toEqual([
    { isMember: false, accessOverride: null },
    { isMember: true, accessOverride: null },
  ])
  const [mail, ...more] = [...mailsTo(guest.email), ...mailsTo(payer.email)]
  expect([mail?.subject, more]).toEqual(['Your free access has ended', []])
  expect(mail?.text).toContain(`ended on ${formatLongDate(until)}.`)
  expect(mail?.text).toContain('Carry on as a member:\nhttp://localhost:3000/reactivate')
})

test('the way to the card is mailed, and activity, mails, notes and calls of one member are theirs alone', async () => {
  const { id, at } = await join()
  const stranger = world.addUser({ email: 'stranger@example.com' })
  const once = { method: 'POST', headers: { 'idempotency-key': world.ctx.newId() } }
  for (const call of [owner, owner]) {
    expect(await (await call(`${at}/card-link`, once)).json()).toMatchObject({ sentTo: sam.email })
  }
  expect(countRows(world, 'mail_outbox', `cause like 'card-link:%'`)).toBe(1)
  expect((await send(`/api/admin/members/${stranger.id}/card-link`, 'POST')).status).toBe(409)
  const mails = async (who: string) =>
    (await (await owner(`/api/admin/mail?member=${who}`)).json()).map((mail: { kind: string }) => mail.kind)
  expect([(await mails(id))[0], await mails(stranger.id)]).toEqual(['card-link', []])
  const activity = async (who: string) =>
    v.parse(MemberActivityList, await (await owner(`/api/admin/members/${who}/activity`)).json())
  expect((await activity(id))[0]).toMatchObject({ action: 'member.card_link', by: 'owner', name: 'Olive Hart' })
  expect(await activity(stranger.id)).toEqual([])
  const notes = `/api/admin/inbox/members/${id}/notes`
  expect((await send(notes, 'POST', { text: 'Rings on Fridays' })).status).toBe(200)
  expect(await (await owner(notes)).json()).toMatchObject([{ text: 'Rings on Fridays', author: 'Olive Hart' }])
  expect(await (await owner(`/api/admin/coaching-bookings?email=${sam.email}`)).json()).toEqual([])
  await send(`${at}/subscription/cancel`, 'POST')
  await send(at, 'DELETE')
  expect(countRows(world, 'inbox_notes')).toBe(0)
})

test('what a member has said about campaigns is in the record, with its day and the file it came from', async () => {
  const { call, id } = await join()
  const choose = (isWanted: boolean) =>
    call('/api/user/mail-choices', { method: 'PUT', body: { purpose: 'news', isWanted } })
  const news = async () => (await recordOf(id)).news
  expect(await news()).toBeNull()
  expect((await choose(true)).status).toBe(200)
  const at = world.ctx.now().toISOString().slice(0, 10)
  expect(await news()).toEqual({ isWanted: true, at: expect.stringContaining(at), source: null })
  world.ctx.db.update(mailAgreements).set({ source: 'members.csv' }).run()
  expect(await news()).toMatchObject({ isWanted: true, source: 'members.csv' })
  expect((await choose(false)).status).toBe(200)
  expect(await news()).toMatchObject({ isWanted: false, source: null })
})
