import { beforeEach, expect, test } from 'vitest'
import { billingOf, countRows } from '#api/testing/joining.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

let world: World
let asOwner: Call
beforeEach(() => {
  world = startWorld()
  asOwner = world.signIn(world.addOwner())
})

const turn = (id: string, body?: object) =>
  asOwner(`/api/admin/members/${id}/revoke-access`, { method: 'PATCH', ...(body === undefined ? {} : { body }) })

test('CALLS-26 the same call ends a member’s access and restores it; billing continues', async () => {
  const member = world.addMember()
  expect(await (await turn(member.id)).json()).toMatchObject({ isMember: false, status: 'active' })
  // Revoking ends every login. They can log in again and see why.
  const call = world.signIn(member)
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: false, isRevoked: true })
  expect((await call('/api/member-videos')).status).toBe(403)
  expect(await (await turn(member.id)).json()).toMatchObject({ isMember: true })
  expect(await billingOf(call)).toMatchObject({ hasAccess: true, isRevoked: false, isComplimentary: false })
  const logged = ['member.revoke_access', 'member.restore_access'].map((action) =>
    countRows(world, 'audit_entries', `action = '${action}'`),
  )
  expect(logged).toEqual([1, 1])
})

test('CALLS-26 without a subscription access is complimentary; setting it twice changes nothing more', async () => {
  const person = world.addUser()
  for (const _twice of [1, 2]) {
    expect(await (await turn(person.id, { isMember: true })).json()).toMatchObject({ isMember: true })
  }
  expect(await billingOf(world.signIn(person))).toMatchObject({ hasAccess: true, isComplimentary: true })
  expect(await (await asOwner('/api/admin/mrr')).json()).toMatchObject({ totalMRR: 0 })
})

test('CALLS-26 an owner’s access cannot be ended; an unknown member is not found', async () => {
  const owner = world.addOwner()
  expect(await readError(await turn(owner.id))).toMatchObject({ status: 409 })
  expect((await turn('019a0000-0000-7000-8000-000000000000')).status).toBe(404)
})

test('restoring access that a member has already leaves the end of their free access as it is', async () => {
  const { id } = world.addUser()
  const until = addDays(londonDay(world.ctx.billingNow()), 30)
  await asOwner(`/api/admin/members/${id}/free-access`, { method: 'PUT', body: { until, version: 1 } })
  expect(await (await turn(id, { isMember: true })).json()).toMatchObject({ isMember: true })
  expect(await (await asOwner(`/api/admin/members/${id}/record`)).json()).toMatchObject({ freeAccess: { until } })
})
