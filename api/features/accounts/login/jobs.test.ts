import { expect, test } from 'vitest'
import { removeAbandonedAccounts } from '#api/features/members/abandoned-jobs.ts'
import { startWorld } from '#api/testing/world.ts'

const day = 86_400_000

test('an account that began to join and never came back goes after 30 days, with its sessions', async () => {
  const world = startWorld()
  const gone = world.addUser()
  const withPassword = world.addUser({ passwordHash: 'x' })
  const member = world.addMember()
  const granted = world.addUser({ accessOverride: 'granted' })
  const owner = world.addOwner()
  world.signIn(gone)
  world.forward(30 * day + 1000)
  expect(await removeAbandonedAccounts(world.ctx)).toEqual({ removed: 1 })
  const left = world.ctx.sqlite
    .prepare<[], { id: string }>('select id from users')
    .all()
    .map(({ id }) => id)
  expect(left.sort()).toEqual([withPassword, member, granted, owner].map(({ id }) => id).sort())
  expect(world.ctx.sqlite.prepare('select 1 from sessions').get()).toBeUndefined()
})

test('a request by its member keeps it', async () => {
  const world = startWorld()
  const call = world.signIn(world.addUser())
  world.forward(29 * day)
  expect((await call('/api/auth/user')).status).toBe(200)
  world.forward(2 * day)
  expect(await removeAbandonedAccounts(world.ctx)).toEqual({ removed: 0 })
})

test('nothing that was stored for the purchase names the person afterwards', async () => {
  const world = startWorld()
  const { sqlite } = world.ctx
  const gone = world.addUser({ email: 'gone@example.com' })
  const request = JSON.stringify({ customer: { email: 'gone@example.com', name: 'Danny Marsh' }, order: null })
  sqlite
    .prepare(
      `insert into purchase_attempts (id, userId, kind, tierSlug, request, openedAt, closedAt) values ('a', ?, 'subscription', 'lite', ?, '', '')`,
    )
    .run(gone.id, request)
  world.forward(30 * day + 1000)
  expect(await removeAbandonedAccounts(world.ctx)).toEqual({ removed: 1 })
  expect(JSON.stringify(sqlite.prepare('select * from purchase_attempts').all())).not.toMatch(/gone@|Marsh/)
})
