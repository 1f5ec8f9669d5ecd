import { beforeEach, describe, expect, test } from 'vitest'
import { addWithPassword } from '#api/testing/passwords.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { AdminMember, AdminMemberDetail } from '#shared/contract/members.ts'

let world: World
let asOwner: Call
beforeEach(() => {
  world = startWorld()
  asOwner = world.signIn(world.addOwner())
})

describe('the owners’ list', () => {
  const list = async (query = ''): Promise<AdminMember[]> => (await asOwner(`/api/admin/members${query}`)).json()

  test('CALLS-9 ENT-6 is a bare list of everyone, newest first, with these fields', async () => {
    const member = world.addMember({ tier: 'lite' })
    const person = world.addUser()
    const everyone = await list()
    expect(everyone.map(({ id }) => id).slice(0, 2)).toEqual([person.id, member.id])
    expect(everyone[1]).toMatchObject({ membershipTier: 'lite', isMember: true, status: 'active', isAdmin: false })
    expect(everyone[0]).toMatchObject({ membershipTier: null, isMember: false, status: 'none' })
    for (const one of everyone) expect(Object.keys(one).sort()).toEqual(Object.keys(AdminMember.entries).sort())
  })

  test('says when a member was last seen: from their first visit on, and again with each hour of use', async () => {
    const member = world.addMember()
    const seen = async () => (await list()).find(({ id }) => id === member.id)?.lastSeenAt
    expect(await seen()).toBeNull()
    const asMember = world.signIn(member)
    const first = world.ctx.now().toISOString()
    for (const minutes of [0, 59]) {
      world.forward(minutes * 60_000)
      await asMember('/api/member-videos')
      expect(await seen()).toBe(first)
    }
    world.forward(2 * 60_000)
    await asMember('/api/member-videos')
    expect(await seen()).toBe(world.ctx.now().toISOString())
  })

  test('is read page by page by its Link, with each person once', async () => {
    const ids = Array.from({ length: 7 }, () => world.addUser().id)
    const seen: string[] = []
    let next: string | undefined = '/api/admin/members?limit=3'
    while (next !== undefined) {
      const response = await asOwner(next)
      const page: AdminMember[] = await response.json()
      expect(page.length).toBeLessThanOrEqual(3)
      seen.push(...page.map(({ id }) => id))
      next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(seen.slice(0, 7)).toEqual(ids.reverse())
    expect(new Set(seen).size).toBe(8)
  })

  test('CALLS-9 names each state as Billing does, whatever became of an earlier subscription', async () => {
    const statuses = ['active', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled'] as const
    const labels = new Map<string, string>()
    for (const status of statuses) labels.set(world.addMember({ subscription: { status } }).id, status)
    const ending = world.addMember({ subscription: { cancelAtPeriodEnd: true } }).id
    const granted = world.addUser({ accessOverride: 'granted' }).id
    const byId = new Map((await list()).map((member) => [member.id, member]))
    for (const [id, status] of labels) {
      expect([status, byId.get(id)?.label]).toEqual([status, status === 'active' ? 'Active' : 'No Active Subscription'])
    }
    expect(byId.get(ending)?.label).toBe('Active, ends on 12 July 2026')
    expect(byId.get(granted)).toMatchObject({ isComplimentary: true, isMember: true })
  })

  test('finds one by address, whatever its case', async () => {
    const { id } = world.addUser({ email: 'danny@example.com' })
    expect((await list('?email=Danny%40Example.com')).map((one) => one.id)).toEqual([id])
    expect(await list('?email=nobody%40example.com')).toEqual([])
  })

  test('counts what a member has completed', async () => {
    const [first, second] = world.addVideos().filter(({ isPublished }) => isPublished)
    const danny = world.addMember({ tier: 'xl' })
    const call = world.signIn(danny)
    for (const video of [first, second]) await call(`/api/video-progress/${video?.id}/complete`, { method: 'POST' })
    await call(`/api/video-progress/${second?.id}/incomplete`, { method: 'POST' })
    const found = (await list()).find(({ id }) => id === danny.id)
    expect(found).toMatchObject({ videosCompleted: 1, lastProgressAt: '2026-06-12T07:40:00.000Z' })
  })
})

describe('one member', () => {
  test('CALLS-40 ENT-7 ENT-8 by id or by address, with these fields and no secret', async () => {
    const videos = world.addVideos()
    const danny = addWithPassword(world, { email: 'danny@example.com', tempPassword: 'x', resetToken: 'y' })
    for (const name of [danny.id, 'Danny@Example.com']) {
      const response = await asOwner(`/api/admin/member/${name}`)
      const member: AdminMemberDetail = await response.json()
      expect(Object.keys(member).sort()).toEqual(Object.keys(AdminMemberDetail.entries).sort())
      expect(member).toMatchObject({
        id: danny.id,
        hasPassword: true,
        isEmailProven: true,
        videosAvailable: 0,
        label: 'No Active Subscription',
      })
    }
    const xl = world.addMember({ tier: 'xl' })
    const member = await (await asOwner(`/api/admin/member/${xl.id}`)).json()
    const visible = videos.filter((video) => video.isPublished && video.tierAccess.includes('xl')).length
    expect(member).toMatchObject({
      membershipType: 'xl',
      videosAvailable: visible,
      nextBillingOn: '2026-07-12',
      isEmailProven: false,
    })
  })

  test('an unknown one is a 404', async () => {
    for (const name of ['nothing', 'nobody@example.com', '%00', "' or 1=1 --"]) {
      const response = await asOwner(`/api/admin/member/${encodeURIComponent(name)}`)
      expect([name, (await readError(response)).code]).toEqual([name, 'member_not_found'])
    }
  })
})
