import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ensureOwners } from '#api/features/accounts/owners/service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startSmtp } from '#api/mail/testing/smtp-server.ts'
import { becomeMember, personCalled } from '#api/testing/billing.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { addPasskeyRow } from '#api/testing/passkeys.ts'
import { addWithPassword, logIn, password } from '#api/testing/passwords.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'

const minute = 60_000
const day = 24 * 60 * minute
const wanted = 'danny@marsh.example'

let world: World
let danny: TestPerson
let call: Call
beforeEach(() => {
  world = startWorld()
  danny = addWithPassword(world, { email: 'danny@example.com' })
  call = world.signIn(danny)
})

const patch = (email = wanted, by = call) => by('/api/user/profile', { method: 'PATCH', body: { email } })
const prove = (by = call) => by('/api/auth/proof', { body: { password } })
/** The browser asks for the password each time, so do the same. */
const ask = async (email = wanted, by = call) => {
  await prove(by)
  return patch(email, by)
}
const open = (what: 'confirm' | 'undo', token: string, of: World = world) =>
  of.call(`/api/email-change/${what}`, { body: { token } })

/** Danny's address has changed, in a world with payments. An undo link went to the old one. */
async function startMoved() {
  const paid = await startPaymentWorld()
  onTestFinished(paid.stop)
  const dannys = addWithPassword(paid, { email: danny.email })
  const by = paid.signIn(dannys)
  await ask(wanted, by)
  expect((await open('confirm', await tokenMailedTo(wanted, paid), paid)).status).toBe(200)
  return { paid, dannys, by, undo: await tokenMailedTo(danny.email, paid) }
}

function tokenFor(to: string, of: World = world): string {
  const query = of.ctx.sqlite.prepare<[string], string>('select text from mail_outbox where "to" = ? order by id desc')
  return /token=([\w-]+)/.exec(query.pluck().get(to) ?? '')?.[1] ?? ''
}

async function tokenMailedTo(to: string, of: World = world): Promise<string> {
  await runJob(of.ctx, 'mail')
  return tokenFor(to, of)
}

async function changed() {
  await ask()
  const response = await open('confirm', await tokenMailedTo(wanted))
  expect([response.status, await response.json()]).toEqual([200, { email: wanted }])
}

