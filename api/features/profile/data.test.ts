import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { coachingApplication, contactMessage } from '#api/testing/enquiries.ts'
import { beginJoin, billingOf, countRows, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { addWithPassword, signInByCode } from '#api/testing/passwords.ts'
import { millLane } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { formatMoment } from '#shared/rules/london.ts'

const minute = 60_000

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const join = () => becomeMember(world, undefined, { ...sam, billingAddress: millLane })
const archive = (call: Call) => call('/api/user/archive', { method: 'POST' })
const remove = (call: Call) => call('/api/user/account', { method: 'DELETE', body: { isSure: true } })
const again = () => world.signIn(personCalled(world, sam.email))

test('V8 everything about a member comes as JSON and CSV in one ZIP, with their invoices and no secret', async () => {
  await join()
  const call = again()
  await acted(call, '/api/auth/set-password', { newPassword: 'a-van-that-starts-42' })
  const response = await archive(call)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''my-data-[\d-]{10}\.zip$/)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['README.txt', 'everything.json', 'account.csv', 'payments.csv', 'invoices.csv']),
  )
  expect(strFromU8(files['invoices/invoice-A-000001.pdf'] ?? new Uint8Array()).slice(0, 5)).toBe('%PDF-')
  const everything = JSON.parse(strFromU8(files['everything.json'] ?? new Uint8Array()))
  expect(everything.account).toMatchObject([{ email: sam.email }])
  expect(everything.invoices).toMatchObject([{ number: 'A-000001' }])
  expect(strFromU8(files['account.csv'] ?? new Uint8Array())).toContain(sam.email)
  const all = Object.values(files).map((bytes) => strFromU8(bytes, true))
  for (const secret of ['argon2', 'passwordHash', 'tokenHash'])
    expect(all.some((text) => text.includes(secret))).toBe(false)
  expect(countRows(world, 'audit_entries', `action = 'member.exported'`)).toBe(1)
})

test('V8 however long somebody has been a member, the copy is sent in small parts, never made as a whole', {
  tags: ['full'],
}, async () => {
  const danny = addWithPassword(world)
  world.ctx.sqlite
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into audit_entries (id, at, actor, action, targetId, detail)
      select printf('big-%06d', i), '2026-06-12T07:40:00.000Z', 'system', 'auth.login', ?, json_object('a', hex(randomblob(60)))
      from n`,
    )
    .run(danny.id)
  const response = await archive(world.signIn(danny))
  const parts: Uint8Array[] = []
  for await (const part of response.body ?? []) parts.push(part)
  const sizes = parts.map((part) => part.byteLength)
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  expect([whole > 2_000_000, Math.max(...sizes) < 200_000]).toEqual([true, true])
  const files = unzipSync(new Uint8Array(Buffer.concat(parts)))
  const everything = JSON.parse(strFromU8(files['everything.json'] ?? new Uint8Array()))
  expect(everything.activity).toHaveLength(20_000)
})

test('V8 a copy needs the password lately, three a day are enough, and nobody gets another’s', async () => {
  const danny = addWithPassword(world)
  const call = world.signIn(danny)
  world.forward(11 * minute)
  expect(await readError(await archive(call))).toMatchObject({ status: 403, code: 'password_needed' })
  const proven = world.signIn(danny)
  for (let at = 0; at < 3; at++) expect((await archive(proven)).status).toBe(200)
  expect((await archive(proven)).status).toBe(429)
  expect((await archive(world.call)).status).toBe(401)
  const owner = world.signIn(world.addOwner())
  await owner(`/api/admin/impersonate/${danny.id}`, { body: { reason: 'They rang' } })
  expect((await archive(owner)).status).toBe(403)
})

test('V8 deleting the account ends the membership first; the invoices stay, other devices are told to wipe', async () => {
  await join()
  const [here, phone] = [again(), again()]
  const { id } = personCalled(world, sam.email)
  const response = await remove(here)
  expect([response.status, await response.json()]).toEqual([200, { success: true, subscriptions: 1, invoices: 1 }])
  await world.sandbox.settle()
  expect(await providerSubscriptions(world)).toEqual(['canceled'])
  expect(response.headers.getSetCookie().join()).toContain('Max-Age=0')
  expect((await (await phone('/api/auth/user')).json()).error).toMatchObject({ code: 'unauthenticated', wipe: true })
  expect([countRows(world, 'users', `id = '${id}'`), countRows(world, 'invoices')]).toEqual([0, 1])
  expect(countRows(world, 'audit_entries', `action = 'member.removed' and actor = 'user:${id}'`)).toBe(1)
})

test('V8 while the provider cannot be reached nothing is deleted, and the answer says so', async () => {
  await join()
  const call = again()
  await world.control('faults', { kind: 'error', method: 'DELETE', path: '/v1/subscriptions', times: 6 })
  expect(await readError(await remove(call))).toMatchObject({
    status: 502,
    message:
      'We don’t know yet whether the membership has ended. Your account hasn’t been deleted. Try again in a few minutes.',
  })
  expect(await billingOf(call)).toMatchObject({ status: 'active' })
})

test('V8 deleting needs the password lately; an owner’s account cannot be deleted', async () => {
  const call = world.signIn(addWithPassword(world))
  world.forward(11 * minute)
  expect((await readError(await remove(call))).code).toBe('password_needed')
  expect((await remove(world.signIn(world.addOwner()))).status).toBe(409)
})

test('a cancellation is mailed with its time, and the member keeps the same words', { tags: ['full'] }, async () => {
  const call = await join()
  const body = { version: 0, entry: 'ending.opening', value: 'Sorry to see you go.' }
  await world.signIn(world.addOwner())('/api/admin/content/mails', { method: 'PUT', body })
  await acted(call, '/api/billing/cancel')
  await world.sandbox.settle()
  const [copy] = await (await call('/api/user/cancellations')).json()
  const moment = formatMoment(copy.cancelledAt)
  expect(copy.text).toMatch(new RegExp(`You cancelled your .+ membership on ${moment}\\. It ends on `))
  const mailed = world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'ending:%'`).pluck().get()
  expect(copy.text).toBe(mailed)
  expect(copy.text).toContain('Sorry to see you go.')
  expect(await (await world.signIn(world.addMember())('/api/user/cancellations')).json()).toEqual([])
})

