import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntries } from '#api/db/schema/audit.ts'
import { isPostedForm } from '#api/serving/paths.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { issueApiToken } from './session-service.ts'

const minute = 60_000

let world: World
let owner: TestPerson
let member: TestPerson
let browser: Call
beforeEach(() => {
  world = startWorld()
  owner = world.addOwner()
  member = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
  browser = world.signIn(owner)
})

const start = (body?: object) =>
  browser(`/api/admin/impersonate/${member.id}`, { method: 'POST', ...(body && { body }) })
const stop = () => browser('/api/admin/stop-impersonating', { method: 'POST' })
const me = async () => (await browser('/api/auth/user')).json()
const changes = () => Number(world.ctx.sqlite.prepare('select total_changes()').pluck().get())
const audited = () => world.ctx.db.select().from(auditEntries).all()

test('IMP-2 IMP-3 CALLS-38 CALLS-39 API-14 DATA-13 the site is the member’s until it is stopped; both ids and the reason are recorded', async () => {
  const until = new Date(world.ctx.now().getTime() + 30 * minute).toISOString()
  const started = await (await start({ reason: 'A video does not play' })).json()
  expect(started).toMatchObject({ success: true, user: { id: member.id, isImpersonating: true } })
  expect(await me()).toMatchObject({
    id: member.id,
    isImpersonating: true,
    isAdmin: false,
    impersonatedUntil: until,
    impersonatedBy: owner.id,
  })
  expect(await (await stop()).json()).toMatchObject({ user: { id: owner.id, isImpersonating: false, isAdmin: true } })
  expect(await me()).toMatchObject({ id: owner.id, isImpersonating: false })
  expect(await (await stop()).json()).toMatchObject({ user: { id: owner.id } })
  expect(audited()).toMatchObject([
    {
      actor: `user:${owner.id}`,
      action: 'impersonation.started',
      targetId: member.id,
      detail: { reason: 'A video does not play', until },
    },
    { actor: `user:${owner.id}`, action: 'impersonation.stopped', targetId: member.id },
  ])
  expect(world.ctx.sqlite.prepare('select lastSeenAt from users where id = ?').pluck().get(member.id)).toBeNull()
})

test('CALLS-38 the reason may be left out, and an empty one is refused', async () => {
  expect((await start({ reason: ' ' })).status).toBe(422)
  expect((await start()).status).toBe(200)
})

test('it ends by itself after 30 minutes, with the owner’s session still there', async () => {
  await start()
  world.forward(30 * minute - 1)
  expect(await me()).toMatchObject({ id: member.id })
  world.forward(1)
  expect(await me()).toMatchObject({ id: owner.id, isImpersonating: false })
})

test('one that was begun while the clock ran ahead ends when that is set right', async () => {
  world.forward(50 * minute)
  await start()
  expect(await me()).toMatchObject({ id: member.id })
  world.forward(-50 * minute)
  expect(await me()).toMatchObject({ id: owner.id, isImpersonating: false })
})

test('it ends with the owner’s role, and with their session', async () => {
  await start()
  world.ctx.sqlite.prepare('update users set isAdmin = 0 where id = ?').run(owner.id)
  expect(await me()).toMatchObject({ id: owner.id, isAdmin: false })
  world.ctx.sqlite.prepare('update users set isAdmin = 1 where id = ?').run(owner.id)
  await browser('/api/auth/logout', { method: 'POST' })
  expect((await browser('/api/auth/user')).status).toBe(401)
  expect(audited().find(({ action }) => action === 'auth.logout')).toMatchObject({ actor: `user:${owner.id}` })
})

test('IMP-1 PERM-5 owners are viewed by nobody, members view nobody, and a terminal views nobody', async () => {
  const other = world.addOwner()
  expect((await browser(`/api/admin/impersonate/${other.id}`, { method: 'POST' })).status).toBe(404)
  expect((await browser(`/api/admin/impersonate/${world.ctx.newId()}`, { method: 'POST' })).status).toBe(404)
  const asMember = world.signIn(world.addMember())
  expect((await asMember(`/api/admin/impersonate/${member.id}`, { method: 'POST' })).status).toBe(403)
  expect((await asMember('/api/admin/stop-impersonating', { method: 'POST' })).status).toBe(403)
  const { token } = issueApiToken(world.ctx, owner.id, 'terminal')
  const headers = { authorization: `Bearer ${token}` }
  expect((await world.call(`/api/admin/impersonate/${member.id}`, { method: 'POST', headers })).status).toBe(409)
})

describe('while it runs', () => {
  test('nothing can be changed, no admin call is reached, and it is not nested', { tags: ['full'] }, async () => {
    world.addVideos()
    await start()
    const ends = /logout$|stop-impersonating$/
    const isAskedOfNobody =
      /^\/sandbox\/|^\/\*$|webhook|unsubscribe|analytics|reset-password\/check|auth\/continue|^\/members\/share$/
    for (const { method, path } of world.wholeApp().routes) {
      const isRead = method === 'GET'
      if (ends.test(path) || isAskedOfNobody.test(path) || path === '/api/video-progress/sync') continue
      if (isRead && !path.startsWith('/api/admin/')) continue
      const before = changes()
      const body = isPostedForm(path)
        ? { body: new URLSearchParams(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
        : { body: {} }
      const { status } = await browser(path.replace(/:\w+/g, member.id), { method, ...(!isRead && body) })
      expect([method, path, status, changes() - before]).toEqual([method, path, 403, 0])
    }
    expect(await me()).toMatchObject({ id: member.id })
  })

  test('the sync brings the member’s ticks and takes none', async () => {
    const [video] = world.addVideos()
    await start()
    const sync = (sent: object[]) =>
      browser('/api/video-progress/sync', { body: { memberId: member.id, deviceId: 'a'.repeat(32), changes: sent } })
    expect((await sync([])).status).toBe(200)
    const at = world.ctx.now().toISOString()
    const tick = { id: world.ctx.newId(), videoId: video?.id, completed: true, at, counter: 1 }
    expect(await readError(await sync([tick]))).toMatchObject({
      status: 403,
      message: 'You’re viewing as a member, so you can’t change anything. Stop viewing first.',
    })
  })
})

test('CALLS-42 ENT-3 an owner reads a member’s progress', async () => {
  const [video] = world.addVideos()
  await world.signIn(member)(`/api/video-progress/${video?.id}/complete`, { method: 'POST' })
  const progress = await (await browser(`/api/admin/member-progress/${member.id}`)).json()
  expect(progress).toMatchObject([{ videoId: video?.id, completed: true, completedAt: world.ctx.now().toISOString() }])
  expect((await browser('/api/admin/member-progress/nobody')).status).toBe(404)
})
