import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeAbandonedAccounts } from '#api/features/members/abandoned-jobs.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import {
  actOnImport as act,
  planMembers as plan,
  read,
  importRowsOf as rowsOf,
  showImport as show,
  startImports as start,
} from '#api/testing/imports.ts'
import { readError, type World } from '#api/testing/world.ts'
import type { Import, ImportLetters } from '#shared/contract/imports.ts'
import { runImports } from './jobs.ts'

const day = 86_400_000

const people = (world: World) =>
  world.ctx.sqlite
    .prepare<
      [],
      { email: string; accessOverride: string | null; accessUntil: string | null; accessTier: string | null }
    >('select email, accessOverride, accessUntil, accessTier from users where isAdmin = 0 order by email')
    .all()
const addresses = (world: World) => people(world).map(({ email }) => email)
const all = (world: World, text: string) => world.ctx.sqlite.prepare<[], Record<string, unknown>>(text).all()

test('members are planned, moved in and taken out again, until they have been here', async () => {
  const { world, call } = start()
  const [video] = world.addVideos()
  const known = world.addUser({ email: 'known@example.com' })
  const csv = `Email,Name,Paid until,Lessons done,Card
new@example.com,Dave Cole,31/12/2026,${video?.title};Not ours,4111 1111 1111 1111
used@example.com,Mo Ali,2026-06-11,,
known@example.com,Danny,,,
not an address,Nobody,,,
New@Example.com,Dave Again,30/04/2027,,`
  const planned = await plan(world, call, csv, { tier: 'xl', keepsNotes: true })
  expect(planned).toMatchObject({
    state: 'planned',
    rows: 5,
    problem: null,
    counts: { new: 2, existing: 1, double: 1, refused: 1 },
    facts: [
      { fact: 'not-subscribed', count: 2 },
      { fact: 'free-access', count: 1 },
      { fact: 'expired', count: 1 },
      { fact: 'no-access', count: 1 },
      { fact: 'cards-dropped', count: 1 },
      { fact: 'lessons-ticked', count: 1 },
      { fact: 'lessons-unknown', count: 1 },
    ],
  })
  expect(addresses(world)).toEqual(['known@example.com'])
  expect(await rowsOf(call, planned.id, '?outcome=refused')).toMatchObject([
    { line: 5, reason: 'This isn’t an email address.' },
  ])
  expect(await act(world, call, planned.id, 'apply')).toMatchObject({ state: 'applied', done: 3, failed: 0 })
  expect(people(world)).toEqual([
    { email: 'known@example.com', accessOverride: null, accessUntil: null, accessTier: null },
    // The last day of the later row, in London's time.
    ...[{ email: 'new@example.com', accessOverride: 'granted', accessUntil: '2027-04-30T23:00:00.000Z' }].map(
      (one) => ({
        ...one,
        accessTier: 'xl',
      }),
    ),
    { email: 'used@example.com', accessOverride: null, accessUntil: null, accessTier: null },
  ])
  expect(all(world, 'select videoId, completed from video_progress')).toEqual([{ videoId: video?.id, completed: 1 }])
  expect(existsSync(join(world.ctx.settings.dataDir, 'imports', planned.id))).toBe(false)
  expect(all(world, 'select * from mail_outbox')).toEqual([])

  // A month on, people who haven't come yet are still there.
  world.forward(40 * day)
  await removeAbandonedAccounts(world.ctx)
  world.ctx.sqlite.exec(`update users set lastSeenAt = createdAt where email = 'used@example.com'`)
  expect(await act(world, world.signIn(world.addOwner()), planned.id, 'undo')).toMatchObject({
    state: 'undone',
    undone: 1,
    kept: 1,
  })
  expect(addresses(world)).toEqual(['used@example.com'])
  expect(known.email).toBe('known@example.com')
})

