import { beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, logIn, password } from '#api/testing/passwords.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { CallFeed } from '#shared/contract/owner-calendar.ts'
import type { OwnerInvitation, OwnersResponse } from '#shared/contract/owners.ts'
import { ensureOwners } from './service.ts'

const newPassword = 'a-van-that-starts-42'
const env = {
  SESSION_SECRET: 'x'.repeat(32),
  OWNER_EMAILS: 'olive@example.com',
  SIMPLE_ADMIN_EMAIL: 'office@example.com',
}

let world: World
beforeEach(() => {
  world = startWorld({ env })
  ensureOwners(world.ctx)
})

const idOf = (email: string) =>
  world.ctx.sqlite.prepare<[string], { id: string }>('select id from users where email = ?').get(email)?.id ?? ''
const as = (email: string) => world.signIn({ id: idOf(email), email })
const read = async (call = as('olive@example.com')): Promise<OwnersResponse> => (await call('/api/admin/owners')).json()
const emails = async () => (await read()).owners.map(({ email }) => email)
const invite = (email: string, call = as('olive@example.com')) =>
  call('/api/admin/owners/invitations', { body: { email } })

async function mails(): Promise<{ to: string; subject: string; text: string }[]> {
  await runJob(world.ctx, 'mail')
  return (await world.call('/sandbox/mail', { headers: { accept: 'application/json' } })).json()
}

