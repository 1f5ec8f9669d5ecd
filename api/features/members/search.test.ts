import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { inboxNotes } from '#api/db/schema/forms.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { totalHeader } from '#shared/contract/listing.ts'
import type { AdminMember } from '#shared/contract/members.ts'
import { foldText } from '#shared/rules/fold-text.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-search-'))
  folders.push(folder)
  return join(folder, 'alliance.sqlite')
}

const piece = fc.constantFrom(
  ...[
    'Ann',
    'ann',
    'O’Néill',
    'Łukasz',
    'Straße',
    'Öz',
    'Ng',
    'Æsop',
    '李小龍',
    '𝒜𝓃',
    'D’Arcy-Smith',
    'A.',
    '&',
    '24/7',
    '*',
    '"NEAR"',
  ],
  ...['Plumbing', 'and', 'Sons', '(York)', 'x', '100%', 'a_b', 'AND', 'text:', '07', '٣٤٥'],
)
const line = fc.option(fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')))
const phone = fc.option(
  fc.constantFrom('07700 900123', '+44 7700 900 124', '(0)7700-900125', '0044 7700 900126', '01904 12', '77'),
)
const note = fc.option(fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' ')))
const person = fc.record({ firstName: line, lastName: line, businessName: line, trade: line, phone, note })
const word = fc.oneof(
  piece,
  fc
    .tuple(piece, fc.nat(6), fc.integer({ min: 1, max: 5 }))
    .map(([text, from, length]) => text.slice(from, from + length)),
  fc.constantFrom('person-1', '@example.com', 'n-', '900', '7700', 'e', 'zz', 'nobody'),
)
const query = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  fc.constantFrom('07700 900123', '+44 7700 900', '7700900', '(0)7700 9', '0190412', '7 7', '90012', '24'),
)

const runs = process.env.FULL ? 2_000 : 60

test('whatever is searched for, the index finds what reading every account finds', async () => {
  const world = startWorld()
  const asOwner = world.signIn(world.addOwner())
  const people = fc.sample(person, { numRuns: 120, seed: 77 })
  for (const { note: text, ...fields } of people) {
    const { id } = world.addUser(fields)
    if (text !== null) addNote(world, id, text)
  }
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom('name', '-joined'), async (q, sort) => {
      const { ids, total } = await search(asOwner, q, sort)
      expect(new Set(ids)).toEqual(new Set(everyAccount(world, q, true)))
      expect(ids).toEqual(expect.arrayContaining(everyAccount(world, q, false)))
      expect([ids.length, new Set(ids).size]).toEqual([total, total])
    }),
    { numRuns: runs },
  )
})

function addNote({ ctx }: World, aboutId: string, text: string): string {
  const id = ctx.newId()
  insertRow(ctx, inboxNotes, { id, about: 'members', aboutId, kind: 'note', text, createdAt: ctx.now().toISOString() })
  return id
}

async function search(call: ReturnType<World['signIn']>, q: string, sort = '-joined') {
  const response = await call(`/api/admin/members?${new URLSearchParams({ q, sort, limit: '1000' })}`)
  const rows: AdminMember[] = await response.json()
  expect(response.status).toBe(200)
  return { ids: rows.map(({ id }) => id), total: Number(response.headers.get(totalHeader)) }
}

/** The search before there was an index, with and without the owners' notes. */
function everyAccount({ ctx }: World, q: string, withNotes: boolean): string[] {
  const notes = withNotes
    ? `, (select group_concat(text, ' | ') from inbox_notes where about = 'members' and aboutId = users.id)`
    : ''
  const columns = `firstName, lastName, email, phone, businessName, trade${notes}`
  const words = foldText(q)
    .split(/,*(?:\s+|$)/)
    .filter(Boolean)
  const national = q.replace(/\D/g, '').replace(/^(?:00?44|44|0)0?/, '')
  const isPhone = /^[\d\s()+./-]+$/.test(q) && national.length >= 5
  return ctx.sqlite
    .prepare<unknown[], string>(
      `select id from users where ${isPhone ? `instr(digits(concat_ws('|', ${columns})), ?) > 0 or` : ''} (
         select coalesce(min(instr(fold(concat_ws(' ', ${columns})), value) > 0), 1) from json_each(?))`,
    )
    .pluck()
    .all(...(isPhone ? [national.slice(-9)] : []), JSON.stringify(words))
}

