// @module-tag full
import fc from 'fast-check'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { dailyCounts } from '#api/db/schema/analytics.ts'
import { membershipApplications } from '#api/db/schema/forms.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { videoPositions, videoProgress } from '#api/db/schema/videos.ts'
import { relational } from '#api/db/tables.ts'
import { ensureOwners } from '#api/features/accounts/owners/service.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { type CountKind, countKinds } from '#shared/contract/analytics.ts'
import { CohortList, VideoFiguresList, VisitFigures } from '#shared/contract/engagement.ts'
import { addDays, londonMonth } from '#shared/rules/london.ts'

let world: World
let asOwner: Call
beforeEach(() => {
  world = startWorld()
  asOwner = world.signIn(world.addOwner())
})

const visits = async (query = '') => v.parse(VisitFigures, await (await asOwner(`/api/admin/watching${query}`)).json())
const retention = async () => v.parse(CohortList, await (await asOwner('/api/admin/watching/retention')).json())
const videoFigures = async () => v.parse(VideoFiguresList, await (await asOwner('/api/admin/watching/lessons')).json())

test('a new site has thirty empty days, no cohort and nothing to divide by', async () => {
  const { from, to, days, sources, pages, funnel, forms } = await visits()
  expect([from, to, days.length, sources, pages]).toEqual(['2026-05-14', '2026-06-12', 30, [], []])
  expect(funnel.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0])
  expect(forms.map(({ form }) => form)).toContain('membership')
  expect(await retention()).toEqual([])
})

test('a range is of days in their order, and of at most 800', async () => {
  expect((await visits('?from=2026-06-01&to=2026-06-01')).days).toEqual([{ day: '2026-06-01', visits: 0, views: 0 }])
  for (const query of ['?from=2026-06-02&to=2026-06-01', '?from=2020-01-01', '?from=tomorrow', '?to=2026-02-30'])
    expect([query, (await readError(await asOwner(`/api/admin/watching${query}`))).status]).toEqual([query, 422])
})

const days = ['2026-05-30', '2026-05-31', '2026-06-01', '2026-06-02', '2026-06-03'] as const
const keys = ['/', '/membership-application', 'membership', 'contact', 'google', 'direct'] as const
const counted = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom(...countKinds),
    day: fc.constantFrom(...days),
    key: fc.constantFrom(...keys),
    count: fc.integer({ min: 1, max: 500 }),
  }),
  { selector: ({ kind, day, key }) => `${kind} ${day} ${key}`, maxLength: 60 },
)
const moments = fc.array(
  fc.date({ min: new Date('2026-05-29T00:00:00Z'), max: new Date('2026-06-05T00:00:00Z'), noInvalidDate: true }),
  { maxLength: 8 },
)

test('the funnel, forms, sources, pages and days are what a naive count of the same rows gives', async () => {
  await fc.assert(
    fc.asyncProperty(counted, moments, fc.constantFrom(...days), fc.nat(4), async (rows, applied, from, length) => {
      world.ctx.sqlite.exec('delete from daily_counts; delete from membership_applications')
      for (const row of rows) insertRow(world.ctx, dailyCounts, row)
      for (const at of applied) addApplication(at.toISOString())
      const to = addDays(from, length)
      const within = rows.filter(({ day }) => day >= from && day <= to)
      const sum = (kind: CountKind, key?: string) =>
        within
          .filter((row) => row.kind === kind && (key ?? row.key) === row.key)
          .reduce((all, row) => all + row.count, 0)
      const named = (kind: CountKind) =>
        keys.map((key) => ({ name: key, count: sum(kind, key) })).filter(({ count }) => count > 0)
      const found = await visits(`?from=${from}&to=${to}`)
      // London is an hour ahead of UTC on these days.
      const sent = applied.filter((at) => {
        const day = new Date(at.getTime() + 3_600_000).toISOString().slice(0, 10)
        return day >= from && day <= to
      }).length
      expect(found.funnel.map(({ count }) => count)).toEqual([
        ...[sum('source'), sum('page_view', '/membership-application'), sum('form_begun', 'membership')],
        ...[sent, 0, 0],
      ])
      expect(found.forms.find(({ form }) => form === 'contact')).toEqual({
        form: 'contact',
        begun: sum('form_begun', 'contact'),
        sent: sum('form_submit', 'contact'),
      })
      for (const [list, kind] of [
        [found.sources, 'source'],
        [found.pages, 'page_view'],
      ] as const) {
        expect(new Set(list)).toEqual(new Set(named(kind)))
        expect(list.map(({ count }) => count)).toEqual(list.map(({ count }) => count).toSorted((a, b) => b - a))
      }
      for (const { day, visits, views } of found.days) {
        const ofDay = (kind: CountKind) =>
          within.filter((row) => row.kind === kind && row.day === day).reduce((all, row) => all + row.count, 0)
        expect([visits, views]).toEqual([ofDay('source'), ofDay('page_view')])
      }
    }),
    { numRuns: process.env.FULL ? 300 : 30 },
  )
})

function addApplication(createdAt: string): void {
  insertRow(world.ctx, membershipApplications, {
    id: world.ctx.newId(),
    selectedTier: 'standard',
    firstName: 'Sam',
    lastName: 'Field',
    email: 'sam@example.com',
    phone: '07700 900123',
    businessName: 'Field',
    trade: 'Painter',
    businessStage: 'growing',
    yearsInTrade: '12',
    goals: 'Rest',
    currentChallenges: 'Time',
    whyJoin: 'A mate',
    hearAboutUs: 'Podcast',
    agreeTerms: true,
    createdAt,
  })
}

