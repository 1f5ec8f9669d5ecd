import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { relational } from '#api/db/tables.ts'
import { addPhoto } from '#api/testing/people.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  server.world.addMember({ email: 'sam@alliance.test', firstName: 'Sam', lastName: 'Field' })
})
afterAll(() => server.close())

const audited = () =>
  server.world.ctx.sqlite
    .prepare<[], { action: string; actor: string }>('select action, actor from audit_entries order by id desc limit 1')
    .get()

test('CALLS-40 an owner makes an account and invites to one, by both transports', async () => {
  const added = await server.remote('members add kit@alliance.test --first-name Kit --json')
  expect([added.code, JSON.parse(added.out).email]).toEqual([0, 'kit@alliance.test'])
  expect(audited()).toEqual({ action: 'member.added', actor: expect.stringMatching(/^user:/) })
  const again = await server.local('members add kit@alliance.test')
  expect(again).toMatchObject({
    code: 1,
    err: 'There’s already an account with this address. See: alliance members list --search <words>\n',
  })
  const invited = await server.remote('members invite kate@alliance.test XL --free-months 2 --yes')
  expect(invited.out).toMatch(/^\S+\/membership-application\?invitation=\S+\n$/)
  expect((await server.local('members invitations')).out).toMatch(/kate@alliance\.test .*xl +2 /)
  expect((await server.local('members uninvite kate@alliance.test')).err).toContain('is cancelled')
  expect((await server.local('members uninvite kate@alliance.test')).code).toBe(3)
  const crew = 'tiers add crew --name Crew --description Firms --feature Videos --not-shown'
  expect((await server.local(`${crew} --monthly 200 --yearly 2000 --yes`)).code).toBe(0)
  const plan = await server.remote('members invite kate@alliance.test crew --every year --dry-run')
  expect(plan.out).toContain('It’s £2,400.00 a year with VAT.')
  expect((await server.remote('members invite kate@alliance.test crew --every year --yes')).code).toBe(0)
  expect((await server.local('members invitations')).out).toMatch(/kate@alliance\.test .*crew +0 +year/)
  expect(await server.local('members invite kate@alliance.test xl --every year')).toMatchObject({
    code: 2,
    err: 'Alliance XL isn’t sold by the year.\n',
  })
  expect((await server.local('members invite kate@alliance.test mastermind')).err).toContain('isn’t on sale')
})

test('a member’s state is named as in the browser’s list', async () => {
  const { world } = server
  world.addMember({ email: 'owes@alliance.test', subscription: { status: 'past_due' } })
  world.addMember({ email: 'out@alliance.test', accessOverride: 'revoked' })
  world.addMember({ email: 'leaves@alliance.test', subscription: { cancelAt: '2026-07-12T07:40:00.000Z' } })
  const states = { owes: 'Payment due', out: 'Access revoked', leaves: 'Active, ends on 12 July 2026' }
  for (const [name, state] of Object.entries(states))
    expect((await server.remote(`members show ${name}@alliance.test`)).out).toMatch(
      new RegExp(`^Status +${state}$`, 'm'),
    )
})

test('an address that nobody has confirmed is said to be so', async () => {
  const { out } = await server.remote('members show kit@alliance.test')
  expect(out).toMatch(/^Email confirmed +Not yet\. They haven’t used/m)
  expect(out.match(/^Email {2,}.*$/gm)).toEqual([expect.stringMatching(/^Email +kit@alliance\.test$/)])
  const emailProvenAt = server.world.ctx.now().toISOString()
  server.world.addUser({ email: 'shown@alliance.test', emailProvenAt })
  expect((await server.remote('members show shown@alliance.test')).out).not.toContain('Email confirmed')
})

test('a plan is done exactly as it was shown, and refused once the world is another one', async () => {
  const file = join(server.dataDir, 'plan.json')
  const dry = await server.remote('members free sam@alliance.test --until 2026-12-31 --dry-run --json')
  writeFileSync(file, dry.out)
  expect(JSON.parse(dry.out)).toMatchObject({ command: 'members free', server: server.url })
  const people = await server.local('members free sam@alliance.test --until 2026-12-31 --dry-run')
  expect(people.out).toMatch(/Now +Paid until .*\nThen +access is free until 31 December 2026\n/)
  expect((await server.local(`apply ${file}`)).err).toMatch(/Use --yes to confirm\.\n$/)
  expect(await server.local(`apply ${file} --yes`)).toMatchObject({
    code: 0,
    err: expect.stringContaining('Sam Field: free access given. Paid until 12 July 2026.'),
  })
  const refused = await server.local(`apply ${file} --yes`)
  expect([refused.code, refused.err]).toEqual([
    1,
    'Something has changed since this plan was made. Make a new one with --dry-run.\n',
  ])
  expect((await server.local('members free sam@alliance.test --end --yes')).code).toBe(0)
  expect((await server.local('apply /nowhere/plan.json')).code).toBe(2)
  writeFileSync(file, '{}')
  expect((await server.local(`apply ${file}`)).err).toContain('This isn’t a plan.')
})

