import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeGeneration } from '#api/db/generation.ts'
import { transact } from '#api/db/open.ts'
import { writeSetting } from '#api/db/stored-settings.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startPushService } from '#api/testing/push.ts'
import { addReceivers } from '#api/testing/receivers.ts'
import { startWorld } from '#api/testing/world.ts'
import type { NoticeKind } from '#shared/contract/notices.ts'
import { tellMember } from './notice-service.ts'

// The world starts on Friday 12 June 2026, 08:40 in London.
const hour = 60 * 60_000

let push: ReturnType<typeof startPushService>
beforeEach(() => {
  push = startPushService((port) => startWorld({ env: { PORT: String(port), PUBLIC_URL: 'https://alliance.example' } }))
})
afterEach(() => push.stop())

async function listener(kind: NoticeKind, email: string) {
  const member = push.world.addMember({ email })
  const as = push.world.signIn(member)
  const { id } = await push.subscribe(as)
  await as('/api/members/notices/choices', { method: 'PUT', body: { kind, byPush: true } })
  return { member, as, id }
}

const titlesTo = async (id: string) => (await push.received(id)).map(({ payload }) => payload.notification.title)
const run = () => runJob(push.world.ctx, 'notices')
const tellOfVideos = () => runJob(push.world.ctx, 'new-videos')

const video = {
  title: 'Quoting from a van',
  description: '',
  videoType: 'wistia',
  videoId: 'abc123',
  embedUrl: null,
  category: 'Strategy',
  isPublished: true,
  duration: 5,
  availableFrom: null,
}

test('when a video is published, each member who chose to hear of new ones is told once', async () => {
  const owner = push.world.signIn(push.world.addOwner())
  const told = await listener('video', 'told@example.com')
  const other = await listener('payment', 'other@example.com')
  const added = await owner('/api/admin/videos', { body: { ...video, isPublished: false } })
  expect(added.status).toBe(200)
  const { id, version } = await added.json()
  await tellOfVideos()
  await run()
  expect(await titlesTo(told.id)).toEqual([])
  const publish = async (isPublished: boolean, at: number) =>
    (await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { isPublished, version: at } })).status
  expect([await publish(true, version), await publish(false, version + 1), await publish(true, version + 2)]).toEqual([
    200, 200, 200,
  ])
  await tellOfVideos()
  await run()
  expect([await titlesTo(told.id), await titlesTo(other.id)]).toEqual([['There’s a new video'], []])
})

const noticesWritten = () =>
  push.world.ctx.sqlite
    .prepare<[], { userId: string; notices: number }>(
      `select userId, count(*) as notices from notices where kind = 'video' group by userId order by userId`,
    )
    .all()

test('publishing writes no more rows for many receivers than for one', async () => {
  const owner = push.world.signIn(push.world.addOwner())
  const publish = async (title: string) => {
    const { sqlite } = push.world.ctx
    const before = sqlite.prepare('select total_changes()').pluck().get()
    expect((await owner('/api/admin/videos', { body: { ...video, title } })).status).toBe(200)
    return Number(sqlite.prepare('select total_changes()').pluck().get()) - Number(before)
  }
  // The first visit of the hour is noted.
  await publish('The first')
  await listener('video', 'one@example.com')
  const rows = await publish('For one')
  for (let at = 0; at < 12; at += 1) await listener('video', `many-${at}@example.com`)
  expect(await publish('For many')).toBe(rows)
})

test('those are told who chose to be before it was published, unless it’s unpublished again by then', async () => {
  const owner = push.world.signIn(push.world.addOwner())
  const told = await listener('video', 'told@example.com')
  const publish = async (title: string) => (await owner('/api/admin/videos', { body: { ...video, title } })).json()
  push.world.forward(1000)
  await publish('It stays')
  const { id, version } = await publish('It goes')
  push.world.forward(1000)
  await listener('video', 'later@example.com')
  await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { isPublished: false, version } })
  expect(await tellOfVideos()).toEqual({ skipped: false, report: { told: 1 } })
  expect(noticesWritten()).toEqual([{ userId: told.member.id, notices: 1 }])
  // Published again, it's told of to both.
  await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { isPublished: true, version: version + 1 } })
  expect(await tellOfVideos()).toEqual({ skipped: false, report: { told: 2 } })
  expect(await tellOfVideos()).toEqual({ skipped: false, report: { told: 0 } })
})