test('what an owner or member changes is found by the next search, and what it was before isn’t', async () => {
  const world = startWorld()
  const asOwner = world.signIn(world.addOwner())
  const member = world.addMember({ firstName: 'Zebedee', lastName: 'Quill', phone: '07700 900999' })
  const found = async (...queries: string[]) => Promise.all(queries.map(async (q) => (await search(asOwner, q)).total))
  expect(await found('zebedee', 'QUILL', '07700900999', 'ze')).toEqual([1, 1, 1, 1])
  const asMember = world.signIn(member)
  const changed = await asMember('/api/user/profile', { method: 'PATCH', body: { lastName: 'Wröng' } })
  expect(changed.status).toBe(200)
  expect(await found('quill', 'wrong', 'zebedee wro')).toEqual([0, 1, 1])
  const kept = await asOwner(`/api/admin/inbox/members/${member.id}/notes`, {
    body: { kind: 'note', text: 'Owes us a ladder', wish: crypto.randomUUID() },
  })
  expect(kept.status).toBe(200)
  expect(await found('ladder', 'zebedee ladder')).toEqual([1, 1])
})

test('a removed member is in no page of the database, once its log is written back', async () => {
  const file = newFile()
  const world = startWorld({ file })
  const asOwner = world.signIn(world.addOwner())
  for (let at = 0; at < 40; at += 1) world.addUser({ firstName: `Given${at}`, lastName: `Kept${at}` })
  const body = { firstName: 'Quetzalia', lastName: 'Ξψωrakis', email: 'zwingli@example.com', phone: '07700 900777' }
  expect((await asOwner('/api/admin/members', { body })).status).toBe(200)
  const { id }: { id: string } = await (await asOwner('/api/admin/member/zwingli@example.com')).json()
  addNote(world, id, 'Zwingli’s Ladder')
  // One of their three letters, as the index keeps them.
  const letters = 'ξψω'
  expect(indexed(world)).toContain(letters)
  const profile = { ...body, lastName: 'Übelhör', businessName: null, trade: null, version: 1 }
  const changed = await asOwner(`/api/admin/members/${id}/profile`, { method: 'PUT', body: profile })
  expect(changed.status).toBe(200)
  const totals = await Promise.all(
    ['quetzalia ubelhor ladder', 'rakis'].map(async (q) => (await search(asOwner, q)).total),
  )
  expect(totals).toEqual([1, 0])
  expect((await asOwner(`/api/admin/members/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect((await search(asOwner, 'quetzalia')).total).toBe(0)
  world.ctx.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const typed = ['Quetzalia', 'Ξψωrakis', 'Übelhör', 'Zwingli', '07700 900777', 'Ladder', letters]
  const bytes = readFileSync(file)
  expect([...typed, ...typed.map(foldText), '7700900777'].filter((text) => bytes.includes(text))).toEqual([])
})

test('what a member was found by before leaves the index with the next clean-up', async () => {
  const world = startWorld()
  const asOwner = world.signIn(world.addOwner())
  const member = world.addMember({ firstName: 'Ξψω' })
  const asMember = world.signIn(member)
  await asMember('/api/user/profile', { method: 'PATCH', body: { firstName: 'Quetzalia' } })
  expect([(await search(asOwner, 'ξψω')).total, indexed(world).includes('ξψω')]).toEqual([0, true])
  await runJob(world.ctx, 'clean-up')
  expect([(await search(asOwner, 'quetzalia')).total, indexed(world).includes('ξψω')]).toEqual([1, false])
})

const indexed = ({ ctx }: World): string =>
  ctx.sqlite
    .prepare<[], Buffer>('select block from people_found_data')
    .pluck()
    .all()
    .map((block) => block.toString())
    .join()

test('of more than 20,000 found each is counted once, and not by what they were called before', async () => {
  const world = startWorld()
  const asOwner = world.signIn(world.addOwner())
  const at = world.ctx.now().toISOString()
  world.ctx.sqlite
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20005)
       insert into users (id, email, firstName, lastName, phone, createdAt, updatedAt)
       select printf('%08x-0000-7000-8000-000000000000', i), 'p' || i || '@many.test', 'Xq', 'Zulu', '07700 900' || i, ?, ? from n`,
    )
    .run(at, at)
  world.ctx.sqlite.exec(
    `update users set firstName = 'Ywv', lastName = 'Else', phone = null where email = 'p7@many.test'`,
  )
  const totals = async (...queries: string[]) => Promise.all(queries.map(async (q) => (await search(asOwner, q)).total))
  expect(await totals('zulu', 'xq', 'x', 'xq zul', 'qx', '07700 900', 'lse', 'yw')).toEqual([
    20_004, 20_004, 20_004, 20_004, 0, 20_004, 1, 1,
  ])
})