describe('another email address', () => {
  test('API-13 counts once the link that was mailed to it is opened; until then nothing has changed', async () => {
    const response = await (await ask()).json()
    expect(response).toMatchObject({ email: danny.email, pendingEmail: { email: wanted }, version: 1 })
    expect((await logIn(world.call, danny)).status).toBe(200)
    const token = await tokenMailedTo(wanted)
    expect(JSON.stringify(world.ctx.sqlite.prepare('select * from email_changes').all())).not.toContain(token)
    expect((await open('confirm', token)).status).toBe(200)
    expect((await logIn(world.call, { email: wanted })).status).toBe(200)
    expect((await logIn(world.call, danny)).status).toBe(401)
    expect(await (await call('/api/user/profile')).json()).toMatchObject({
      email: wanted,
      pendingEmail: null,
      version: 2,
    })
    // The page the link opened is reloaded.
    expect((await open('confirm', token)).status).toBe(200)
  })

  test('V7.5.1 API-13 asks each time for a proof of the last two minutes, and a login is none', async () => {
    const refused = { status: 403, code: 'password_needed' }
    expect(await readError(await patch())).toMatchObject(refused)
    expect((await prove()).status).toBe(200)
    world.forward(2 * minute + 1)
    expect(await readError(await patch())).toMatchObject(refused)
    await prove()
    world.forward(2 * minute)
    expect((await patch()).status).toBe(200)
    expect(await readError(await patch('second@marsh.example'))).toMatchObject(refused)
    const other = { method: 'PATCH', body: { trade: 'Plumber' } }
    expect((await call('/api/user/profile', other)).status).toBe(200)
  })

  test('API-13 needs no proof of who has no password yet', async () => {
    expect((await patch(wanted, world.signIn(world.addUser()))).status).toBe(200)
  })

  test('that of an owner the settings name, or one too many is refused, and a visitor’s guess opens nothing', {
    tags: ['full'],
  }, async () => {
    const named = world.addUser({ email: world.ctx.settings.ownerEmails[0] ?? '' })
    ensureOwners(world.ctx)
    expect((await readError(await ask(wanted, world.signIn(named)))).fields?.email).toMatch(/set on the server/)
    for (let at = 0; at < 5; at++) expect((await ask(`danny${at}@marsh.example`)).status).toBe(200)
    expect((await ask()).status).toBe(429)
    expect((await readError(await open('confirm', 'made-up'))).code).toBe('invalid_link')
  })

  test('only the newest link works, for a day, and giving the old address again withdraws it', async () => {
    await ask('first@marsh.example')
    const first = await tokenMailedTo('first@marsh.example')
    await ask()
    const second = await tokenMailedTo(wanted)
    expect((await open('confirm', first)).status).toBe(400)
    await ask(danny.email)
    expect((await open('confirm', second)).status).toBe(400)
    await ask()
    const third = await tokenMailedTo(wanted)
    world.forward(day)
    expect((await open('confirm', third)).status).toBe(400)
  })

  test('the old address takes it back within 7 days: every login ends, passkeys go, and a new password is asked for', async () => {
    await changed()
    const undo = await tokenMailedTo(danny.email)
    addPasskeyRow(world.ctx, danny.id)
    expect((await readError(await ask('third@marsh.example'))).fields?.email).toMatch(/again from 19 June 2026/)
    world.forward(6 * day)
    const response = await open('undo', undo)
    const { email, resetToken } = await response.json()
    expect([response.status, email]).toEqual([200, danny.email])
    expect((await call('/api/auth/user')).status).toBe(401)
    expect(countRows(world, 'passkeys')).toBe(0)
    expect((await logIn(world.call, danny)).status).toBe(401)
    const newPassword = 'a-van-that-starts-42'
    expect((await world.call('/api/auth/reset-password', { body: { token: resetToken, newPassword } })).status).toBe(
      200,
    )
    expect((await logIn(world.call, { email: danny.email, password: newPassword })).status).toBe(200)
    expect((await open('undo', undo)).status).toBe(400)
    expect(countRows(world, 'audit_entries', `action like 'member.email%'`)).toBe(3)
  })

  test('what its person typed is still there when the old address takes it back', async () => {
    const phone = '07700 900123'
    expect((await call('/api/user/profile', { method: 'PATCH', body: { phone } })).status).toBe(200)
    const stored = () => world.ctx.sqlite.prepare('select phone from users where id = ?').pluck().get(danny.id)
    expect(stored()).toBe(phone)
    await changed()
    expect((await open('undo', await tokenMailedTo(danny.email))).status).toBe(200)
    expect(stored()).toBe(phone)
  })

  test('after 7 days it stays, and may be changed again', async () => {
    await changed()
    const undo = await tokenMailedTo(danny.email)
    world.forward(7 * day)
    expect((await open('undo', undo)).status).toBe(400)
    expect((await ask('third@marsh.example', world.signIn({ ...danny, email: wanted }))).status).toBe(200)
  })
})

