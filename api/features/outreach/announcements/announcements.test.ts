import { beforeEach, expect, test } from 'vitest'
import { writtenBlock } from '#api/mail/templates/written.ts'
import { attacks } from '#api/testing/attacks.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminAnnouncement } from '#shared/contract/admin-announcement.ts'
import type { MemberAnnouncements } from '#shared/contract/announcement.ts'
import { readRichText } from '#shared/rules/rich-text.ts'

let world: World
let owner: Call
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  owner = world.signIn(world.addOwner())
  danny = world.addMember()
})

const path = '/api/admin/announcements'
const hour = 3_600_000
const day = 24 * hour
const at = (ms: number) => new Date(world.ctx.billingNow().getTime() + ms).toISOString()
const times = () => ({ startsAt: at(0), endsAt: at(day) })
const add = async (body: object = {}): Promise<AdminAnnouncement> =>
  (await owner(path, { body: { title: 'Shut on Monday', text: 'Back on **Tuesday**.', ...times(), ...body } })).json()
const list = async (): Promise<AdminAnnouncement[]> => (await owner(path)).json()
const shown = async (person = danny): Promise<MemberAnnouncements> =>
  (await world.signIn(person)('/api/announcements')).json()
const titles = async (person?: TestPerson) => (await shown(person)).announcements.map(({ title }) => title)

test('a member sees the announcements of their tier that are not over, taken apart, those to come too; an owner all', async () => {
  const xl = world.addMember({ tier: 'xl' })
  await add()
  await add({ title: 'XL only', tiers: ['xl'] })
  await add({ title: 'Next week', startsAt: at(7 * day), endsAt: at(8 * day) })
  await add({ title: 'Next month', startsAt: at(30 * day), endsAt: at(31 * day) })
  expect(await titles()).toEqual(['Next week', 'Shut on Monday'])
  expect((await titles(xl)).sort()).toEqual(['Next week', 'Shut on Monday', 'XL only'])
  expect(await titles(world.addOwner())).toHaveLength(3)
  const { announcements, now } = await shown()
  expect(now).toBe(at(0))
  expect(announcements.at(-1)?.text).toEqual([
    { kind: 'paragraph', lines: [[{ text: 'Back on ' }, { text: 'Tuesday', isBold: true }, { text: '.' }]] },
  ])
  world.forward(day)
  expect(await titles()).toEqual(['Next week'])
})

test('one that is put away is gone on every phone, for that member alone; twice is once, and a removed one is no error', async () => {
  const { id } = await add()
  const other = world.addMember()
  const call = world.signIn(danny)
  const gone = world.ctx.newId()
  for (const _twice of [1, 2]) {
    const response = await call('/api/announcements/put-away', { method: 'PUT', body: { ids: [id, gone] } })
    expect([response.status, (await response.json()).announcements]).toEqual([200, []])
  }
  expect([await titles(), await titles(other)]).toEqual([[], ['Shut on Monday']])
  expect(await list()).toMatchObject([{ dismissed: 1, state: 'showing' }])
})

test('an owner changes, ends and removes one; two owners see each other’s change; the same change twice is one', async () => {
  const { id } = await add()
  const change = { title: 'Shut all week', version: 1 }
  for (const _twice of [1, 2]) {
    expect(await (await owner(`${path}/${id}`, { method: 'PATCH', body: change })).json()).toMatchObject({ version: 2 })
  }
  const late = await owner(`${path}/${id}`, { method: 'PATCH', body: { title: 'Open', version: 1 } })
  const { error } = await late.json()
  expect([late.status, error.code, error.versions.current.title]).toEqual([409, 'version_conflict', 'Shut all week'])
  expect((await owner(`${path}/${id}/end`, { body: { version: 1 } })).status).toBe(409)
  for (const _twice of [1, 2]) {
    const ended = await owner(`${path}/${id}/end`, { body: { version: 2 } })
    expect(await ended.json()).toMatchObject({ state: 'over', version: 3 })
  }
  expect(await titles()).toEqual([])
  expect((await owner(`${path}/${id}?version=2`, { method: 'DELETE' })).status).toBe(409)
  expect((await owner(`${path}/${id}?version=3`, { method: 'DELETE' })).status).toBe(200)
  expect(await list()).toEqual([])
})

test('one that has yet to begin is ended before it does; one whose response was lost is made once', async () => {
  const { id } = await add({ startsAt: at(hour) })
  const ended = await (await owner(`${path}/${id}/end`, { body: { version: 1 } })).json()
  expect(ended.state).toBe('over')
  const headers = { 'idempotency-key': world.ctx.newId() }
  const body = { title: 'Once', text: 'Words', ...times() }
  for (const _twice of [1, 2]) await owner(path, { body, headers })
  expect((await list()).map(({ title }) => title)).toEqual(['Once', 'Shut on Monday'])
})

test('what cannot be shown is refused at its field', async () => {
  const refused: [body: object, field: string, says: RegExp][] = [
    [{ title: '' }, 'title', /required/],
    [{ text: '<b>Now</b>' }, 'text', /without HTML/],
    [{ text: '[Now](javascript:alert(1))' }, 'text', /https/],
    [{ endsAt: at(-hour) }, 'endsAt', /after the start/],
    [{ startsAt: undefined, endsAt: at(-hour) }, 'endsAt', /after the start/],
    [{ tiers: ['gold'] }, 'tiers.0', /tiers/],
  ]
  for (const [body, field, says] of refused) {
    const { status, fields } = await readError(
      await owner(path, { body: { title: 'T', text: 'Words', ...times(), ...body } }),
    )
    expect([body, status, fields?.[field]]).toEqual([body, 422, expect.stringMatching(says)])
  }
})

const isSafe = /^(https:|mailto:|tel:|\/(?!\/)|#)/

test('whatever is written, on the dashboard or in a mail it is text, and no link of it could run', () => {
  const written = Object.values(attacks).flatMap((attack) => [attack, `[words](${attack})`, `- **${attack}**`])
  for (const text of written) {
    const parts = readRichText(text).flatMap(({ lines }) => lines.flat())
    for (const { href = '/' } of parts) expect([text, href]).toEqual([text, expect.stringMatching(isSafe)])
    const block = writtenBlock(text, 'https://site.test')
    const html = block.kind === 'written' ? block.html : ''
    const tags = [...html.matchAll(/<\/?([^\s>]+)/g)].map(([, tag]) => tag)
    expect(tags.filter((tag = '') => !['p', 'h2', 'ul', 'li', 'strong', 'a', 'br'].includes(tag))).toEqual([])
    for (const [, target = ''] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) expect(target).toMatch(isSafe)
  }
})
