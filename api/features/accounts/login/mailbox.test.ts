// @module-tag full
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { beginJoin, cookieFrom, countRows, sam } from '#api/testing/joining.ts'
import { addWithPassword, behindProxy, logIn, password, signInByCode } from '#api/testing/passwords.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { ownPhotoPath, photoType } from '#shared/contract/photo.ts'
import { issueLink } from './link-service.ts'

const strangers = 'stranger@elsewhere.example'
const newPassword = 'a-van-that-starts-42'

let world: World
beforeEach(() => {
  world = startWorld()
})

function tokenMailedTo(to: string): string {
  const mails = world.ctx.db.select({ to: mailOutbox.to, text: mailOutbox.text }).from(mailOutbox).all()
  return /(?:token|continue)=([\w-]+)/.exec(mails.findLast((mail) => mail.to === to)?.text ?? '')?.[1] ?? ''
}

async function askFor(call: Call, email: string) {
  await call('/api/auth/proof', { body: { password } })
  return call('/api/user/profile', { method: 'PATCH', body: { email } })
}
const confirm = (token: string) => world.call('/api/email-change/confirm', { body: { token } })
const statusOf = async (response: Promise<Response>) => (await response).status

describe('the link that continues joining', () => {
  test('leaves nothing to a stranger who has joined with the address before', async () => {
    const stranger = world.signIn(world.addUser({ email: sam.email }))
    expect(await statusOf(askFor(stranger, strangers))).toBe(200)
    const change = tokenMailedTo(strangers)
    expect((await readError(await world.call('/api/create-subscription', { body: sam }))).code).toBe('account_exists')
    const continued = await world.call('/api/auth/continue', { body: { token: tokenMailedTo(sam.email) } })
    const own = { headers: { cookie: cookieFrom(continued) } }
    expect(await (await world.call('/api/user/profile', own)).json()).toMatchObject({ pendingEmail: null })
    expect((await readError(await confirm(change))).code).toBe('invalid_link')
    expect(await statusOf(stranger('/api/auth/user'))).toBe(401)
    expect(await (await world.call('/api/auth/user', own)).json()).toMatchObject({ email: sam.email })
    expect(countRows(world, 'audit_entries', `action = 'auth.continued'`)).toBe(1)
  })

  test('revokes the links for a password that are still on their way', async () => {
    world.addUser({ email: sam.email })
    const { token } = issueLink(world.ctx, sam.email, 'password')
    await world.call('/api/create-subscription', { body: sam })
    const body = { token: tokenMailedTo(sam.email) }
    expect(await statusOf(world.call('/api/auth/continue', { body }))).toBe(200)
    expect(await statusOf(world.call('/api/auth/reset-password', { body: { token, newPassword } }))).toBe(400)
  })

  test('is not undone by a password that was on its way when it was opened', async () => {
    const stranger = world.signIn(world.addUser({ email: sam.email }))
    await world.call('/api/create-subscription', { body: sam })
    const late = stranger('/api/auth/set-password', { body: { newPassword } })
    const continued = await world.call('/api/auth/continue', { body: { token: tokenMailedTo(sam.email) } })
    expect(continued.status).toBe(200)
    expect(await readError(await late)).toMatchObject({ status: 401, code: 'unauthenticated' })
    const own = { headers: { cookie: cookieFrom(continued) } }
    expect(await (await world.call('/api/auth/user', own)).json()).toMatchObject({ hasPassword: false })
  })
})

/** Everything a stranger can set up on an account they made, and whether each still works. */
async function squat(email = sam.email) {
  const session = world.signIn(world.addUser({ email }))
  expect(await statusOf(session('/api/auth/set-password', { body: { newPassword } }))).toBe(200)
  const { token } = await (await world.call('/api/auth/token', { body: { email, password: newPassword } })).json()
  expect(await statusOf(logIn(world.call, { email, password: newPassword }))).toBe(200)
  expect(await statusOf(session('/api/auth/proof', { body: { password: newPassword } }))).toBe(200)
  expect(await statusOf(askFor(session, strangers))).toBe(200)
  const change = tokenMailedTo(strangers)
  return {
    session,
    works: async () => [
      await statusOf(session('/api/auth/user')),
      await statusOf(world.call('/api/auth/user', { headers: { authorization: `Bearer ${token}` } })),
      await statusOf(logIn(world.call, { email, password: newPassword })),
      await statusOf(confirm(change)),
    ],
  }
}

