import { beforeEach, expect, test } from 'vitest'
import { watchTables } from '#api/testing/changed-tables.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { addMemberWithEverything, addressWith, markOfMember, type RouteIds } from '#api/testing/route-ids.ts'
import { type Row, rowsOf } from '#api/testing/routes.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'

/** A public sandbox: outside production everyone can read its mailbox. */
const production = { NODE_ENV: 'production', ALLOW_SANDBOX: '1', SESSION_SECRET: 'x'.repeat(32) }
const env = { ...production, PUBLIC_URL: 'https://alliance.example' }

let world: World
let ada: TestPerson
let ids: RouteIds
let ben: TestPerson
beforeEach(async () => {
  world = startWorld({ env })
  const made = await addMemberWithEverything(world)
  ada = made.member
  ids = made.ids
  ben = world.addMember({ tier: 'lite', firstName: 'Ben' })
})

const withParameter = () => rowsOf(world.wholeApp()).filter(({ path }) => path.includes(':'))

/** What anyone may load, even if it's about a member. */
const isPublic = (path: string) =>
  /^\/(icons|social|pictures|photographs|media|sandbox\/(pages|push))\/|^\/api\/(blog|calendar\/slots)\//.test(path)

const newId = '01980000-0000-7000-8000-000000000001'
const bodies: Record<string, object> = {
  'PUT /api/calendar/mine/:id/agreed': { agreed: 'Mine now', version: 0 },
  'POST /api/members/questions/:id/messages': { id: newId, at: '2026-06-12T07:40:00.000Z', text: 'Mine now' },
  'POST /api/members/questions/:id/read': { messageId: newId },
  'PATCH /api/members/question-files/:fileId': new Uint8Array([1]),
}
const ofBytes = { 'content-type': chunkType, [offsetHeader]: '0' }

function ask(call: Call, { method, path, name }: Row) {
  const sent = bodies[name] ?? {}
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: sent }
  return call(addressWith(ids, path), { method, ...body, ...(sent instanceof Uint8Array ? { headers: ofBytes } : {}) })
}

test('V8.2.2 ROLE-03 ROLE-05 no route hands a member what another’s ids name, nor changes it', async () => {
  const call = world.signIn(ben)
  const changed = watchTables(world.ctx.sqlite, (row) => JSON.stringify(row).includes(ben.id))
  for (const route of withParameter()) {
    const response = await ask(call, route)
    const text = await response.text()
    expect([route.name, text.includes(markOfMember), text.includes(ada.email)]).toEqual([route.name, false, false])
    if (isPublic(route.path)) continue
    const isOwners = route.role === 'owner' || route.path.startsWith('/sandbox/mail')
    expect([route.name, response.status]).toEqual([route.name, isOwners ? 403 : 404])
  }
  expect(changed()).toEqual([])
})

/** These ask Stripe, which knows no one here, need more than an id, or use a secret instead. */
const elsewhere = [
  ...['GET /api/admin/payouts/:id', 'GET /api/admin/members/:memberId/refund', 'GET /api/admin/tiers/:tier/price'],
  'GET /api/admin/members/:memberId/next-payment',
  ...['GET /api/admin/blog/:id/versions/:number', 'GET /api/calendar/feeds/:feed'],
]

test('ROLE-03 the ids are real: their member, and an owner, are handed what they name', async () => {
  const member = world.signIn(ada)
  const owner = world.signIn(world.addOwner())
  const refused: string[] = []
  for (const route of withParameter()) {
    if (route.method !== 'GET' || isPublic(route.path)) continue
    const isOwners = route.path.startsWith('/api/admin/') || route.path.startsWith('/sandbox/')
    const { status } = await ask(isOwners ? owner : member, route)
    if (status !== 200) refused.push(route.name)
  }
  expect(refused.sort()).toEqual(elsewhere.toSorted())
})