test('nobody gets our campaigns unless the file says so, and refusals outlive an undo', async () => {
  const { world, call } = start()
  const csv = `email,subscribed_to_emails,email status
yes@example.com,true,
no@example.com,false,
stopped@example.com,true,unsubscribed
bounced@example.com,true,bounced`
  const { id, source, facts } = await plan(world, call, csv)
  expect(source).toBe('ghost')
  expect(facts).toEqual([
    { fact: 'subscribed', count: 1 },
    { fact: 'not-subscribed', count: 1 },
    { fact: 'blocked', count: 2 },
    { fact: 'no-access', count: 4 },
  ])
  await act(world, call, id, 'apply')
  expect(all(world, `select email, purpose, source from mail_agreements join users on users.id = userId`)).toEqual([
    { email: 'yes@example.com', purpose: 'news', source: 'Moved in from members.csv' },
  ])
  await act(world, call, id, 'undo')
  expect(all(world, 'select address from mail_refusals')).toEqual([{ address: 'stopped@example.com' }])
  expect(all(world, 'select address from suppressed_addresses')).toEqual([{ address: 'bounced@example.com' }])
  const again = await plan(world, call, 'email,subscribed\nstopped@example.com,yes\nbounced@example.com,yes')
  expect(again.facts).toEqual([
    { fact: 'not-subscribed', count: 2 },
    { fact: 'no-access', count: 2 },
  ])
})

test('a no in any column or any row of a person counts, however it’s written', async () => {
  const { world, call } = start()
  const csv = `email,marketing consent,bounced,unsubscribed
kim@example.com,yes,false,true
lee@example.com,yes,,2024-03-01
max@example.com,yes,,
max@example.com,yes,,yes
pat@example.com,yes,no,no`
  const { id } = await plan(world, call, csv)
  await act(world, call, id, 'apply')
  expect(all(world, `select email from mail_agreements join users on users.id = userId`)).toEqual([
    { email: 'pat@example.com' },
  ])
  expect(all(world, 'select address from mail_refusals order by address').map(({ address }) => address)).toEqual([
    ...['kim@example.com', 'lee@example.com', 'max@example.com'],
  ])
  expect(
    all(world, `select email from mail_opt_outs join users on users.id = userId where purpose = 'news'`),
  ).toHaveLength(3)
})

test('nothing of a person stays in a plan that’s closed, and what an owner has done for someone isn’t undone', async () => {
  const { world, call } = start()
  const csv = 'email,name\nkim@example.com,Kim Lee\nlee@example.com,Lee Kim\n'
  const { id, columns } = await plan(world, call, csv)
  expect(columns).toContainEqual(expect.objectContaining({ sample: 'Kim Lee' }))
  await act(world, call, id, 'apply')
  expect(JSON.stringify(all(world, 'select * from imports'))).not.toContain('Kim')
  const [kim] = all(world, `select id from users where email = 'kim@example.com'`)
  const grant = { until: null, version: 1 }
  const given = await call(`/api/admin/members/${kim?.id}/free-access`, { method: 'PUT', body: grant })
  expect(given.status).toBe(200)
  expect(await act(world, call, id, 'undo')).toMatchObject({ undone: 1, kept: 1 })
  expect(addresses(world)).toEqual(['kim@example.com'])
})

test('a card number goes, also next to its expiry or code, and phone numbers stay', async () => {
  const { world, call } = start()
  const phones = Array.from({ length: 30 }, (_, at) => `07700 900${100 + at} 07700 900${200 + at}`)
  const csv = `email,phone,odd
kim@example.com,0044 7700 900015,4111 1111 1111 1111 12/27
lee@example.com,+49 151 12345678,4111 1111 1111 1111 123
max@example.com,,07/27 5555-5555-5555-4444 4242424242424242
${phones.map((phone, at) => `p${at}@example.com,${phone},${phone}`).join('\n')}`
  const planned = await plan(world, call, csv, { keepsNotes: true })
  expect(planned.facts).toContainEqual({ fact: 'cards-dropped', count: 4 })
  expect(planned.columns.map(({ sample }) => sample)).toEqual(['kim@example.com', '0044 7700 900015', '12/27'])
  await act(world, call, planned.id, 'apply')
  const notes = all(world, 'select text from inbox_notes').map(({ text }) => text)
  expect(notes.slice(0, 3)).toEqual(['odd: 12/27', 'odd: 123', 'odd: 07/27'])
  expect(notes.slice(3)).toEqual(phones.map((phone) => `odd: ${phone}`))
  const kept = all(world, 'select phone from users where phone is not null order by id')
  expect(kept.map(({ phone }) => phone)).toEqual(['0044 7700 900015', '+49 151 12345678', ...phones])
})