describe('a code by mail, where nobody has shown before that the mailbox is theirs', () => {
  test('takes from a stranger all that opens the account or moves it', async () => {
    const { session, works } = await squat()
    const own = await signInByCode(world, sam.email)
    expect((await readError(await session('/api/auth/user'))).message).toMatch(
      /address was confirmed by email.+“Forgot your password\?” on the login page\.$/,
    )
    expect([own.isPasswordRemoved, own.user.hasPassword]).toEqual([true, false])
    expect(countRows(world, 'known_devices')).toBe(1)
    expect(await works()).toEqual([401, 401, 401, 400])
    expect(await (await own.call('/api/user/profile')).json()).toMatchObject({ email: sam.email, pendingEmail: null })
    const actions = await (await own.call('/api/user/activity')).json()
    expect(actions.map(({ action }: { action: string }) => action)).toContain('auth.password_removed')
    expect(await statusOf(own.call('/api/auth/set-password', { body: { newPassword: 'ladders up the wall' } }))).toBe(
      200,
    )
  })

  test('leaves no number, no billing address and no consent of a stranger’s with their password', async () => {
    const { session } = await squat()
    expect(await statusOf(session('/api/user/profile', { method: 'PATCH', body: { phone: '07700 900999' } }))).toBe(200)
    const news = { purpose: 'news', isWanted: true }
    expect(await statusOf(session('/api/user/mail-choices', { method: 'PUT', body: news }))).toBe(200)
    const address = { line1: '9 Elsewhere', town: 'Leeds', postcode: 'LS9 9ZZ', country: 'GB' }
    expect(await statusOf(session('/api/billing/address', { method: 'PUT', body: address }))).toBe(200)
    const own = await signInByCode(world, sam.email)
    expect(await (await own.call('/api/user/profile')).json()).toMatchObject({ phone: null, firstName: 'Danny' })
    expect(await (await own.call('/api/billing/address')).json()).toEqual({ address: null })
    const choices = await (await own.call('/api/user/mail-choices')).json()
    expect(choices).toContainEqual({ ...news, isWanted: false })
  })

  test('leaves no photo and no consent where no password was set, but what somebody typed who began to join, and each no', async () => {
    const phone = '07700 900123'
    const stranger = world.signIn(world.addUser({ email: sam.email, phone }))
    const news = { purpose: 'news', isWanted: true }
    const reminders = { purpose: 'call-reminder', isWanted: false }
    for (const body of [news, reminders]) {
      expect(await statusOf(stranger('/api/user/mail-choices', { method: 'PUT', body }))).toBe(200)
    }
    const create = { width: 300, height: 300, channels: 3, background: '#aa2211' } as const
    const photo = await sharp({ create }).webp().toBuffer()
    const headers = { cookie: stranger.cookie, 'content-type': photoType }
    const request = { method: 'PUT', headers, body: new Uint8Array(photo) }
    expect(await statusOf(world.handle(new Request(`http://localhost${ownPhotoPath}`, request)))).toBe(200)
    const own = await signInByCode(world, sam.email)
    expect(own.user).toMatchObject({ profileImageUrl: null })
    expect(countRows(world, 'member_photos')).toBe(0)
    expect(await (await own.call('/api/user/mail-choices')).json()).toEqual(
      expect.arrayContaining([{ ...news, isWanted: false }, reminders]),
    )
    expect(await (await own.call('/api/user/profile')).json()).toMatchObject({ phone, version: 2 })
  })

  test('leaves what an owner typed of somebody whom nobody has been in for', async () => {
    world.addUser({ email: sam.email, phone: '07700 900123' })
    const own = await signInByCode(world, sam.email)
    expect(await (await own.call('/api/user/profile')).json()).toMatchObject({ phone: '07700 900123' })
  })

  test('locks nobody out by the logins of a stranger, right or wrong, and tells of the password all the same', async () => {
    world = startWorld({ env: behindProxy })
    const { email } = addWithPassword(world, { emailProvenAt: null })
    for (let at = 0; at < 61; at += 1) await logIn(world.call, { email })
    for (let at = 0; at < 51; at += 1) {
      await logIn(world.call, { email, password: 'wrong' }, { address: `192.0.2.${at}` })
    }
    expect(await statusOf(logIn(world.call, { email }))).toBe(429)
    const own = await signInByCode(world, email)
    expect(own.isPasswordRemoved).toBe(true)
    expect(await statusOf(own.call('/api/auth/set-password', { body: { newPassword } }))).toBe(200)
    expect(await statusOf(logIn(world.call, { email, password: newPassword }))).toBe(200)
  })

  test('takes nothing in a browser that is logged in to the account: its maker has the mailbox', async () => {
    const { session, works } = await squat()
    const elsewhere = world.signIn({ id: (await (await session('/api/auth/user')).json()).id, email: sam.email })
    const own = await signInByCode(world, sam.email, session.cookie)
    expect([own.isPasswordRemoved, own.user.hasPassword]).toEqual([false, true])
    expect(await statusOf(elsewhere('/api/auth/user'))).toBe(200)
    // It's shown only once.
    expect((await signInByCode(world, sam.email)).isPasswordRemoved).toBe(false)
    expect((await works()).slice(1)).toEqual([200, 200, 200])
  })

  test('takes nothing from a member: who has paid while logged in is the account’s person', async () => {
    const at = world.ctx.now().toISOString()
    const member = addWithPassword(world, { emailProvenAt: null, membershipStartDate: at })
    const here = world.signIn(member)
    const elsewhere = await signInByCode(world, member.email)
    expect([elsewhere.isPasswordRemoved, await statusOf(here('/api/auth/user'))]).toEqual([false, 200])
    expect(await statusOf(logIn(world.call, member))).toBe(200)
  })
})

