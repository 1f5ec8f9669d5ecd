import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { actOnImport, importRowsOf, planMembers, startImports } from '#api/testing/imports.ts'
import type { World } from '#api/testing/world.ts'
import type { Import } from '#shared/contract/imports.ts'
import { accessAdvice, importSentence } from '#shared/rules/imports.ts'

const all = (world: World, text: string) => world.ctx.sqlite.prepare<[], Record<string, unknown>>(text).all()
const agreed = (world: World) =>
  all(world, 'select email from mail_agreements join users on users.id = userId order by email').map(
    ({ email }) => email,
  )
const counts = ({ facts }: Import) => Object.fromEntries(facts.map(({ fact, count }) => [fact, count]))

test('an address that’s in a file twice has agreed to no emails if one of its lines says no', async () => {
  const { world, call } = startImports()
  const csv = `email,subscribed
ann@example.com,no
bob@example.com,yes
eve@example.com,yes
ann@example.com,yes
bob@example.com,false
bob@example.com,yes
eve@example.com,`
  const planned = await planMembers(world, call, csv)
  expect(counts(planned)).toEqual({ subscribed: 1, 'not-subscribed': 2, 'no-access': 3 })
  const doubles = await importRowsOf(call, planned.id, '?outcome=double')
  expect(doubles.map(({ line, reason }) => `Line ${line}: ${reason}`)).toEqual([
    'Line 5: The same address as line 2. That line says no to emails, so they get no campaigns.',
    'Line 6: The same address as line 3. This line says no to emails, so they get no campaigns.',
    'Line 7: The same address as line 3. Another line says no to emails, so they get no campaigns.',
    'Line 8: The same address as line 4.',
  ])
  await actOnImport(world, call, planned.id, 'apply')
  expect(agreed(world)).toEqual(['eve@example.com'])
})

test('once a day can only have the month first, no other of its column is guessed at', async () => {
  const { world, call } = startImports()
  const csv = `email,joined,expires
amb@example.com,03/04/2024,03/04/2027
iso@example.com,2024-05-06,2027-05-06
same@example.com,04/04/2024,04/04/2027
uk@example.com,25/04/2024,25/04/2027
us@example.com,03/04/2024,12/31/2027`
  const planned = await planMembers(world, call, csv)
  expect(counts(planned)).toMatchObject({ 'free-access': 3, 'days-month-first': 2, 'no-access': 2 })
  expect(accessAdvice(planned)).toContain('2 lines have a day we can’t use.')
  const said = await importRowsOf(call, planned.id, '?remarked=true')
  expect(said.map(({ line }) => line)).toEqual([2, 6])
  expect(new Set(said.map(({ reason }) => reason)).size).toBe(1)
  await actOnImport(world, call, planned.id, 'apply')
  const people = all(world, 'select email, accessUntil, createdAt from users where isAdmin = 0 order by email')
  expect(people.filter(({ accessUntil }) => accessUntil !== null).map(({ email }) => email)).toEqual([
    ...['iso@example.com', 'same@example.com', 'uk@example.com'],
  ])
  // No day in “joined” shows which way round it is, so it’s the British one.
  expect(people[0]?.createdAt).toBe('2024-04-03T11:00:00.000Z')
})

test('each plan of a file is a tier: by the owner’s word, else its name, else the file’s; what’s no membership gives no access', async () => {
  const { world, call } = startImports()
  const csv = `email,plan,expires
ann@example.com,Alliance XL (yearly),2027-03-04
bob@example.com,Coaching Annual,2027-03-04
cat@example.com,Coaching Annual,2027-05-06
dee@example.com,Workshop,2027-03-04
eve@example.com,,2027-03-04
bob@example.com,Alliance XL (yearly),2027-09-09`
  const plans = async (options: object) => {
    const planned = await planMembers(world, call, csv, options)
    return { planned, plans: planned.columns.find(({ heading }) => heading === 'plan')?.plans }
  }
  expect((await plans({})).plans).toEqual([
    { name: 'Alliance XL (yearly)', lines: 2, tier: 'xl', guess: 'name' },
    { name: 'Coaching Annual', lines: 2, tier: null },
    { name: 'Workshop', lines: 1, tier: null },
  ])
  expect((await plans({ tiers: { Coachin: 'xl' } })).planned.problem).toBe(
    'There’s no plan called “Coachin” in this file.',
  )
  const unknown = await call('/api/admin/imports', {
    body: { kind: 'members', upload: null, options: { tiers: { Workshop: 'gold' } } },
  })
  expect(unknown.status).toBe(422)
  const tiers = { 'Coaching Annual': 'standard', Workshop: 'none' }
  const { planned } = await plans({ tier: 'lite', tiers })
  expect(counts(planned)).toMatchObject({ 'free-access': 4, 'no-access': 1 })
  await actOnImport(world, call, planned.id, 'apply')
  expect(all(world, 'select email, accessTier, accessUntil is null as isFree from users where isAdmin = 0')).toEqual([
    { email: 'ann@example.com', accessTier: 'xl', isFree: 0 },
    { email: 'bob@example.com', accessTier: 'xl', isFree: 0 },
    { email: 'cat@example.com', accessTier: 'standard', isFree: 0 },
    { email: 'dee@example.com', accessTier: null, isFree: 1 },
    { email: 'eve@example.com', accessTier: 'lite', isFree: 0 },
  ])
})