test('one that’s under way can be undone, and one whose file is gone says so and holds up no other', async () => {
  const { world, call } = start()
  const [first, lost] = [
    await plan(world, call, 'email\nkim@example.com\n'),
    await plan(world, call, 'email\nlee@example.com\n'),
  ]
  for (const { id } of [first, lost]) await call(`/api/admin/imports/${id}/apply`, { method: 'POST' })
  rmSync(join(world.ctx.settings.dataDir, 'imports', lost.id))
  expect(await act(world, call, first.id, 'undo')).toMatchObject({ state: 'undone', undone: 0 })
  const shown = await read<Import>(call(`/api/admin/imports/${lost.id}`))
  expect(shown).toMatchObject({ state: 'applied', done: 0, problem: expect.stringContaining('lost the file') })
  expect((await plan(world, call, 'email\nlee@example.com\n')).id).not.toBe(lost.id)
})

test('a file is read whatever its encoding, separator and line ends, and one with other headings by hand', {
  tags: ['full'],
}, async () => {
  const { world, call } = start()
  const text = 'Naam;E-post\r\n"Zoë ""Zed""\r\nMüller";zoe@example.com\r\n'
  const files = [
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text, 'latin1'),
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    Buffer.from(text.replaceAll('"', '').replace('\r\nM', ' M').replaceAll(';', '\t').replaceAll('\r\n', '\n')),
  ]
  for (const file of files) {
    const planned = await plan(world, call, file)
    expect(planned.problem).toBe('We can’t find the email addresses. Choose their column below.')
    const options = { columns: { email: 'E-post', name: 'Naam' } }
    await call(`/api/admin/imports/${planned.id}/plan`, { body: { options } })
    await runJob(world.ctx, 'imports')
    const { problem, counts, columns } = await show(call, planned.id)
    expect({ problem, counts }).toMatchObject({ problem: null, counts: { new: 1 } })
    expect(columns[0]?.sample.replaceAll('"', '').replace(/\s+/g, ' ')).toMatch(/^Zoë (Zed )?Müller$/)
    await call(`/api/admin/imports/${planned.id}/cancel`, { method: 'POST' })
  }
  const wrong: [string, RegExp][] = [
    ['PK\u0003\u0004[Content_Types].xml', /^This is a spreadsheet\. Open it and save it as CSV\.$/],
    ['PK\u0003\u0004ghost.json', /^This is a ZIP\./],
    ['\uFEFF{"db":[{"data":{"posts":[]}}]}', /^This isn’t a CSV\. If it’s posts, move it in as posts\.$/],
    ['<?xml version="1.0"?><rss/>', /^This isn’t a CSV\./],
  ]
  for (const [content, problem] of wrong)
    expect(await plan(world, call, content)).toMatchObject({ problem: expect.stringMatching(problem), columns: [] })
  const open = await plan(world, call, 'email,name\nsam@example.com,"Sam\n')
  expect(open.problem).toMatch(/^The quotes that open on line \d+ never close\.$/)
})

test('an accent on the last line of a long file is read as it was written', async () => {
  const { world, call } = start()
  const csv = `email,first name,note\nkim@example.com,Kim,${'x'.repeat(70_000)}\nzoe@example.com,Zoë,\n`
  const planned = await plan(world, call, Buffer.from(csv, 'latin1'))
  expect(await act(world, call, planned.id, 'apply')).toMatchObject({ done: 2 })
  expect(all(world, 'select firstName from users where isAdmin = 0 order by email')).toEqual([
    { firstName: 'Kim' },
    { firstName: 'Zoë' },
  ])
})

test('a day that can’t be read and free plans elsewhere are told, and the plan says who has no access', async () => {
  const { world, call } = start()
  const csv = `id,email,Expires,complimentary_plan,tiers
5f3a4111111111111111c0de,short@example.com,28/2/27,false,
5f3a4111111111111111c0df,words@example.com,15th March 2027,false,
5f3a4111111111111111c0d0,odd@example.com,12/31/2027,false,
5f3a4111111111111111c0d1,guest@example.com,,true,Gold
5f3a4111111111111111c0d1,guest@example.com,31/12/2026,false,
5f3a4111111111111111c0d2,pays@example.com,,false,`
  const { id, facts, columns } = await plan(world, call, csv, { tier: 'lite', keepsNotes: true })
  expect(Object.fromEntries(facts.map(({ fact, count }) => [fact, count]))).toEqual({
    'not-subscribed': 5,
    'free-access': 2,
    complimentary: 1,
    'days-month-first': 1,
    'no-access': 2,
    notes: 1,
  })
  expect(columns.map(({ sample }) => sample)).toEqual([
    ...['5f3a4111111111111111c0de', 'short@example.com', '28/2/27', 'false', 'Gold'],
  ])
  expect(await rowsOf(call, id, '?remarked=true')).toMatchObject([
    {
      line: 4,
      reason: '“Expires” has days with the month first, so they get no access. Write the whole column as 31/12/2026.',
    },
  ])
  await act(world, call, id, 'apply')
  const none = { accessOverride: null, accessUntil: null, accessTier: null }
  const free = { accessOverride: 'granted', accessTier: 'lite' }
  expect(people(world)).toEqual([
    { email: 'guest@example.com', ...free, accessUntil: null },
    { email: 'odd@example.com', ...none },
    { email: 'pays@example.com', ...none },
    { email: 'short@example.com', ...free, accessUntil: '2027-03-01T00:00:00.000Z' },
    { email: 'words@example.com', ...free, accessUntil: '2027-03-16T00:00:00.000Z' },
  ])
  expect(all(world, 'select text from inbox_notes')).toEqual([{ text: 'tiers: Gold' }])
  expect(await read<ImportLetters>(call(`/api/admin/imports/${id}/letters`))).toMatchObject({
    people: 5,
    unwritten: 5,
    withoutAccess: 2,
  })
})