test('who has set a password by a mailed link keeps it, and every login, at the next code', async () => {
  const person = world.addUser()
  await world.call('/api/auth/forgot-password', { body: { email: person.email } })
  const body = { token: tokenMailedTo(person.email), newPassword }
  expect(await statusOf(world.call('/api/auth/reset-password', { body }))).toBe(200)
  const here = world.signIn(person)
  expect((await signInByCode(world, person.email)).isPasswordRemoved).toBe(false)
  expect(await statusOf(here('/api/auth/user'))).toBe(200)
  expect(await statusOf(logIn(world.call, { email: person.email, password: newPassword }))).toBe(200)
})

test('a code leaves a welcome’s link to set the first password, once, and no ordinary link', async () => {
  const week = 7 * 24 * 60
  const linkOf = (email: string, minutes?: number) => issueLink(world.ctx, email, 'password', minutes).token
  const use = (token: string) => statusOf(world.call('/api/auth/reset-password', { body: { token, newPassword } }))
  const [fay, kim, lee] = [world.addUser(), world.addUser(), addWithPassword(world, { emailProvenAt: null })]
  const [welcome, ordinary, stolen] = [linkOf(fay.email, week), linkOf(kim.email), linkOf(lee.email, week)]
  const own = await signInByCode(world, fay.email)
  for (const { email } of [kim, lee]) await signInByCode(world, email)
  expect([await use(ordinary), await use(stolen)]).toEqual([400, 400])
  world.forward(2 * 24 * 3600_000)
  expect(await use(welcome)).toBe(200)
  expect(await use(welcome)).toBe(400)
  expect(await statusOf(own.call('/api/auth/user'))).toBe(401)

  const ann = world.addUser()
  const late = linkOf(ann.email, week)
  const ways = await signInByCode(world, ann.email)
  expect(await statusOf(ways.call('/api/auth/set-password', { body: { newPassword } }))).toBe(200)
  expect(await use(late)).toBe(400)
})

describe('a change of address', () => {
  const opens = [
    ['proves it to the browser that is logged in to the account', true],
    ['proves nothing where somebody else may have opened it', false],
  ] as const

  test.each(opens)('whose link is opened %s', async (_, isOwn) => {
    const danny = addWithPassword(world, { email: 'danny@example.com' })
    const asking = world.signIn(danny)
    expect(await statusOf(askFor(asking, sam.email))).toBe(200)
    const open = isOwn ? asking : world.call
    const body = { token: tokenMailedTo(sam.email) }
    expect(await statusOf(open('/api/email-change/confirm', { body }))).toBe(200)
    expect(await statusOf(asking('/api/auth/user'))).toBe(200)
    expect((await signInByCode(world, sam.email)).isPasswordRemoved).toBe(!isOwn)
    expect(await statusOf(asking('/api/auth/user'))).toBe(isOwn ? 200 : 401)
    expect(await statusOf(logIn(world.call, { email: sam.email, password }))).toBe(isOwn ? 200 : 401)
  })
})