describe('a change that waits for its link', () => {
  const newPassword = 'a-van-that-starts-42'
  const resetBy = async (token: string) => world.call('/api/auth/reset-password', { body: { token, newPassword } })
  const newPasswords: [string, () => Promise<Response>][] = [
    [
      'is reset',
      async () => {
        await world.call('/api/auth/forgot-password', { body: { email: danny.email } })
        return resetBy(await tokenMailedTo(danny.email))
      },
    ],
    ['is changed', () => call('/api/auth/change-password', { body: { currentPassword: password, newPassword } })],
  ]

  test.each(newPasswords)(
    'opens nothing once the password %s: who asked may be a stranger',
    { tags: ['full'] },
    async (_, setPassword) => {
      await ask()
      const token = await tokenMailedTo(wanted)
      expect((await setPassword()).status).toBe(200)
      expect((await readError(await open('confirm', token))).code).toBe('invalid_link')
      expect((await logIn(world.call, { email: danny.email, password: newPassword })).status).toBe(200)
    },
  )

  test('is withdrawn by another password, which says so, but only where it waited', { tags: ['full'] }, async () => {
    const change = async (currentPassword: string, next: string) => {
      const body = { currentPassword, newPassword: next }
      return (await call('/api/auth/change-password', { body })).json()
    }
    expect(await change(password, newPassword)).toEqual({ success: true, isEmailChangeWithdrawn: false })
    await ask()
    expect(await change(newPassword, password)).toEqual({ success: true, isEmailChangeWithdrawn: true })
    await ask()
    world.forward(day)
    expect(await change(password, newPassword)).toEqual({ success: true, isEmailChangeWithdrawn: false })
  })

  test('opens nothing once the account has its first password', { tags: ['full'] }, async () => {
    const newcomer = world.addUser()
    const by = world.signIn(newcomer)
    await ask(wanted, by)
    const token = await tokenMailedTo(wanted)
    const set = await by('/api/auth/set-password', { body: { newPassword } })
    expect([set.status, await set.json()]).toEqual([200, { success: true, isEmailChangeWithdrawn: true }])
    expect((await readError(await open('confirm', token))).code).toBe('invalid_link')
  })
})

test('V6.3.8 another account’s address waits like any other, and is mailed no link; five an hour', async () => {
  const other = world.addUser()
  for (let at = 0; at < 5; at += 1) expect((await ask(other.email)).status).toBe(200)
  const mails = waitingMail(world).filter(({ to }) => to === other.email)
  expect([mails.length, mails.filter(({ text }) => text.includes('token='))]).toEqual([5, []])
  for (const email of [other.email, 'nobody@marsh.example']) expect((await ask(email)).status).toBe(429)
})

test('is taken back no more once a membership was bought with it, which the link says; renewals leave it be', {
  tags: ['full'],
}, async () => {
  const { paid, by, undo } = await startMoved()
  const { call: buyer, response } = await beginJoin(by, { email: wanted, name: 'Danny Marsh' })
  await billingOf(buyer)
  // While a payment is under way nothing ends. The undo waits, or what's being paid for would go back with the account.
  await paid.control('faults', { kind: 'refuse', method: 'POST', path: '/v1/invoices/' })
  expect(await readError(await open('undo', undo, paid))).toMatchObject({ status: 409, code: 'conflict' })
  expect(countRows(paid, 'email_changes', 'undoHash is not null')).toBe(1)
  await paid.pay(response.clientSecret)
  await paid.sandbox.settle()
  const refused = await readError(await open('undo', undo, paid))
  expect(refused).toMatchObject({
    code: 'invalid_link',
    message: expect.stringMatching(/bought a membership with the account/),
  })
  expect((await by('/api/auth/user')).status).toBe(200)
  paid.forward(8 * day)
  expect((await by('/api/auth/proof', { body: { password } })).status).toBe(200)
  await ask(danny.email, by)
  expect((await open('confirm', await tokenMailedTo(danny.email, paid), paid)).status).toBe(200)
  const secondUndo = await tokenMailedTo(wanted, paid)
  await paid.advance(32)
  expect(countRows(paid, 'provider_invoices', 'amountPaid > 0')).toBe(2)
  expect((await open('undo', secondUndo, paid)).status).toBe(200)
})

