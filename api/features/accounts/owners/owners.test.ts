import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { issueLink } from '#api/features/accounts/login/link-service.ts'
import { issueApiToken } from '#api/features/accounts/login/session-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { countRows } from '#api/testing/joining.ts'
import { addPasskeyRow } from '#api/testing/passkeys.ts'
import { addWithPassword, logIn, password } from '#api/testing/passwords.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { ensureOwners } from './service.ts'

const newPassword = 'a-van-that-starts-42'
const owners = { OWNER_EMAILS: 'olive@example.com, Owen@Example.com', SIMPLE_ADMIN_EMAIL: 'olive@example.com' }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-owners-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Restarts on the same database, as a server does. It creates owners before listening. */
function start(env: Record<string, string> = owners): World {
  const options = { env: { SESSION_SECRET: 'x'.repeat(32), ...env }, file: join(folder, 'alliance.sqlite') }
  const world = startWorld(options)
  ensureOwners(world.ctx)
  return world
}

type Row = { id: string; email: string; isAdmin: number; passwordHash: string | null }
const people = ({ ctx }: World) =>
  ctx.sqlite.prepare<[], Row>('select id, email, isAdmin, passwordHash from users order by email').all()
const recorded = ({ ctx }: World) =>
  ctx.sqlite
    .prepare<[], { role: string; email: string; userId: string | null }>(
      'select role, email, userId from owner_addresses order by role, email',
    )
    .all()

async function mailedTokens(world: World): Promise<Record<string, string>> {
  await runJob(world.ctx, 'mail')
  const mails: { to: string; text: string }[] = await (
    await world.call('/sandbox/mail', { headers: { accept: 'application/json' } })
  ).json()
  return Object.fromEntries(mails.map(({ to, text }) => [to, /token=([\w-]+)/.exec(text)?.[1] ?? '']))
}

test('SIMP-1 SIMP-4 SIMP-5 the simple dashboard is for the account of SIMPLE_ADMIN_EMAIL alone, whatever its address is now', async () => {
  const world = start()
  const isAllowed = async (email: string) => {
    const id = people(world).find((person) => person.email === email)?.id ?? ''
    return (await world.signIn({ id, email })('/api/admin/dashboard')).json()
  }
  expect(await isAllowed('olive@example.com')).toEqual({ isAllowed: true })
  expect(await isAllowed('owen@example.com')).toEqual({ isAllowed: false })
  world.ctx.sqlite.exec(`update users set email = 'hart@example.com' where email = 'olive@example.com'`)
  world.ctx.sqlite.exec(`update users set email = 'olive@example.com' where email = 'owen@example.com'`)
  expect(await isAllowed('hart@example.com')).toEqual({ isAllowed: true })
  expect(await isAllowed('olive@example.com')).toEqual({ isAllowed: false })
  expect((await world.signIn(world.addMember())('/api/admin/dashboard')).status).toBe(403)
})

describe('at the first start', () => {
  test('V6.3.2 ROLE-05 one account per address, an owner without a password, with a link by mail', async () => {
    const world = start({ ...owners, SIMPLE_ADMIN_EMAIL: 'office@example.com' })
    expect(people(world)).toMatchObject([
      { email: 'office@example.com', isAdmin: 1, passwordHash: null },
      { email: 'olive@example.com', isAdmin: 1, passwordHash: null },
      { email: 'owen@example.com', isAdmin: 1, passwordHash: null },
    ])
    const tokens = await mailedTokens(world)
    expect(Object.keys(tokens).sort()).toEqual(['office@example.com', 'olive@example.com', 'owen@example.com'])
    const token = tokens['olive@example.com']
    expect((await world.call('/api/auth/reset-password', { body: { token, newPassword } })).status).toBe(200)
    const response = await logIn(world.call, { email: 'olive@example.com', password: newPassword })
    expect((await response.json()).user).toMatchObject({ isAdmin: true, isMember: false })
  })

  test('an address in both roles is one account, recorded for each', () => {
    const world = start()
    const [olive] = people(world)
    expect(recorded(world)).toMatchObject([
      { role: 'owner', email: 'olive@example.com', userId: olive?.id },
      { role: 'owner', email: 'owen@example.com' },
      { role: 'simple_admin', email: 'olive@example.com', userId: olive?.id },
    ])
  })
})