test('an account that was a member’s at another address is its maker’s no more at the first code', async () => {
  const membershipStartDate = world.ctx.now().toISOString()
  const stranger = addWithPassword(world, { email: strangers, membershipStartDate })
  const call = world.signIn(stranger)
  expect(await statusOf(askFor(call, sam.email))).toBe(200)
  expect(await statusOf(confirm(tokenMailedTo(sam.email)))).toBe(200)
  expect((await signInByCode(world, sam.email)).isPasswordRemoved).toBe(true)
  expect(await statusOf(call('/api/auth/user'))).toBe(401)
})

test('a member who has moved keeps their logins at the first code, while the membership is paid for', async () => {
  const at = world.ctx.now().toISOString()
  const member = world.addMember({ email: strangers, membershipStartDate: at, emailProvenAt: at })
  const call = world.signIn(member)
  expect(await statusOf(askFor(call, sam.email))).toBe(200)
  expect(await statusOf(confirm(tokenMailedTo(sam.email)))).toBe(200)
  await signInByCode(world, sam.email)
  expect(await statusOf(call('/api/auth/user'))).toBe(200)
})

describe('an address that is put right', () => {
  const mistyped = 'smo@example.com'
  const corrections: [string, (call: Call, id: string) => Promise<Response>][] = [
    ['with the first password', (call) => call('/api/auth/set-password', { body: { newPassword, email: sam.email } })],
    [
      'by an owner',
      (_, id) => {
        const body = { firstName: 'Sam', lastName: 'Field', email: sam.email, phone: null, businessName: null }
        const request = { method: 'PUT', body: { ...body, trade: null, version: 1 } }
        return world.signIn(world.addOwner())(`/api/admin/members/${id}/profile`, request)
      },
    ],
  ]

  test.each(corrections)('%s is nobody’s mailbox before it is shown to be', async (_, correct) => {
    const person = world.addUser({ email: mistyped, emailProvenAt: world.ctx.now().toISOString() })
    const call = world.signIn(person)
    await askFor(call, strangers)
    expect(await statusOf(correct(call, person.id))).toBe(200)
    expect(await (await call('/api/user/profile')).json()).toMatchObject({
      email: sam.email,
      pendingEmail: null,
      version: 2,
    })
    await signInByCode(world, sam.email)
    expect(await statusOf(call('/api/auth/user'))).toBe(401)
  })

  test('in the join takes no access that owners gave to an address that nobody has confirmed', async () => {
    const paid = await startPaymentWorld()
    world = paid
    try {
      const person = world.addUser({ email: mistyped, accessOverride: 'granted' })
      const call = world.signIn(person)
      await beginJoin(call, sam)
      expect(await (await call('/api/auth/user')).json()).toMatchObject({ email: mistyped, isMember: true })
    } finally {
      await paid.stop()
    }
  })

  test('in the join leaves no way back to what was mailed before, and is recorded', async () => {
    const paid = await startPaymentWorld()
    world = paid
    try {
      const { cookie } = await beginJoin(world.call, { ...sam, email: mistyped })
      const { call } = await signInByCode(world, mistyped, cookie)
      await askFor(call, strangers)
      const change = tokenMailedTo(strangers)
      const { token } = issueLink(world.ctx, mistyped, 'password')
      await beginJoin(call, sam)
      expect(await (await call('/api/user/profile')).json()).toMatchObject({
        email: sam.email,
        pendingEmail: null,
        version: 2,
      })
      await beginJoin(call, { ...sam, email: mistyped })
      expect(await statusOf(confirm(change))).toBe(400)
      expect(await statusOf(world.call('/api/auth/reset-password', { body: { token, newPassword } }))).toBe(400)
      expect(countRows(world, 'audit_entries', `action = 'member.profile_changed' and detail like '%"email"%'`)).toBe(2)
      await signInByCode(world, mistyped)
      expect(await statusOf(call('/api/auth/user'))).toBe(401)
    } finally {
      await paid.stop()
    }
  })
})