test('CALLS-25 access is revoked and restored after a confirmation', async () => {
  const asked = await server.local('members revoke sam@alliance.test')
  expect([asked.code, asked.err]).toEqual([
    2,
    'Revoke the access of Sam Field (sam@alliance.test)? Use --yes to confirm.\n',
  ])
  const revoked = await server.remote('members revoke sam@alliance.test --yes --json')
  expect(JSON.parse(revoked.out)).toMatchObject({ isMember: false, stateLine: expect.stringContaining('ended by') })
  const quiet = await server.local('members restore sam@alliance.test --yes --quiet')
  expect(quiet).toEqual({ code: 0, out: '', err: '' })
})

test('the plan of a revocation says that payments go on only where a subscription takes them', async () => {
  server.world.addUser({ email: 'free@alliance.test', firstName: 'Fay' })
  await server.local('members free free@alliance.test --for-good --yes')
  server.world.addMember({ email: 'due@alliance.test', subscription: { status: 'past_due' } })
  server.world.addMember({ email: 'gone@alliance.test', subscription: { status: 'canceled' } })
  const then = async (who: string) =>
    /^Then +(.*)$/m.exec((await server.remote(`members revoke ${who}@alliance.test --dry-run`)).out)?.[1]
  const ended = 'access and every login end straight away'
  expect([await then('free'), await then('gone')]).toEqual([ended, ended])
  const charged = `${ended}; Stripe keeps charging them (--cancel stops it)`
  expect([await then('sam'), await then('due')]).toEqual([charged, charged])
})

test('who gave no name is called by their address', async () => {
  const email = 'nobody@alliance.test'
  server.world.addUser({ email, firstName: null, lastName: null })
  expect((await server.local(`members free ${email} --for-good --yes`)).err).toMatch(
    /^nobody@alliance\.test: free access/,
  )
  expect((await server.local(`members revoke ${email}`)).err).toBe(
    `Revoke the access of ${email}? Use --yes to confirm.\n`,
  )
  const plan = (await server.local(`members free ${email} --end --dry-run`)).out
  expect(plan).toMatch(/Member +nobody@alliance\.test\n/)
  expect((await server.local(`members remove-photo ${email} --yes`)).err).toBe(`${email} has no photo.\n`)
})

test('a photo is taken away after it was asked about, once, by both transports', async () => {
  const { ctx } = server.world
  expect(await server.local('members remove-photo sam@alliance.test --yes')).toMatchObject({
    code: 1,
    err: 'Sam Field (sam@alliance.test) has no photo.\n',
  })
  const sam = relational(ctx.db)
    .query.users.findFirst({ where: (user, { eq }) => eq(user.email, 'sam@alliance.test') })
    .sync()
  if (sam) addPhoto(ctx, sam)
  const asked = await server.remote('members remove-photo sam@alliance.test')
  expect([asked.code, asked.err]).toEqual([
    2,
    'Remove the photo of Sam Field (sam@alliance.test)? Use --yes to confirm.\n',
  ])
  const removed = await server.remote('members remove-photo sam@alliance.test --yes --json')
  expect(JSON.parse(removed.out)).toMatchObject({ email: 'sam@alliance.test', hasPhoto: false })
  expect([audited()?.action, ctx.sqlite.prepare('select count(*) from member_photos').pluck().get()]).toEqual([
    'member.photo_removed',
    0,
  ])
})

