import { beforeEach, expect, test } from 'vitest'
import { issueApiToken } from '#api/features/accounts/login/session-service.ts'
import { watchTables } from '#api/testing/changed-tables.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { addMemberWithEverything, addressWith, type RouteIds } from '#api/testing/route-ids.ts'
import { rowsOf } from '#api/testing/routes.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { type TokenScope, tokenScopes } from '#shared/contract/auth.ts'

let world: World
let ada: TestPerson
let ids: RouteIds
let olive: TestPerson
beforeEach(async () => {
  world = startWorld()
  const made = await addMemberWithEverything(world)
  ada = made.member
  ids = made.ids
  olive = world.addOwner()
})

function programOf(person: TestPerson, scopes: readonly TokenScope[]): Call {
  const { token } = issueApiToken(world.ctx, person.id, 'Books', { scopes, isProven: true })
  return (path, options = {}) =>
    world.call(path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } })
}

type Asked = { name: string; method: string; path: string; isOpen: boolean }

const routes = (): Asked[] =>
  rowsOf(world.wholeApp())
    .filter(({ path }) => path.startsWith('/api/'))
    .map(({ name, method, path, role }) => ({ name, method, path: addressWith(ids, path), isOpen: role === 'visitor' }))

const isOwners = ({ path }: Asked) => path.startsWith('/api/admin/')
const reads = ({ method }: Asked) => method === 'GET'
const ask = (call: Call, { method, path }: Asked) =>
  call(path, { method, ...(method === 'GET' || method === 'HEAD' ? {} : { body: {} }) })

test('V8.2.1 ROLE-01 a token that may read changes nothing by any route, and opens none that changes something', async () => {
  const programs = [programOf(olive, ['read']), programOf(ada, ['read'])]
  const changed = watchTables(world.ctx.sqlite)
  for (const route of routes().filter((route) => !reads(route) && route.name !== 'DELETE /api/auth/token')) {
    const [owners = world.call, members = world.call] = programs
    const response = await ask(isOwners(route) ? owners : members, route)
    const { status, message } = await readError(response)
    // Public routes read the body before the token, and reject an empty one.
    if (route.isOpen && [400, 422].includes(status)) continue
    expect([route.name, status, message]).toEqual([route.name, 403, 'This token can’t change anything.'])
  }
  expect(changed()).toEqual([])
})

test('V8.2.1 no route that is read changes a row', { tags: ['full'] }, async () => {
  await world.call('/api/health') // Tests the disk with a write, every five seconds at most.
  const [owners, members] = [programOf(olive, ['read']), programOf(ada, ['read'])]
  const changed = watchTables(world.ctx.sqlite)
  for (const route of routes().filter(reads)) {
    const response = await ask(isOwners(route) ? owners : members, route)
    await response.text()
    expect([route.name, response.status]).not.toEqual([route.name, 403])
  }
  expect(changed()).toEqual([])
})

test('V8.2.1 a token that may change reads nothing by any route', { tags: ['full'] }, async () => {
  const [owners, members] = [programOf(olive, ['write']), programOf(ada, ['write'])]
  for (const route of routes().filter((route) => reads(route) && !route.isOpen)) {
    for (const method of ['GET', 'HEAD']) {
      const response = await ask(isOwners(route) ? owners : members, { ...route, method })
      expect([route.name, method, response.status]).toEqual([route.name, method, 403])
    }
  }
})

test('V8.3.3 no token makes one with a scope that it has not, whatever it asks for', async () => {
  const sets = [['read'], ['write'], ['read', 'write']] satisfies TokenScope[][]
  for (const own of sets)
    for (const asked of sets) {
      const body = { name: 'Next', scopes: asked, days: 30 }
      const response = await programOf(olive, own)('/api/admin/tokens', { body })
      const may = own.includes('write') && asked.every((scope) => own.includes(scope))
      expect([own, asked, response.status]).toEqual([own, asked, may ? 200 : 403])
    }
  const twice = { name: 'Next', scopes: ['write', 'write', 'admin'], days: 30 }
  expect((await programOf(olive, tokenScopes)('/api/admin/tokens', { body: twice })).status).toBe(422)
})

test('V8.2.2 V7.4.1 a token ends itself and none of another person’s', async () => {
  const [adas, bens] = [programOf(ada, ['read']), programOf(world.addMember(), tokenScopes)]
  const id = world.ctx.sqlite.prepare('select id from api_tokens where "userId" = ?').pluck().get(ada.id)
  for (const body of [{ id }, { id, others: true }, { email: ada.email }]) {
    const response = await bens('/api/user/sessions/revoke', { body })
    expect([body, [404, 422].includes(response.status)]).toEqual([body, true])
    expect((await bens('/api/admin/sessions/revoke', { body })).status).toBe(403)
  }
  expect((await adas('/api/auth/user')).status).toBe(200)
  expect((await bens('/api/auth/token', { method: 'DELETE', body: { id } })).status).toBe(200)
  expect([(await adas('/api/auth/user')).status, (await bens('/api/auth/user')).status]).toEqual([200, 401])
})