/** A customer's monthly amount over time. Months ascend, from 24 months ago to now. */
const history = fc.uniqueArray(fc.record({ ago: fc.nat(24), after: fc.constantFrom(0, 0, 12_500, 25_000) }), {
  selector: ({ ago }) => ago,
  maxLength: 6,
})

test('retention is what a naive look at every customer at the end of every month gives', async () => {
  const now = londonMonth(world.ctx.billingNow())
  const months = Array.from({ length: 25 }, (_, at) => monthAgo(now, 24 - at))
  await fc.assert(
    fc.asyncProperty(fc.array(history, { maxLength: 8 }), async (histories) => {
      // Revenue rows are append-only, so each run needs a new world.
      world = startWorld()
      asOwner = world.signIn(world.addOwner())
      const naive = new Map<string, number[][]>()
      for (const steps of histories) {
        const sorted = steps.toSorted((one, other) => other.ago - one.ago)
        write(addCustomer(), now, sorted)
        const paying = months.map((_, month) => (sorted.findLast(({ ago }) => 24 - ago <= month)?.after ?? 0) > 0)
        const joined = paying.indexOf(true)
        if (joined < 0) continue
        const month = months[joined] ?? ''
        naive.set(month, [...(naive.get(month) ?? []), paying.slice(joined).map(Number)])
      }
      const expected = months.flatMap((month) => {
        const rows = naive.get(month)
        if (!rows) return []
        const kept = rows[0]?.map((_, later) => rows.reduce((sum, row) => sum + (row[later] ?? 0), 0))
        return [{ month, joined: rows.length, kept }]
      })
      expect(await retention()).toEqual(expected)
    }),
    { numRuns: process.env.FULL ? 300 : 30 },
  )
})

function monthAgo(now: string, ago: number): string {
  const [year = 0, month = 0] = now.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - ago, 15)).toISOString().slice(0, 7)
}

function addCustomer(): string {
  world.addMember()
  return world.ctx.db.select({ id: subscriptions.customerId }).from(subscriptions).all().at(-1)?.id ?? ''
}

/** Writes changes as a sync would: only when the amount changes. */
function write(customerId: string, now: string, steps: readonly { ago: number; after: number }[]): void {
  const subscriptionId =
    world.ctx.db
      .select()
      .from(subscriptions)
      .all()
      .find((row) => row.customerId === customerId)?.id ?? ''
  let before = 0
  for (const { ago, after } of steps) {
    if (after === before) continue
    const month = monthAgo(now, ago)
    const at = `${month}-10T09:00:00.000Z`
    insertRow(world.ctx, revenueChanges, {
      id: world.ctx.newId(),
      customerId,
      subscriptionId,
      tierSlug: 'standard',
      beforeYearly: before * 12,
      afterYearly: after * 12,
      at,
      month,
      kind: after === 0 ? 'churn_voluntary' : before === 0 ? 'new' : 'expansion',
      createdAt: at,
    })
    before = after
  }
}

test('an owner who pays is in no cohort', async () => {
  const house = startWorld({ env: { OWNER_EMAILS: 'olive@alliance.test' } })
  ensureOwners(house.ctx)
  world = house
  asOwner = house.signIn(house.addOwner())
  const paying = house.addMember()
  const { id = '' } = relational(house.ctx.db).query.customers.findFirst().sync() ?? {}
  write(id, londonMonth(house.ctx.billingNow()), [{ ago: 0, after: 25_000 }])
  expect(await retention()).toHaveLength(1)
  house.ctx.sqlite.prepare('update owner_addresses set userId = ?').run(paying.id)
  expect(await retention()).toEqual([])
})

test('each video: who began it, who ticked it off and where the others stopped; owners are left out', async () => {
  const [video = { id: '' }, other = { id: '' }] = world.addVideos()
  world.ctx.sqlite.prepare('update member_videos set duration = 10 where id = ?').run(video.id)
  world.ctx.sqlite.prepare('update member_videos set duration = null where id = ?').run(other.id)
  const [ann, bob, cat, dan] = [1, 2, 3, 4].map(() => world.addMember().id)
  const owner = world.addOwner().id
  tick(ann, video.id, true)
  play(ann, video.id, 599)
  tick(bob, video.id, false)
  play(cat, video.id, 59)
  play(dan, video.id, 300)
  play(owner, video.id, 300)
  tick(owner, video.id, true)
  play(dan, other.id, 7200)
  const figures = await videoFigures()
  expect(figures.find(({ id }) => id === video.id)).toMatchObject({
    started: 4,
    completed: 1,
    stopped: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0],
  })
  expect(figures.find(({ id }) => id === other.id)).toMatchObject({
    started: 1,
    completed: 0,
    stopped: Array(10).fill(0),
  })
})

function tick(userId = '', videoId: string, completed: boolean): void {
  const time = world.ctx.now().toISOString()
  insertRow(world.ctx, videoProgress, {
    id: world.ctx.newId(),
    userId,
    videoId,
    completed,
    at: time,
    counter: 1,
    deviceId: 'van',
    changeId: 'c',
    createdAt: time,
    updatedAt: time,
  })
}

const play = (userId = '', videoId: string, seconds: number) =>
  insertRow(world.ctx, videoPositions, {
    userId,
    videoId,
    seconds,
    at: world.ctx.now().toISOString(),
    deviceId: 'van',
  })