describe('at the next start', () => {
  test('nothing is created again, nobody is mailed again, and a password stays', () => {
    const first = start()
    const set = addWithPassword(first).id
    first.ctx.sqlite
      .prepare(
        `update users set passwordHash = (select passwordHash from users where id = ?) where email = 'olive@example.com'`,
      )
      .run(set)
    const before = [people(first), first.ctx.sqlite.prepare('select id from mail_outbox').all()]
    first.ctx.sqlite.close()
    const second = start()
    expect([people(second), second.ctx.sqlite.prepare('select id from mail_outbox').all()]).toEqual(before)
  })

  test('an owner who was deleted is not created again, in either role', () => {
    const first = start({ ...owners, SIMPLE_ADMIN_EMAIL: 'owen@example.com' })
    first.ctx.sqlite.exec(`delete from users where email = 'olive@example.com'`)
    first.ctx.sqlite.close()
    const second = start()
    expect(people(second).map(({ email }) => email)).toEqual(['owen@example.com'])
    expect(recorded(second)).toContainEqual({ role: 'simple_admin', email: 'olive@example.com', userId: null })
  })

  test('a new account with a deleted owner’s address is no owner', () => {
    const first = start()
    first.ctx.sqlite.exec(`delete from users where email = 'olive@example.com'`)
    addWithPassword(first, { email: 'olive@example.com' })
    first.ctx.sqlite.close()
    const second = start()
    expect(people(second)).toMatchObject([{ isAdmin: 0, passwordHash: expect.any(String) }, { isAdmin: 1 }])
  })

  test('an owner whose address changed stays the owner, and the old address creates no second one', () => {
    const first = start()
    first.ctx.sqlite.exec(`update users set email = 'new@example.com' where email = 'olive@example.com'`)
    const before = recorded(first)
    first.ctx.sqlite.close()
    const second = start()
    expect(people(second)).toMatchObject([{ email: 'new@example.com', isAdmin: 1 }, { email: 'owen@example.com' }])
    expect(recorded(second)).toEqual(before)
  })
})