const rowsOfFile = (count: number) =>
  [
    'email,name',
    ...Array.from({ length: count }, (_, at) => (at % 10 === 9 ? `bad ${at},X` : `p${at}@example.com,P ${at}`)),
  ].join('\n')

/** Stops one batch later each time, as a killed server would, and starts again until nothing is left. */
async function runInPieces(world: World) {
  for (let runs = 1; ; runs += 1) {
    let looks = 0
    const aborted = () => {
      looks += 1
      return looks > runs + 1
    }
    const stopping = Object.defineProperty(new AbortController().signal, 'aborted', { get: aborted })
    await runImports(world.ctx, { stopping })
    if (all(world, `select id from imports where state in ('applying', 'undoing')`).length === 0) return runs
  }
}

async function moveInPieces(count: number) {
  const { world, call } = start()
  const csv = rowsOfFile(count)
  const { id, counts } = await plan(world, call, csv)
  expect(counts).toEqual({ new: count * 0.9, existing: 0, double: 0, refused: count / 10 })
  await call(`/api/admin/imports/${id}/apply`, { method: 'POST' })
  expect(await runInPieces(world)).toBeGreaterThanOrEqual(count / 100)
  expect(await show(call, id)).toMatchObject({ state: 'applied', done: count * 0.9, failed: 0 })
  expect(addresses(world)).toHaveLength(count * 0.9)
  // The same file is the same import; the same people in another file are here already.
  expect(await plan(world, call, csv)).toMatchObject({ id, state: 'applied' })
  expect((await plan(world, call, `${csv}\n`)).counts).toMatchObject({ new: 0, existing: count * 0.9 })
  return { world, call, id }
}

test('an import cut off after every hundred rows does each row once', { tags: ['full'] }, async () => {
  await moveInPieces(500)
})

test('three thousand rows', { tags: ['full'] }, async () => {
  const { world, call, id } = await moveInPieces(3_000)
  expect(await act(world, call, id, 'undo')).toMatchObject({ state: 'undone', undone: 2700, kept: 0 })
  expect(addresses(world)).toEqual([])
})

test('two imports of the same people at the same time make each account once', async () => {
  const { world, call } = start()
  const one = await plan(world, call, 'email\nsam@example.com\nkim@example.com')
  const other = await plan(world, call, 'email\nkim@example.com\nsam@example.com')
  for (const { id } of [one, other]) await call(`/api/admin/imports/${id}/apply`, { method: 'POST' })
  await Promise.all([runJob(world.ctx, 'imports'), runJob(world.ctx, 'imports')])
  expect(addresses(world)).toEqual(['kim@example.com', 'sam@example.com'])
  expect(await show(call, other.id)).toMatchObject({ state: 'applied', failed: 2 })
})

test('the file is private, and goes with a cancelled plan or after a week', async () => {
  const { world, call } = start()
  const file = ({ id }: Import) => join(world.ctx.settings.dataDir, 'imports', id)
  const [cancelled, left] = [
    await plan(world, call, 'email\na@example.com'),
    await plan(world, call, 'email\nb@example.com'),
  ]
  expect(statSync(file(left)).mode & 0o777).toBe(0o600)
  expect(readFileSync(file(left), 'utf8')).toContain('b@example.com')
  expect(JSON.stringify(all(world, 'select * from import_rows'))).not.toContain('example.com')
  await call(`/api/admin/imports/${cancelled.id}/cancel`, { method: 'POST' })
  expect(existsSync(file(cancelled))).toBe(false)
  world.forward(8 * day)
  await runJob(world.ctx, 'clean-up')
  expect(existsSync(file(left))).toBe(false)
  const back = world.signIn(world.addOwner())
  const late = await readError(await back(`/api/admin/imports/${left.id}/apply`, { method: 'POST' }))
  expect(late).toMatchObject({ status: 409, message: 'This plan is closed. Choose the file again.' })
})