test('a membership that is begun and not paid keeps no address from being taken back: it ends, and nobody can pay it', async () => {
  const { paid, dannys, by, undo } = await startMoved()
  const { response } = await beginJoin(by, { email: wanted, name: 'Danny Marsh' })
  const late = paid.signIn({ id: dannys.id, email: wanted })('/api/create-subscription', { body: sam })
  const undone = await open('undo', undo, paid)
  expect([undone.status, await undone.json()]).toMatchObject([200, { email: danny.email }])
  await late
  expect((await by('/api/auth/user')).status).toBe(401)
  expect((await paid.pay(response.clientSecret)).status).not.toBe(200)
  await paid.sandbox.settle()
  expect(countRows(paid, 'users', `email = '${danny.email}' and not isMember and passwordHash is null`)).toBe(1)
  expect(countRows(paid, 'provider_invoices', 'amountPaid > 0')).toBe(0)
})

test('an order that the provider refuses as it is ended keeps no address from being taken back', async () => {
  const { paid, by, undo } = await startMoved()
  // Both orders lose their responses. Only a repeat shows whether a subscription was created.
  await paid.control('faults', { kind: 'lost', method: 'POST', path: '/v1/subscriptions', times: 3 })
  expect((await by('/api/create-subscription', { body: { ...sam, email: wanted } })).status).toBe(502)
  expect(countRows(paid, 'purchase_attempts', 'closedAt is null')).toBe(1)
  await paid.control('faults', { kind: 'refuse', method: 'POST', path: '/v1/subscriptions' })
  expect((await open('undo', undo, paid)).status).toBe(200)
  expect(countRows(paid, 'purchase_attempts', `outcome = 'refused'`)).toBe(1)
})

test('a payment that arrives with the undo is its buyer’s, and the link says so', { tags: ['full'] }, async () => {
  const { paid, by, undo } = await startMoved()
  const { response } = await beginJoin(by, { email: wanted, name: 'Danny Marsh' })
  await paid.control('settings', { webhooks: { hold: true } })
  await paid.pay(response.clientSecret)
  expect(await readError(await open('undo', undo, paid))).toMatchObject({
    code: 'invalid_link',
    message: expect.stringMatching(/bought a membership with the account/),
  })
  expect(await billingOf(by)).toMatchObject({ status: 'active', hasAccess: true })
})

test('the payment provider’s customer follows, at once or with the next reading', { tags: ['full'] }, async () => {
  const paid = await startPaymentWorld()
  try {
    const buyer = await becomeMember(paid)
    const customer = onlyCustomer(paid)
    const emailThere = async () => {
      const found = await paid.ctx.stripe.customers.retrieve(customer)
      return found.deleted ? null : found.email
    }
    await ask(wanted, buyer)
    await paid.control('faults', { kind: 'error', method: 'POST', path: `/v1/customers/${customer}`, times: 3 })
    expect((await open('confirm', await tokenMailedTo(wanted, paid), paid)).status).toBe(200)
    expect(await emailThere()).toBe(sam.email)
    const owner = paid.signIn(paid.addOwner())
    expect((await owner(`/api/admin/members/${personCalled(paid, wanted).id}/sync`, { method: 'POST' })).status).toBe(
      200,
    )
    expect(await emailThere()).toBe(wanted)
  } finally {
    await paid.stop()
  }
})

test('the old address is told of the change also where the mail server was away for longer than the link works', {
  tags: ['full'],
}, async () => {
  const server = await startSmtp()
  try {
    world = startWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } })
    danny = addWithPassword(world, { email: 'danny@example.com' })
    await ask(wanted, world.signIn(danny))
    expect((await open('confirm', tokenFor(wanted))).status).toBe(200)
    server.isAway = true
    world.forward(8 * day)
    await runJob(world.ctx, 'mail')
    server.isAway = false
    world.forward(minute)
    await runJob(world.ctx, 'mail')
    expect(server.taken.map(({ to }) => to)).toEqual([[danny.email]])
    expect(server.taken[0]?.raw).toContain('Subject: Your email address was changed')
  } finally {
    await server.stop()
  }
})