async function invited(email: string): Promise<string> {
  expect((await invite(email)).status).toBe(200)
  const mail = (await mails()).find(({ to, text }) => to === email && text.includes('owner-invitation'))
  return /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

const accept = (token: string, call: World['call'] = world.call) =>
  call('/api/owner-invitation/accept', { body: { token, newPassword } })

async function addOwner(email: string) {
  expect((await accept(await invited(email))).status).toBe(200)
}

describe('an invitation', () => {
  test('makes an owner once, with a password of their own, and every owner hears of it', async () => {
    const token = await invited('owen@example.com')
    expect(await (await world.call('/api/owner-invitation', { body: { token } })).json()).toEqual({
      email: 'owen@example.com',
      hasAccount: false,
      isHere: false,
    })
    expect((await read()).invitations).toMatchObject([
      { email: 'owen@example.com', invitedBy: 'olive@example.com', expiresAt: '2026-06-14T07:40:00.000Z' },
    ])
    expect((await accept(token)).status).toBe(200)
    expect((await readError(await accept(token))).code).toBe('invalid_link')
    expect(await read()).toMatchObject({
      owners: [
        { email: 'olive@example.com', isConfigured: true, isYou: true },
        { email: 'owen@example.com', isConfigured: false, isYou: false },
      ],
      invitations: [],
      mayChange: true,
    })
    const login = await logIn(world.call, { email: 'owen@example.com', password: newPassword })
    expect((await login.json()).user).toMatchObject({ isAdmin: true, isMember: false })
    const told = (await mails()).filter(({ to }) => to === 'olive@example.com').map(({ subject }) => subject)
    expect(told).toEqual(expect.arrayContaining(['An owner was invited', 'You’ve got a new owner']))
  })

  test('to an address with an account needs its login, and leaves nothing that got in before', async () => {
    const danny = addWithPassword(world, { email: 'danny@example.com' })
    const before = world.signIn(danny)
    const token = await invited(danny.email)
    expect((await readError(await accept(token))).code).toBe('unauthenticated')
    const other = world.signIn(addWithPassword(world, { email: 'sam@example.com' }))
    expect((await readError(await accept(token, other))).code).toBe('unauthenticated')
    expect((await accept(token, before)).status).toBe(200)
    expect((await before('/api/auth/user')).status).toBe(401)
    expect((await logIn(world.call, { email: danny.email, password })).status).toBe(401)
    expect((await logIn(world.call, { email: danny.email, password: newPassword })).status).toBe(200)
  })

  test('isn’t for an owner, a paying member, or by the simple admin', async () => {
    const member = world.addMember({ email: 'danny@example.com' })
    for (const email of ['olive@example.com', member.email]) {
      const { code, fields } = await readError(await invite(email))
      expect([code, Object.keys(fields ?? {})]).toEqual(['invalid', ['email']])
    }
    expect((await invite('owen@example.com', as('office@example.com'))).status).toBe(403)
    expect((await read(as('office@example.com'))).mayChange).toBe(false)
    expect((await world.signIn(member)('/api/admin/owners')).status).toBe(403)
  })

  test('runs out after 48 hours, or when it’s cancelled or replaced', async () => {
    const first = await invited('owen@example.com')
    await invite('owen@example.com')
    expect((await readError(await accept(first))).code).toBe('invalid_link')
    const [open] = (await read()).invitations as OwnerInvitation[]
    const call = as('olive@example.com')
    expect((await call(`/api/admin/owners/invitations/${open?.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await read()).invitations).toEqual([])
    const late = await invited('fay@example.com')
    world.forward(48 * 3_600_000)
    expect((await readError(await accept(late))).code).toBe('invalid_link')
  })
})

describe('removing an owner', () => {
  const remove = (email: string, call = as('olive@example.com')) =>
    call(`/api/admin/owners/${idOf(email)}`, { method: 'DELETE' })

  test('ends their logins and tokens straight away; a configured owner stays', async () => {
    await addOwner('owen@example.com')
    const owen = as('owen@example.com')
    expect((await owen('/api/admin/owners')).status).toBe(200)
    expect((await readError(await remove('olive@example.com', owen))).code).toBe('conflict')
    expect((await remove('owen@example.com')).status).toBe(200)
    expect((await owen('/api/admin/owners')).status).toBe(401)
    expect(await emails()).toEqual(['olive@example.com'])
    expect(countRows(world, 'sessions')).toBeGreaterThan(0)
    const subjects = (await mails()).filter(({ subject }) => subject === 'An owner was removed')
    expect(subjects.map(({ to }) => to).sort()).toEqual(['olive@example.com', 'owen@example.com'])
  })

  test('ends the calendar feeds whose address they know, and no one else’s', async () => {
    await addOwner('owen@example.com')
    const [olive, owen] = [as('olive@example.com'), as('owen@example.com')]
    const path = '/api/admin/calendar/feeds'
    const make = async (call: Call, renews = '') =>
      (await call(`${path}${renews}`, { method: 'POST', body: {} })).json()
    const status = async ({ url }: { url: string }) => (await world.call(new URL(url).pathname)).status
    const [hers, his, passedOn] = [await make(olive), await make(owen), await make(owen)]
    const takenOver = await make(olive, `/${passedOn.id}/renew`)
    const seen = await make(owen, `/${(await make(olive)).id}/renew`)
    const listed: CallFeed[] = await (await olive(path)).json()
    const [byOlive, byOwen] = ['olive@example.com', 'owen@example.com']
    expect(listed.map(({ madeBy }) => madeBy)).toEqual([byOlive, byOwen, byOlive, byOwen])
    expect((await remove('owen@example.com')).status).toBe(200)
    expect(await Promise.all([hers, takenOver, his, seen].map(status))).toEqual([200, 200, 404, 404])
  })

  test('two who remove each other leave one', async () => {
    await addOwner('owen@example.com')
    await addOwner('fay@example.com')
    const [owen, fay] = [as('owen@example.com'), as('fay@example.com')]
    const both = await Promise.all([remove('fay@example.com', owen), remove('owen@example.com', fay)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await emails()).length).toBe(2)
  })

  test('an invited owner gets the owners’ mail, at the address they have now', async () => {
    await addOwner('owen@example.com')
    world.ctx.sqlite.exec(`update users set email = 'owen@sparks.example' where email = 'owen@example.com'`)
    const body = { name: 'Danny Shaw', email: 'danny@example.com', message: 'Do you do vans?' }
    expect((await world.call('/api/contact', { body })).status).toBe(200)
    const to = (await mails()).filter(({ text }) => text.includes('Do you do vans?')).map((mail) => mail.to)
    expect(to).toEqual(expect.arrayContaining(['olive@example.com', 'owen@sparks.example']))
    expect(to).not.toContain('owen@example.com')
  })
})