test('people who unsubscribed here or where they were stay out after an undo, and the plan says why', async () => {
  const { world, call } = startImports()
  const csv =
    'email,subscribed,unsubscribed\nthere@example.com,yes,yes\nhere@example.com,yes,\nstill@example.com,yes,\n'
  const { id } = await planMembers(world, call, csv)
  await actOnImport(world, call, id, 'apply')
  world.ctx.sqlite.exec(
    `insert into mail_opt_outs (userId, purpose, at) select id, 'news', createdAt from users where email = 'here@example.com'`,
  )
  await actOnImport(world, call, id, 'undo')
  const again = await planMembers(
    world,
    call,
    'email,subscribed\nthere@example.com,yes\nhere@example.com,yes\nstill@example.com,yes\n',
  )
  expect(counts(again)).toMatchObject({ subscribed: 1, 'not-subscribed': 2 })
  expect(await importRowsOf(call, again.id, '?remarked=true')).toMatchObject([
    { line: 2, reason: 'They’ve unsubscribed here before, so they get no campaigns.' },
    { line: 3, reason: 'They’ve unsubscribed here before, so they get no campaigns.' },
  ])
  await actOnImport(world, call, again.id, 'apply')
  expect(agreed(world)).toEqual(['still@example.com'])
})

test('a later file’s no reaches people who are here already, and nothing else of theirs changes', async () => {
  const { world, call } = startImports()
  const owner = all(world, 'select email from users where isAdmin = 1')[0]?.email
  const first = await planMembers(world, call, 'email,subscribed\nann@example.com,yes\nbob@example.com,yes\n')
  await actOnImport(world, call, first.id, 'apply')
  world.addUser({ email: 'dan@example.com' })
  const eve = world.addUser({ email: 'eve@example.com' })
  world.ctx.sqlite.exec(
    `insert into mail_agreements (userId, purpose, at, source) values ('${eve.id}', 'news', '2026-01-01T00:00:00.000Z', 'Profile')`,
  )
  const csv = `email,first name,subscribed,email status
ann@example.com,Anne,,unsubscribed
bob@example.com,,no,
dan@example.com,,,
dan@example.com,,,bounced
eve@example.com,,no,
${owner},,,bounced
dee@example.com,,,`
  const planned = await planMembers(world, call, csv.replace('\ndee@example.com,,,', ''))
  expect([counts(planned), importSentence(planned)]).toEqual([
    { 'emails-stopped': 2 },
    'We’ll stop campaigns to 2 people already here. Nothing’s changed yet.',
  ])
  expect(await importRowsOf(call, planned.id, '?remarked=true')).toMatchObject([
    { line: 2, reason: 'They’re here already. They unsubscribed, so they get no campaigns.' },
    { line: 3, reason: 'They’re here already. This file says no to emails, so they get no campaigns.' },
  ])
  const applied = await actOnImport(world, call, planned.id, 'apply')
  expect(importSentence(applied)).toBe('We’ve stopped campaigns to 2 people already here.')
  expect(agreed(world)).toEqual(['eve@example.com'])
  expect(all(world, 'select address from mail_refusals')).toEqual([{ address: 'ann@example.com' }])
  expect(all(world, 'select address from suppressed_addresses')).toEqual([{ address: 'dan@example.com' }])
  expect(all(world, `select firstName from users where email = 'ann@example.com'`)).toEqual([{ firstName: null }])
  expect(counts(await planMembers(world, call, csv))).toEqual({ 'not-subscribed': 1, 'no-access': 1 })
})

/** Source, new, double and refused of each example export, and what its plan counts. */
const examples: Record<string, [string, number[], Record<string, number>]> = {
  'kajabi-people': ['kajabi', [2, 1, 1], { 'not-subscribed': 2, 'no-access': 2, 'cards-dropped': 1 }],
  'kajabi-subscriptions': ['kajabi', [2, 1, 0], { 'not-subscribed': 2, 'free-access': 1, 'no-access': 1 }],
  memberful: ['memberful', [2, 1, 0], { 'not-subscribed': 2, 'free-access': 1, expired: 1, 'no-access': 1 }],
  'ghost-members': ['ghost', [3, 0, 1], { subscribed: 2, 'not-subscribed': 1, complimentary: 1, 'no-access': 2 }],
  pmpro: ['pmpro', [2, 0, 0], { 'not-subscribed': 2, 'free-access': 1, expired: 1, 'no-access': 1 }],
  memberpress: ['memberpress', [2, 0, 0], { 'not-subscribed': 2, 'no-access': 2 }],
  spreadsheet: ['table', [3, 0, 0], { subscribed: 1, blocked: 2, 'free-access': 1, 'no-access': 2 }],
}

test('each example export of members is read as what it is', async () => {
  const { world, call } = startImports()
  const read: typeof examples = {}
  for (const name of Object.keys(examples)) {
    const file = readFileSync(join(projectFolder, `data/samples/imports/${name}.csv`))
    const planned = await planMembers(world, call, file)
    const { new: added, double, refused } = planned.counts
    read[name] = [planned.source, [added, double, refused], counts(planned)]
  }
  expect(read).toEqual(examples)
})

test('people who pay at Kajabi get in by its subscriptions, and its people add the others', async () => {
  const { world, call } = startImports()
  const sample = (name: string) => readFileSync(join(projectFolder, `data/samples/imports/kajabi-${name}.csv`))
  const paying = await planMembers(world, call, sample('subscriptions'))
  await actOnImport(world, call, paying.id, 'apply')
  expect((await planMembers(world, call, sample('people'))).counts).toMatchObject({ new: 0, existing: 2 })
  const people = all(world, 'select firstName, lastName, accessUntil from users where isAdmin = 0 order by email')
  expect(people).toEqual([
    { firstName: 'Danny', lastName: 'Marsh', accessUntil: '2027-03-08T00:00:00.000Z' },
    { firstName: 'Sam', lastName: 'Okoro', accessUntil: null },
  ])
})