test('an account that its person has come to by a code is not deleted by who asked for it before', {
  tags: ['full'],
}, async () => {
  const stranger = await beginJoin(world.call)
  await world.control('faults', { kind: 'delay', ms: 1500, method: 'GET', path: '/v1/', times: 1 })
  const late = remove(stranger.call)
  const own = await signInByCode(world, sam.email)
  expect(await readError(await late)).toMatchObject({ status: 401, code: 'unauthenticated' })
  const { response } = await beginJoin(own.call)
  await world.pay(response.clientSecret)
  expect(await billingOf(own.call)).toMatchObject({ status: 'active', hasAccess: true })
})

describe('what was sent by forms', () => {
  const kit = 'kit@example.com'
  const membershipApplication = {
    firstName: 'Sam',
    lastName: 'Field',
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
  const lists = ['membership-applications', 'coaching-applications', 'messages', 'address-stopped']
  const untilProven = /Log in once with a link or code we email you, and we’ll add what you sent us through forms/

  /** Which of the archive's lists have rows, and whether it says that more will follow. */
  async function heldIn(response: Response) {
    expect(response.status).toBe(200)
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const everything = JSON.parse(strFromU8(files['everything.json'] ?? new Uint8Array()))
    const readme = strFromU8(files['README.txt'] ?? new Uint8Array())
    return { held: lists.filter((list) => everything[list].length > 0), isMoreToCome: untilProven.test(readme) }
  }

  async function formsOf(email: string) {
    await acted(world.call, '/api/membership-application', { ...membershipApplication, email })
    await acted(world.call, '/api/coaching-application', { ...coachingApplication, email })
    await acted(world.call, '/api/contact', { ...contactMessage, email })
    await acted(world.signIn(world.addOwner()), '/api/admin/suppressed-addresses', { email, reason: 'They rang' })
  }

  test('V8 is in a copy only after the address is confirmed, because anyone can make an account with it', {
    tags: ['full'],
  }, async () => {
    for (const email of [sam.email, kit]) await formsOf(email)
    const nothing = { held: [], isMoreToCome: true }
    const stranger = await beginJoin(world.call)
    const { id } = personCalled(world, sam.email)
    const owner = world.signIn(world.addOwner())
    const byOwner = () => owner(`/api/admin/members/${id}/archive`, { method: 'POST' })
    expect([await heldIn(await archive(stranger.call)), await heldIn(await byOwner())]).toEqual([nothing, nothing])
    await beginJoin(stranger.call, { ...sam, email: kit })
    expect(await heldIn(await archive(stranger.call))).toEqual(nothing)
    await beginJoin(stranger.call)
    const own = await signInByCode(world, sam.email)
    const all = { held: lists, isMoreToCome: false }
    expect([await heldIn(await archive(own.call)), await heldIn(await byOwner())]).toEqual([all, all])
  })
})