test('letters go out in batches, a second one after a week, and say who has come', async () => {
  const { world, call } = start()
  const { id } = await plan(
    world,
    call,
    'email,name\nann@example.com,Ann Lee\nbob@example.com,Bob Ray\ncat@example.com,Cat Fox',
  )
  await act(world, call, id, 'apply')
  const back = () => world.signIn(world.addOwner())
  const letters = () => read<ImportLetters>(back()(`/api/admin/imports/${id}/letters`))
  const write = (body: object) => back()(`/api/admin/imports/${id}/letters`, { body })
  expect(await letters()).toMatchObject({ people: 3, unwritten: 3, subject: 'We’ve moved. Set your password' })
  // Both are for the same two, who get one letter each.
  await Promise.all([write({ count: 2 }), write({ count: 2 })])
  await write({ count: 2 })
  const mails = () => all(world, 'select "to", text from mail_outbox order by id') as { to: string; text: string }[]
  expect(mails().map(({ to }) => to)).toEqual(['ann@example.com', 'bob@example.com', 'cat@example.com'])
  const token = /reset-password\?token=([\w-]+)/.exec(mails()[0]?.text ?? '')?.[1]
  const set = await world.call('/api/auth/reset-password', { body: { token, newPassword: 'a spanner and a kettle' } })
  expect(set.status).toBe(200)
  world.ctx.sqlite.exec(
    `insert into suppressed_addresses (address, since) values ('bob@example.com', '2026-06-12T00:00:00.000Z')`,
  )
  world.forward(8 * day)
  expect(await letters()).toMatchObject({ unwritten: 0, written: 3, arrived: 1, bounced: 1, due: 1 })
  expect(await (await write({ count: 50, isAgain: true })).json()).toMatchObject({ sent: 1, letters: { due: 0 } })
  expect(mails().at(-1)).toMatchObject({ to: 'cat@example.com' })
})

/** Fifty people who moved in, none of whom has been written to. */
async function fiftyMovedIn() {
  const { world, call } = start()
  const lines = Array.from({ length: 50 }, (_, at) => `member-${at}@example.com`)
  const { id } = await plan(world, call, ['email', ...lines].join('\n'))
  await act(world, call, id, 'apply')
  const write = (count: number) => call(`/api/admin/imports/${id}/letters`, { body: { count } })
  const said = () =>
    all(world, `select detail ->> '$.letters' as letters from audit_entries where action = 'import.letters'`).map(
      ({ letters }) => Number(letters),
    )
  const queued = () => Number(all(world, 'select count(*) as queued from mail_outbox')[0]?.queued)
  return { world, write, said, queued }
}

test('letters that stop halfway are told as they are: the answer and the log say how many were written', async () => {
  const { world, write, said, queued } = await fiftyMovedIn()
  world.ctx.sqlite.exec(`create temp trigger full_disk before insert on mail_outbox
    when (select count(*) from mail_outbox) = 30 begin select raise(abort, 'the disk is full'); end`)
  const answer = await write(50)
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { sent: 30, letters: { written: 30, unwritten: 20 } },
  ])
  expect([queued(), said()]).toEqual([30, [30]])
  expect(world.logged.join()).toContain('the disk is full')
  // With none written it's an error, and the log says nothing.
  expect((await write(50)).status).toBe(500)
  expect([queued(), said()]).toEqual([30, [30]])
  world.ctx.sqlite.exec('drop trigger full_disk')
  expect(await (await write(50)).json()).toMatchObject({ sent: 20 })
  expect([queued(), said()]).toEqual([50, [30, 20]])
})

test('two owners who send letters together log no more than went out', async () => {
  const { write, said, queued } = await fiftyMovedIn()
  const answers = await Promise.all([write(40), write(40)])
  const sent = await Promise.all(answers.map(async (answer) => (await answer.json()).sent))
  expect(said().toSorted()).toEqual(sent.filter((count) => count > 0).toSorted())
  expect(said().reduce((sum, count) => sum + count, 0)).toBe(queued())
})