test('all that is held about a member is one file, which is never written over', async () => {
  const file = join(server.dataDir, 'sam.zip')
  expect((await server.remote(`members export sam@alliance.test ${file}`)).code).toBe(0)
  expect([existsSync(file), audited()?.action]).toEqual([true, 'member.exported'])
  expect(await server.local(`members export sam@alliance.test ${file}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('There’s already a file with that name'),
  })
  expect((await server.remote('members open sam@alliance.test')).out).toMatch(
    new RegExp(`^${server.url}/admin/members/[\\w-]{36}\\n$`),
  )
})

test('fields are chosen in JSON, CSV and by a path, and a wrong one is named with those there are', async () => {
  const json = JSON.parse((await server.local('members list --json email,tierName')).out)
  expect(json.at(-1)).toEqual({ email: 'olive@alliance.test', tierName: null })
  expect((await server.remote('members list --csv email,tierName --email sam@alliance.test')).out).toBe(
    'email,tierName\r\nsam@alliance.test,Alliance\r\n',
  )
  expect(JSON.parse((await server.local('members list --json email')).out)[0]).toEqual({
    email: expect.stringContaining('@'),
  })
  expect((await server.local('members list --jq .[].email')).out).toContain('sam@alliance.test\n')
  expect(JSON.parse((await server.local('members show sam@alliance.test --json email,status')).out)).toEqual({
    email: 'sam@alliance.test',
    status: 'active',
  })
  for (const format of ['--json', '--csv']) {
    const wrong = await server.local(`members list ${format} email,colour`)
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^There’s no field colour\. There are: id, /)])
  }
  expect((await server.local('members list --jq .[]|length')).code).toBe(2)
})

test('Ctrl-C at any moment leaves a change whole or not begun', { tags: ['full'] }, async () => {
  const count = (sql: string) => server.world.ctx.sqlite.prepare<[], number>(sql).pluck().get() ?? 0
  const revoked = () => count(`select count(*) from users where accessOverride = 'revoked'`)
  const noted = () => count(`select count(*) from audit_entries where action = 'member.revoke_access'`)
  const codes = new Set<number>()
  for (let moment = 0; moment < 12; moment += 1) {
    const cancel = new AbortController()
    const email = `moment-${moment}@alliance.test`
    server.world.addMember({ email })
    const before = [revoked(), noted()] as const
    let calls = 0
    const now = () => {
      if (calls === moment) cancel.abort()
      calls += 1
      return new Date('2026-06-12T07:40:00.000Z')
    }
    const { code } = await server.local(`members revoke ${email} --yes`, { now, signal: cancel.signal })
    codes.add(code)
    const done = code === 130 ? 0 : 1
    expect([moment, code, revoked() - before[0], noted() - before[1]]).toEqual([moment, code, done, done])
  }
  expect(codes).toEqual(new Set([130, 0]))
})

test('names, options, members and tiers are completed', async () => {
  const complete = async (words: string) =>
    (await server.local(`complete -- ${words}`)).out.trimEnd().split('\n').sort()
  expect(await complete('mem')).toEqual(['members'])
  const re = ['reactivation-link', 'refund', 'remove', 'remove-photo', 'restore', 'revoke']
  expect(await complete('members re')).toEqual(re)
  expect(await complete('members revoke --d')).toEqual(['--dry-run'])
  expect(await complete('members revoke --ca')).toEqual(['--cancel'])
  expect(await complete('members show sam')).toEqual(['sam@alliance.test'])
  expect(await complete('members tier sam@alliance.test s')).toEqual(['standard'])
  for (const shell of ['bash', 'zsh', 'fish'])
    expect((await server.local(`completion ${shell}`)).out).toContain('alliance')
})

test('another address at Stripe, credit and a kept draft are on the member, and the address is decided', async () => {
  const { world } = server
  const { id } = world.addMember({ email: 'moved@alliance.test', firstName: 'Mo', lastName: 'Ved' })
  const run = (sql: string) => world.ctx.sqlite.prepare(sql).run(id)
  run(`update customers set emailAtStripe = 'new@alliance.test' where userId = ?`)
  run(`insert into customer_credits (id, customerId, type, amount, created)
    select 'cbtxn_1', id, 'adjustment', -5000, createdAt from customers where userId = ?`)
  run(`insert into provider_invoices (id, customerId, status, isKept, net, vat, total, amountPaid, created)
    select 'in_kept', id, 'draft', 1, 25000, 5000, 30000, 0, createdAt from customers where userId = ?`)
  const { out } = await server.remote('members show moved@alliance.test')
  expect(out).toMatch(/^Email at Stripe +new@alliance\.test\. See: alliance members address$/m)
  expect(out).toMatch(/^Credit +Someone added £50\.00 to their balance/m)
  expect(out).toMatch(/^Draft invoice +£300\.00 for .* is a draft at Stripe/m)
  expect((await server.local('members address moved@alliance.test theirs')).code).toBe(2)
  const plan = await server.remote('members address moved@alliance.test stripe --dry-run')
  expect(plan.out).toMatch(/^Then +they log in with new@alliance\.test, and we tell moved@alliance\.test$/m)
  const done = await server.remote('members address moved@alliance.test stripe --yes')
  expect([done.err, audited()?.action]).toEqual([
    'Here and at Stripe it’s new@alliance.test.\n',
    'member.email_at_stripe',
  ])
  expect((await server.local('members address new@alliance.test ours')).err).toMatch(/^Stripe has the same address/)
})