test('a run that fails in the middle is made good by the next, and nobody is told twice', async () => {
  const { world } = push
  const owner = world.signIn(world.addOwner())
  await listener('video', 'told@example.com')
  addReceivers(world.ctx, 240)
  await owner('/api/admin/videos', { body: video })
  world.ctx.sqlite.exec(`create temp trigger full_disk before insert on notices
    when (select count(*) from notices) = 220 begin select raise(abort, 'the disk is full'); end`)
  await expect(tellOfVideos()).rejects.toThrow('the disk is full')
  const first = noticesWritten().length
  expect([first > 0, first < 241]).toEqual([true, true])
  world.ctx.sqlite.exec('drop trigger full_disk')
  expect(await tellOfVideos()).toEqual({ skipped: false, report: { told: 241 - first } })
  expect(noticesWritten().filter(({ notices }) => notices !== 1)).toEqual([])
  expect(noticesWritten()).toHaveLength(241)
})

test('a video of a later day is told of on that day, in the morning', async () => {
  const owner = push.world.signIn(push.world.addOwner())
  const told = await listener('video', 'told@example.com')
  await owner('/api/admin/videos', { body: { ...video, availableFrom: '2026-06-13' } })
  await runJob(push.world.ctx, 'new-videos')
  await run()
  expect(await titlesTo(told.id)).toEqual([])
  push.world.forward(16 * hour)
  await runJob(push.world.ctx, 'new-videos')
  await run()
  expect(await titlesTo(told.id)).toEqual([])
  push.world.forward(7 * hour)
  await run()
  await runJob(push.world.ctx, 'new-videos')
  await run()
  expect(await titlesTo(told.id)).toEqual(['There’s a new video'])
})

test('after a restore nobody is told again of what was older than a day', async () => {
  const { member, id } = await listener('payment', 'sam@example.com')
  await run()
  const tell = (cause: string, more: object = {}) =>
    transact(push.world.ctx, () =>
      tellMember(push.world.ctx, {
        cause,
        userId: member.id,
        kind: 'payment',
        path: '/members?tab=billing',
        mail: null,
        ...more,
      }),
    )
  // Waits in the copy that's restored two days later.
  tell('payment-failed:1')
  push.world.forward(48 * hour)
  writeSetting(push.world.ctx, 'notices_generation', 'of the copy')
  await run()
  tell('payment-failed:2', { happenedAt: new Date(push.world.ctx.now().getTime() - 25 * hour) })
  await run()
  expect(await titlesTo(id)).toEqual([])
  tell('payment-failed:3', { happenedAt: new Date(push.world.ctx.now().getTime() - 2 * hour) })
  await run()
  expect(await titlesTo(id)).toEqual(['A payment didn’t go through'])
})

test('on the day after a restore a failed attempt of unknown time isn’t told by push', async () => {
  const { member, id } = await listener('payment', 'sam@example.com')
  const told = { userId: member.id, kind: 'payment', path: '/members?tab=billing', mail: null } as const
  const tell = (cause: string) =>
    transact(push.world.ctx, () => tellMember(push.world.ctx, { ...told, cause, happenedAt: 'unknown' }))
  tell('payment-failed:1:2')
  await run()
  writeGeneration(push.world.ctx, { number: 2, id: push.world.ctx.newId() })
  tell('payment-failed:1:3')
  await run()
  expect(await titlesTo(id)).toHaveLength(1)
  push.world.forward(24 * hour + 1)
  tell('payment-failed:1:4')
  await run()
  expect(await titlesTo(id)).toHaveLength(2)
})

test('old notices go, with their pushes', async () => {
  const { member } = await listener('payment', 'sam@example.com')
  transact(push.world.ctx, () =>
    tellMember(push.world.ctx, { cause: 'x:1', userId: member.id, kind: 'payment', path: '/members', mail: null }),
  )
  push.world.forward(91 * 24 * hour)
  await runJob(push.world.ctx, 'clean-up')
  const rows = push.world.ctx.sqlite.prepare('select count(*) as n from notices').get()
  expect(rows).toEqual({ n: 0 })
})