describe('an account that was there before its address was listed', () => {
  test('is promoted without its former password, passkeys, logins, devices, tokens and links', async () => {
    const first = start({ OWNER_EMAILS: 'owen@example.com', SIMPLE_ADMIN_EMAIL: 'owen@example.com' })
    const squatter = addWithPassword(first, { email: 'olive@example.com' })
    const { cookie } = first.signIn(squatter)
    const { token } = issueApiToken(first.ctx, squatter.id, 'mine')
    expect((await logIn(first.call, squatter)).status).toBe(200)
    expect(countRows(first, 'known_devices')).toBe(1)
    const links = (['password', 'join'] as const).map((purpose) => issueLink(first.ctx, squatter.email, purpose).token)
    addPasskeyRow(first.ctx, squatter.id)
    const asked = { method: 'PATCH', body: { email: 'squatter@example.com' } }
    const by = first.signIn(squatter)
    await by('/api/auth/proof', { body: { password } })
    expect((await by('/api/user/profile', asked)).status).toBe(200)
    const change = (await mailedTokens(first))['squatter@example.com']
    first.ctx.sqlite.close()
    const world = start()
    expect([countRows(world, 'passkeys'), countRows(world, 'known_devices')]).toEqual([0, 0])
    expect(people(world)[0]).toMatchObject({ id: squatter.id, isAdmin: 1, passwordHash: null })
    expect((await world.call('/api/auth/user', { headers: { cookie } })).status).toBe(401)
    expect((await world.call('/api/auth/user', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
    expect((await logIn(world.call, squatter)).status).toBe(401)
    const [reset, join] = links
    expect((await world.call('/api/auth/reset-password', { body: { token: reset, newPassword } })).status).toBe(400)
    expect((await world.call('/api/auth/continue', { body: { token: join } })).status).toBe(400)
    expect((await world.call('/api/email-change/confirm', { body: { token: change } })).status).toBe(400)
    const mailed = (await mailedTokens(world))[squatter.email]
    expect((await world.call('/api/auth/reset-password', { body: { token: mailed, newPassword } })).status).toBe(200)
  })

  test('cannot be taken back by the address that it had before', async () => {
    const first = start({ OWNER_EMAILS: 'owen@example.com' })
    const former = addWithPassword(first, { email: 'former@example.com' })
    const asked = { method: 'PATCH', body: { email: 'olive@example.com' } }
    const by = first.signIn(former)
    await by('/api/auth/proof', { body: { password } })
    expect((await by('/api/user/profile', asked)).status).toBe(200)
    const confirm = { body: { token: (await mailedTokens(first))['olive@example.com'] } }
    expect((await first.call('/api/email-change/confirm', confirm)).status).toBe(200)
    const undo = (await mailedTokens(first))['former@example.com']
    first.ctx.sqlite.close()
    const world = start({ OWNER_EMAILS: 'olive@example.com' })
    expect((await world.call('/api/email-change/undo', { body: { token: undo } })).status).toBe(400)
    expect(people(world)).toContainEqual(
      expect.objectContaining({ id: former.id, email: 'olive@example.com', isAdmin: 1 }),
    )
  })
})

test('JOIN-17 joining with an owner’s address responds as for any known one', async () => {
  const world = start({ ...owners, OWNER_EMAILS: 'olive@example.com' })
  world.ctx.sqlite.exec(`delete from users`)
  const body = { email: 'olive@example.com', name: 'Olive' }
  expect(await readError(await world.call('/api/create-subscription', { body }))).toMatchObject({
    status: 409,
    code: 'account_exists',
    message: 'You already have an account. Please log in to continue.',
  })
  expect(people(world)).toEqual([])
})

describe('a fresh link for an owner', () => {
  test('V6.4.6 is returned to an owner, which is audited, and sets a password', async () => {
    const world = start()
    const [olive, owen] = people(world)
    const call = world.signIn({ id: olive?.id ?? '', email: '' })
    const response = await call('/api/admin/owners/link', { body: { email: 'OWEN@example.com' } })
    const link: { email: string; url: string; expiresAt: string } = await response.json()
    expect(link).toMatchObject({ email: 'owen@example.com', expiresAt: '2026-06-12T08:40:00.000Z' })
    const told = world.ctx.sqlite
      .prepare(
        `select "to", text, isRepeatable from mail_outbox where subject = 'A password link for an owner was created' order by "to"`,
      )
      .all()
    const text = expect.stringContaining('An owner created a password reset link for owen@example.com.')
    expect(told).toEqual(['olive@example.com', 'owen@example.com'].map((to) => ({ to, text, isRepeatable: 1 })))
    const token = new URL(link.url).searchParams.get('token')
    expect((await world.call('/api/auth/reset-password', { body: { token, newPassword } })).status).toBe(200)
    const entry = world.ctx.sqlite
      .prepare(`select actor, targetId from audit_entries where action = 'owner.link'`)
      .get()
    expect(entry).toEqual({ actor: `user:${olive?.id}`, targetId: owen?.id })
    expect(JSON.stringify(world.ctx.sqlite.prepare('select * from audit_entries').all())).not.toContain(token)
  })

  test('is for owners only', async () => {
    const world = start()
    addWithPassword(world, { email: 'danny@example.com' })
    const id = people(world).find(({ isAdmin }) => isAdmin === 1)?.id ?? ''
    const call = world.signIn({ id, email: '' })
    for (const email of ['danny@example.com', 'nobody@example.com']) {
      expect((await readError(await call('/api/admin/owners/link', { body: { email } }))).code).toBe('not_found')
    }
  })
})
